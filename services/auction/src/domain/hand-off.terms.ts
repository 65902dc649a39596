import type { Description, ErrorEntry } from '@procurement/contracts/problems/problems';
import type { AuctionBidInput, AuctionInput, AuctionValueInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { matchedBids, matchedLotValues, type MatchedBid } from './hand-off.entries.ts';
import type { AuctionRef, HandOffState, HandOffCommand, OfferedBid } from './hand-off.ts';

type Money = NonNullable<TenderFacts['value']>;

/**
 * Errors of a body in any status of the tender (bids-awards-auction.md 2.4): addresses in the wrong place, two results for one
 * lot, and results that break the terms of the tender. One entry per member with the first failing rule; for lists one
 * description per failing element.
 */
export function termsFaults({ tender, bids }: HandOffState, command: HandOffCommand): readonly ErrorEntry[] {
  const { input } = command;
  const isLotted = (tender.lots ?? []).length > 0;
  const faults = (input.bids ?? []).flatMap(
    (sent, at): Description[] =>
      bidFault(sent, sent.id === undefined ? bids[at] : bids.find(({ id }) => id === sent.id), isLotted) ?? [],
  );
  const terms =
    faults.length === 0 && command.kind === 'results' ? resultFaults(tender, command, matchedBids(bids, input)) : [];
  return [...auctionUrlFault(input, isLotted), ...errorEntries('bids', [...faults, ...terms])];
}

function errorEntries(name: string, description: readonly Description[]): readonly ErrorEntry[] {
  return description.length === 0 ? [] : [{ location: 'body', name, description }];
}

function auctionUrlFault({ auctionUrl }: AuctionInput, isLotted: boolean): readonly ErrorEntry[] {
  return isLotted && auctionUrl !== undefined ? errorEntries('auctionUrl', ['url should be posted for each lot']) : [];
}

function bidFault(sent: AuctionBidInput, own: OfferedBid | undefined, isLotted: boolean): [Description] | undefined {
  if (isLotted && sent.participationUrl !== undefined) {
    return [{ participationUrl: ['url should be posted for each lot of bid'] }];
  }
  // An entry without `relatedLot` is for the lot at its place (bids-awards-auction.md 2.3).
  const named = (sent.lotValues ?? []).flatMap(
    ({ relatedLot }, at) => relatedLot ?? own?.lotValues?.[at]?.relatedLot ?? [],
  );
  return new Set(named).size < named.length ? [{ lotValues: ["bids don't allow duplicated proposals"] }] : undefined;
}

/** Empty without a lot in the path of a tender with lots: such a report has no effect. */
function resultFaults(tender: TenderFacts, { lot }: AuctionRef, pairs: readonly MatchedBid[]): readonly Description[] {
  const lots = tender.lots ?? [];
  if (lots.length === 0) {
    return pairs.flatMap(({ sent }): Description[] => valueFault(sent.value, tender.value, 'tender') ?? []);
  }
  if (lot === undefined) return [];
  const limit = lots.find((one) => one.id === lot)?.value;
  return pairs.flatMap((pair): Description[] => {
    // If it were ignored, the auction would end with the amounts before it (bids-awards-auction.md 2.5).
    if (pair.sent.value !== undefined) return [{ value: ['value should be posted for each lot of bid'] }];
    const ofLot = matchedLotValues(pair).filter(({ own }) => own.relatedLot === lot);
    const faults = ofLot.flatMap(({ sent }): Description[] => valueFault(sent.value, limit, 'lot') ?? []);
    return faults.length === 0 ? [] : [{ lotValues: faults }];
  });
}

/** Amount, currency, VAT, in this order (bids-awards-auction.md 1.3). A member that was not sent is valid. */
function valueFault(
  value: AuctionValueInput | undefined,
  limit: Money | undefined,
  of: 'tender' | 'lot',
): [Description] | undefined {
  if (value === undefined || limit === undefined) return undefined;
  const { amount = 0, currency = limit.currency, valueAddedTaxIncluded = limit.valueAddedTaxIncluded } = value;
  if (amount > limit.amount) return [{ value: [`value of bid should be less than value of ${of}`] }];
  if (currency !== limit.currency) {
    return [{ value: [`currency of bid should be identical to currency of value of ${of}`] }];
  }
  if (valueAddedTaxIncluded === limit.valueAddedTaxIncluded) return undefined;
  const text = `valueAddedTaxIncluded of bid should be identical to valueAddedTaxIncluded of value of ${of}`;
  return [{ value: [text] }];
}
