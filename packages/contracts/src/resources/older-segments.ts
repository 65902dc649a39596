import { DEFERRABLE_TENDER_MEMBERS } from './tender.ts';

/**
 * Members that bodies of older segments may leave out (generations.md 5.7), by the name of the shape. What was created there is read in
 * every segment, so an answer may lack them.
 */
export const LEFT_OUT_BY_OLDER_SEGMENTS: Readonly<Record<string, readonly string[]>> = {
  Tender: DEFERRABLE_TENDER_MEMBERS,
  Organization: ['address', 'contactPoint'],
  BusinessOrganization: ['address', 'contactPoint'],
  ProcuringEntity: ['address', 'contactPoint'],
  Buyer: ['address'],
  Identifier: ['id'],
  PeriodEndRequired: ['endDate'],
  Unit: ['code'],
};
