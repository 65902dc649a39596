import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { activeLots, lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import type { Bidding, TenderParts } from './tender.ts';
import { openAuctions } from './auction-period.ts';

/** What makes a tender change its status (tenders.md 8.2). */
export type Trigger =
  | 'create'
  | 'activate'
  | 'tick'
  | 'bids sealed'
  | 'awards known'
  | 'awards changed'
  | 'completion'
  | 'lot cancelled'
  | 'tender cancelled';

/** One row of the state machine: the first of a trigger whose guard holds is taken. */
export interface Transition {
  /** Number of the row in tenders.md 8.2. */
  readonly row: number;
  readonly from: readonly TenderStatus[];
  readonly to: TenderStatus;
  readonly on: Trigger;
  readonly when: keyof typeof GUARDS;
}

const ACTIVE = [
  'active.enquiries',
  'active.tendering',
  'active.auction',
  'active.qualification',
  'active.awarded',
] as const;

/** Every change of status that is not an Administrator's own (row 19: any to any). */
export const TENDER_TRANSITIONS: readonly Transition[] = [
  { row: 3, from: ['draft'], to: 'active.enquiries', on: 'activate', when: 'always' },
  { row: 4, from: ['active.enquiries'], to: 'active.tendering', on: 'tick', when: 'always' },
  { row: 5, from: ['active.tendering'], to: 'active.auction', on: 'bids sealed', when: 'someAuction' },
  { row: 7, from: ['active.tendering'], to: 'unsuccessful', on: 'bids sealed', when: 'nobodyBid' },
  { row: 6, from: ['active.tendering'], to: 'active.qualification', on: 'awards known', when: 'somethingPending' },
  { row: 8, from: ['active.auction'], to: 'active.qualification', on: 'awards known', when: 'somethingPending' },
  // Nothing waits for a decision when bids are opened: an older segment has posted the award before (rulings R3).
  {
    row: 10,
    from: ['active.tendering', 'active.auction'],
    to: 'active.awarded',
    on: 'awards known',
    when: 'nothingPending',
  },
  { row: 10, from: ['active.qualification'], to: 'active.awarded', on: 'awards changed', when: 'nothingPending' },
  { row: 12, from: ['active.awarded'], to: 'active.qualification', on: 'awards changed', when: 'somethingPending' },
  { row: 13, from: ['active.awarded', 'active.qualification'], to: 'complete', on: 'completion', when: 'always' },
  { row: 15, from: ['active.awarded', 'active.qualification'], to: 'unsuccessful', on: 'completion', when: 'always' },
  { row: 17, from: ['draft', ...ACTIVE], to: 'cancelled', on: 'tender cancelled', when: 'always' },
  { row: 17, from: ['draft', ...ACTIVE], to: 'cancelled', on: 'lot cancelled', when: 'always' },
  { row: 18, from: ACTIVE, to: 'unsuccessful', on: 'lot cancelled', when: 'always' },
  { row: 18, from: ACTIVE, to: 'complete', on: 'lot cancelled', when: 'always' },
];

/** The predicates that the table names. */
const GUARDS = {
  always: () => true,
  /** Two bids compete: for the tender, or for a lot that is still active. */
  someAuction: ({ document, bidding }: TenderParts) => someAuction(document, bidding),
  /** Nobody bid for anything that is still to be had. */
  nobodyBid: ({ document, bidding }: TenderParts) => nobodyBid(document, bidding),
  somethingPending: (tender: TenderParts) => somethingPending(tender),
  nothingPending: (tender: TenderParts) => !somethingPending(tender),
} as const;

/** The row that this trigger takes a tender by; undefined: it stays where it is. */
export function transitionBy(on: Trigger, tender: TenderParts): Transition | undefined {
  return TENDER_TRANSITIONS.find(
    (row) => row.on === on && row.from.includes(tender.document.status) && GUARDS[row.when](tender),
  );
}

function someAuction(document: StoredTender, bidding: Bidding): boolean {
  if (lotsOf(document).length === 0) return bidCount(bidding) >= 2;
  return activeLots(document).some((lot) => bidCount(bidding, lot.id) >= 2);
}

function nobodyBid(document: StoredTender, bidding: Bidding): boolean {
  if (lotsOf(document).length === 0) return bidCount(bidding) === 0;
  return activeLots(document).every((lot) => bidCount(bidding, lot.id) === 0);
}

/** An award waits for its decision: the last of the tender, or of an active lot. */
function somethingPending({ document, awards }: TenderParts): boolean {
  const all = awards?.awards ?? [];
  if (lotsOf(document).length === 0) return all.at(-1)?.status === 'pending';
  return activeLots(document).some((lot) => all.filter((award) => award.lotID === lot.id).at(-1)?.status === 'pending');
}

/** Whether an active tender in its auction has nothing left to be auctioned (rows 8 and 9). */
export function auctionsAreOver(tender: TenderParts): boolean {
  return tender.document.status === 'active.auction' && openAuctions(tender).length === 0;
}
