import { formatServerDate, parseInstant } from '@procurement/contracts/reading/instant';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { compareFractions, normalizedAmount, relevantFeatures, type Fraction } from '@procurement/domain/ranking';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Value } from '@procurement/contracts/resources/value';
import type { Awarding, DecisionContext, OpenedBid } from './awarding.ts';
import { competitionUnits } from '@procurement/domain/lots';

/** The offer of a bid for one lot, or for the whole tender. */
interface Offer {
  readonly bid: OpenedBid;
  readonly value: Value;
  readonly date: string;
}

/**
 * Adds the next award for every lot whose last award is neither pending nor active (bids-awards-auction.md 3.3). It goes to the
 * best bid that is not disqualified for that lot. Adds nothing without opened bids or without a candidate.
 */
export function withNextAwards(
  { tender, bids = [] }: Pick<Awarding, 'tender' | 'bids'>,
  awards: readonly StoredAward[],
  context: DecisionContext,
): readonly StoredAward[] {
  const next = competitionUnits(tender).flatMap((lot): StoredAward[] => {
    const own = awards.filter((award) => award.lotID === lot);
    const last = own.at(-1)?.status;
    if (last === 'pending' || last === 'active') return [];
    const best = bestOffer(tender, bids, lot, disqualifiedBids(own));
    return best === undefined ? [] : [awardFor(best, lot, context)];
  });
  return next.length === 0 ? awards : [...awards, ...next];
}

/** Bids with an unsuccessful award. A bid with a cancelled award may be awarded again. */
function disqualifiedBids(awards: readonly StoredAward[]): ReadonlySet<string | undefined> {
  return new Set(awards.filter((award) => award.status === 'unsuccessful').map((award) => award.bid_id));
}

/** The offer of a bid for that lot (`undefined`: the whole tender); undefined when there is none. */
export function findOffer(bid: OpenedBid, lot: string | undefined): Offer | undefined {
  if (lot === undefined) return bid.value === undefined ? undefined : { bid, value: bid.value, date: bid.date };
  const own = bid.lotValues?.find((lotValue) => lotValue.relatedLot === lot);
  return own === undefined ? undefined : { bid, value: own.value, date: own.date ?? bid.date };
}

/** Ranks by normalized amount, then by date, then by order of registration (the sort is stable). */
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
      const offer = findOffer(bid, lot);
      if (offer === undefined) return [];
      return [{ offer, amount: normalizedAmount(offer.value.amount, relevant, bid.parameters ?? []) }];
    })
    .toSorted(
      (a, b) => compareFractions(a.amount, b.amount) || parseInstant(a.offer.date) - parseInstant(b.offer.date),
    );
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
