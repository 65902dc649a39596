import { z } from 'zod';
import { AWARD_STATUSES } from '../resources/award.ts';
import { COMPLAINT_STATUSES } from '../resources/complaint.ts';
import { CHANGE_STATUSES } from '../resources/contract-change.ts';
import { CONTRACT_STATUSES } from '../resources/contract.ts';
import { LOT_STATUSES } from '../resources/lot.ts';
import { TENDER_STATUSES } from '../resources/tender.ts';

/**
 * Members of facts whose values may become more in a later release. A consumer accepts a value that it does not know, stores
 * it, and treats it as the last column says; a closed list would make it a dead letter in every pod of the release before
 * (docs/rules-for-upgrades.md). Decisions compare with the values that they know, and nothing else.
 */
export const OPEN_ENUMS = {
  'tender status': {
    values: TENDER_STATUSES,
    unknown: 'nothing may be written, and what is sealed stays sealed, for every segment and with open guards too',
  },
  'lot status': { values: LOT_STATUSES, unknown: 'the lot is not active' },
  'cancellation status': { values: ['pending', 'active'], unknown: 'no effect: tenders alone decides by it' },
  'complaint type': { values: ['claim', 'complaint'], unknown: 'no effect: decisions look at the status' },
  'complaint status': {
    values: COMPLAINT_STATUSES,
    unknown: 'blocks signing and the end of the tender, and nobody may add documents to it',
  },
  'bid status': {
    values: ['draft', 'active', 'deleted'],
    unknown: 'the bid takes no part: no right to complain, and its documents are not public',
  },
  'award status': {
    values: AWARD_STATUSES,
    unknown: 'neither pending nor active nor unsuccessful',
  },
  'contract status': {
    values: CONTRACT_STATUSES,
    unknown: 'not signed, and nobody may add documents to it',
  },
  'contract change status': { values: CHANGE_STATUSES, unknown: 'not pending: nobody may add documents to it' },
  'parent of a document': {
    values: ['tender', 'bid', 'award', 'complaint', 'award complaint', 'cancellation', 'contract'],
    unknown: 'the document is kept and not shown',
  },
  'feature of': { values: ['tenderer', 'lot', 'item'], unknown: 'a feature of the item that it names' },
} as const;

export type OpenEnum = keyof typeof OPEN_ENUMS;

/** The schema of such a member. */
export function openEnum(name: OpenEnum): z.ZodString {
  const { values, unknown } = OPEN_ENUMS[name];
  return z
    .string()
    .meta({ examples: [...values], description: `Other values may come. A value not known here: ${unknown}` });
}
