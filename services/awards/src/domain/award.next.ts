import { formatServerDate, instantOf } from '@procurement/contracts/reading/instant';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { compareFractions, normalizedAmount, relevantFeatures, type Fraction } from '@procurement/domain/ranking';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Value } from '@procurement/contracts/resources/value';
import type { Awarding, DecisionContext, OpenedBid } from './awarding.ts';
import { awardedLots } from './lots.ts';

/** What a bid offers for one lot, or for the tender as a whole. */
interface Offer {
  readonly bid: OpenedBid;
  readonly value: Value;
  readonly date: string;
}

/**
 * The awards with the next one of every lot whose last one is neither pending nor active (bids-awards-auction.md 3.3): it goes to
 * the best bid that was not disqualified there. Without opened bids, or without a candidate, nothing is added.
 */
export function withNextAwards(
  { tender, bids = [] }: Pick<Awarding, 'tender' | 'bids'>,
  awards: readonly StoredAward[],
  context: DecisionContext,
): readonly StoredAward[] {
  const next = awardedLots(tender).flatMap((lot): StoredAward[] => {
    const own = awards.filter((award) => award.lotID === lot);
    const last = own.at(-1)?.status;
    if (last === 'pending' || last === 'active') return [];
    const best = bestOffer(tender, bids, lot, disqualifiedBids(own));
    return best === undefined ? [] : [awardFor(best, lot, context)];
  });
  return next.length === 0 ? awards : [...awards, ...next];
}

/** A cancelled award does not keep its bid from being awarded again. */
function disqualifiedBids(awards: readonly StoredAward[]): ReadonlySet<string | undefined> {
  return new Set(awards.filter((award) => award.status === 'unsuccessful').map((award) => award.bid_id));
}

/** What a bid offers there; undefined when it does not. */
export function offerOf(bid: OpenedBid, lot: string | undefined): Offer | undefined {
  if (lot === undefined) return bid.value === undefined ? undefined : { bid, value: bid.value, date: bid.date };
  const own = bid.lotValues?.find((lotValue) => lotValue.relatedLot === lot);
  return own === undefined ? undefined : { bid, value: own.value, date: own.date ?? bid.date };
}

/** By normalized amount, then by date, then by the order of registration, which the sort keeps. */
function bestOffer(
  { features = [], items = [] }: TenderFacts,
  bids: readonly OpenedBid[],
  lot: string | undefined,
  excluded: ReadonlySet<string | undefined>,
): Offer | undefined {
  const relevant = relevantFeatures(features, items, lot);
  const ranked = bids
    .filter((bid) => !excluded.has(bid.id))
    .flatMap((bid): { readonly offer: Offer; readonly amount: Fraction }[] => {
      const offer = offerOf(bid, lot);
      if (offer === undefined) return [];
      return [{ offer, amount: normalizedAmount(offer.value.amount, relevant, bid.parameters ?? []) }];
    })
    .toSorted((a, b) => compareFractions(a.amount, b.amount) || instantOf(a.offer.date) - instantOf(b.offer.date));
  return ranked[0]?.offer;
}

function awardFor({ bid, value }: Offer, lot: string | undefined, { now, nextId }: DecisionContext): StoredAward {
  const date = formatServerDate(now);
  return omitEmpty<StoredAward>({
    id: nextId(),
    bid_id: bid.id,
    lotID: lot,
    status: 'pending',
    date,
    value,
    suppliers: [...(bid.tenderers ?? [])],
    complaintPeriod: { startDate: date },
  });
}
