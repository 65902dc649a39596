import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { activeLots, lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import type { Bidding, TenderParts } from './tender.ts';
import { hasAuction, openAuctions } from './auction-period.ts';

/** The inputs that change the status of a tender (tenders.md 8.2). */
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

/** One row of the state machine. The first row of a trigger whose guard holds is taken. */
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

/** Every change of status except those by an Administrator, who may set any status (row 19). */
export const TENDER_TRANSITIONS: readonly Transition[] = [
  { row: 3, from: ['draft'], to: 'active.enquiries', on: 'activate', when: 'always' },
  { row: 4, from: ['active.enquiries'], to: 'active.tendering', on: 'tick', when: 'always' },
  { row: 5, from: ['active.tendering'], to: 'active.auction', on: 'bids sealed', when: 'someAuction' },
  { row: 7, from: ['active.tendering'], to: 'unsuccessful', on: 'bids sealed', when: 'noBids' },
  { row: 6, from: ['active.tendering'], to: 'active.qualification', on: 'awards known', when: 'awardPending' },
  { row: 8, from: ['active.auction'], to: 'active.qualification', on: 'awards known', when: 'awardPending' },
  // No award is pending when bids are opened if an older segment has posted the award before (rulings R3).
  {
    row: 10,
    from: ['active.tendering', 'active.auction'],
    to: 'active.awarded',
    on: 'awards known',
    when: 'noAwardPending',
  },
  { row: 10, from: ['active.qualification'], to: 'active.awarded', on: 'awards changed', when: 'noAwardPending' },
  { row: 12, from: ['active.awarded'], to: 'active.qualification', on: 'awards changed', when: 'awardPending' },
  { row: 13, from: ['active.awarded', 'active.qualification'], to: 'complete', on: 'completion', when: 'always' },
  { row: 15, from: ['active.awarded', 'active.qualification'], to: 'unsuccessful', on: 'completion', when: 'always' },
  { row: 17, from: ['draft', ...ACTIVE], to: 'cancelled', on: 'tender cancelled', when: 'always' },
  { row: 17, from: ['draft', ...ACTIVE], to: 'cancelled', on: 'lot cancelled', when: 'always' },
  { row: 18, from: ACTIVE, to: 'unsuccessful', on: 'lot cancelled', when: 'always' },
  { row: 18, from: ACTIVE, to: 'complete', on: 'lot cancelled', when: 'always' },
];

/** The predicates that `Transition.when` names. */
const GUARDS = {
  always: () => true,
  /** Two or more bids compete for the tender or for an active lot, and the tender has an auction. */
  someAuction: ({ document, bidding }: TenderParts) => someAuction(document, bidding),
  /** There is no bid for the tender, or for any active lot. */
  noBids: ({ document, bidding }: TenderParts) => noBids(document, bidding),
  awardPending: (tender: TenderParts) => awardPending(tender),
  noAwardPending: (tender: TenderParts) => !awardPending(tender),
} as const;

/** The transition of a tender on a trigger; `undefined` when its status stays. */
export function transitionBy(on: Trigger, tender: TenderParts): Transition | undefined {
  return TENDER_TRANSITIONS.find(
    (row) => row.on === on && row.from.includes(tender.document.status) && GUARDS[row.when](tender),
  );
}

function someAuction(document: StoredTender, bidding: Bidding): boolean {
  if (!hasAuction(document)) return false;
  if (lotsOf(document).length === 0) return bidCount(bidding) >= 2;
  return activeLots(document).some((lot) => bidCount(bidding, lot.id) >= 2);
}

function noBids(document: StoredTender, bidding: Bidding): boolean {
  if (lotsOf(document).length === 0) return bidCount(bidding) === 0;
  return activeLots(document).every((lot) => bidCount(bidding, lot.id) === 0);
}

/** Whether the last award of the tender, or of an active lot, is pending. */
function awardPending({ document, awards }: TenderParts): boolean {
  const all = awards?.awards ?? [];
  if (lotsOf(document).length === 0) return all.at(-1)?.status === 'pending';
  return activeLots(document).some((lot) => all.filter((award) => award.lotID === lot.id).at(-1)?.status === 'pending');
}

/** Whether a tender in `active.auction` has no auction left (rows 8 and 9). */
export function auctionsAreOver(tender: TenderParts): boolean {
  return tender.document.status === 'active.auction' && openAuctions(tender).length === 0;
}
