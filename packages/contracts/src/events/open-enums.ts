import { z } from 'zod';

/**
 * Members of facts whose values may become more in a later release. A consumer accepts a value that it does not know, stores
 * it, and treats it as the last column says; a closed list would make it a dead letter in every pod of the release before
 * (decision 0063). Decisions compare with the values that they know, and nothing else.
 */
export const OPEN_ENUMS = {
  'tender status': {
    values: [
      'draft',
      'active.enquiries',
      'active.tendering',
      'active.auction',
      'active.qualification',
      'active.awarded',
      'complete',
      'cancelled',
      'unsuccessful',
    ],
    unknown: 'nothing may be written, and what is sealed stays sealed, for every segment and with open guards too',
  },
  'lot status': { values: ['active', 'cancelled', 'unsuccessful', 'complete'], unknown: 'the lot is not active' },
  'cancellation status': { values: ['pending', 'active'], unknown: 'no effect: tenders alone decides by it' },
  'complaint type': { values: ['claim', 'complaint'], unknown: 'no effect: decisions look at the status' },
  'complaint status': {
    values: ['draft', 'claim', 'answered', 'pending', 'invalid', 'resolved', 'declined', 'cancelled', 'ignored'],
    unknown: 'blocks signing and the end of the tender, and nobody may add documents to it',
  },
  'bid status': {
    values: ['draft', 'active', 'deleted'],
    unknown: 'the bid takes no part: no right to complain, and its documents are not public',
  },
  'award status': {
    values: ['pending', 'unsuccessful', 'active', 'cancelled'],
    unknown: 'neither pending nor active nor unsuccessful',
  },
  'contract status': {
    values: ['pending', 'active', 'cancelled', 'terminated'],
    unknown: 'not signed, and nobody may add documents to it',
  },
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
