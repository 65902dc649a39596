import type { Tender } from '@procurement/client';
import { lifeLine, type LifeStep } from './life-line.ts';

type Lot = NonNullable<Tender['lots']>[number];
type Award = NonNullable<Tender['awards']>[number];

/** The steps of one lot's life at `now`: from the auction on, each lot goes its own way (tenders.md 8.3). */
export function lotLifeLine(tender: Tender, lot: Lot, now: string): readonly LifeStep[] {
  const own = tenderOfLot(tender, lot);
  const steps = lifeLine(own, now);
  // Its own auction is over, or it needs none, and others go on: the buyer decides about all lots after the last one.
  const waits = own.status === 'active.qualification' && tender.status === 'active.auction';
  return waits ? steps.map((one) => (one.step === 'qualification' ? { ...one, state: 'ahead' } : one)) : steps;
}

/** The tender as it would be with this lot alone. */
function tenderOfLot(tender: Tender, lot: Lot): Tender {
  const { lots: _lots, auctionPeriod: _auction, awardPeriod: _award, ...rest } = tender;
  const awards = (tender.awards ?? []).filter(({ lotID }) => lotID === lot.id);
  const contracts = (tender.contracts ?? []).filter(({ awardID }) => awards.some(({ id }) => id === awardID));
  const [start, last] = [tender.awardPeriod?.startDate, awards.at(-1)];
  // The date of an award is that of its status (tenders.md 8.1).
  const period = {
    ...(start === undefined ? {} : { startDate: start }),
    ...(isDecided(last) ? { endDate: last.date } : {}),
  };
  return {
    ...rest,
    status: lotStatus(tender, lot, isDecided(last)),
    date: lot.status === 'cancelled' ? (lot.date ?? tender.date) : tender.date,
    ...(lot.auctionPeriod === undefined ? {} : { auctionPeriod: lot.auctionPeriod }),
    // That of the tender says nothing about a lot that ended before it.
    ...(last === undefined ? {} : { awardPeriod: period }),
    awards,
    contracts,
  };
}

/** Whether the buyer has decided about the last bid that came into question. */
const isDecided = (last: Award | undefined): last is Award =>
  last?.status === 'active' || last?.status === 'unsuccessful';

/** The status that a tender with this lot alone would have. */
function lotStatus(tender: Tender, { status = 'active', auctionPeriod }: Lot, hasDecision: boolean): Tender['status'] {
  if (status !== 'active') return status;
  if (tender.status === 'active.auction') {
    const { startDate, endDate, shouldStartAfter } = auctionPeriod ?? {};
    const isAhead = endDate === undefined && (startDate ?? shouldStartAfter) !== undefined;
    return isAhead ? 'active.auction' : 'active.qualification';
  }
  if (tender.status === 'active.qualification' || tender.status === 'active.awarded')
    return hasDecision ? 'active.awarded' : 'active.qualification';
  return tender.status;
}
