import type { AuctionBid, AuctionBidInput, AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuctionRecord } from './auction-record.ts';
import { isUnguarded, AUCTION_STATUS } from './hand-off.guards.ts';
import type { HandOffMeta, HandOffCommand } from './hand-off.ts';

/**
 * Older segments may send what the interface document shows in any status that is not final, and nothing comes of it
 * (rulings R3). POST and addresses are not in that document, and always guarded.
 */
export function isTrialCommand(
  { status }: TenderFacts,
  command: HandOffCommand,
  { actor, settings }: HandOffMeta,
): boolean {
  if (command.kind === 'addresses' || (command.kind === 'results' && command.by === 'POST')) return false;
  return status !== AUCTION_STATUS && isUnguarded(status, actor, settings);
}

/**
 * The record with the entries of such a request, as the interface document shows it: by id or position, each with currency
 * and VAT flag. Decision: a fresh tender has the bids that it has, so their number is not asked for; what is about none of
 * them is shown as it was sent.
 */
export function withTrialValues(
  record: AuctionRecord,
  { bids: sent = [] }: AuctionInput,
  { value: tenderValue }: TenderFacts,
): AuctionRecord {
  const places = Math.max(sent.length, record.bids.length);
  const bids = Array.from({ length: places }, (_, at): AuctionBid => {
    const entry = sent.find(({ id }) => id !== undefined && id === record.bids[at]?.id) ?? entryWithoutId(sent[at]);
    const stored = record.bids[at] ?? {};
    if (entry?.value === undefined) return stored;
    const before = stored.value ?? tenderValue;
    const { amount = stored.value?.amount, currency = before?.currency ?? 'UAH' } = entry.value;
    const { valueAddedTaxIncluded = before?.valueAddedTaxIncluded ?? true } = entry.value;
    return { ...stored, value: { ...stored.value, amount, currency, valueAddedTaxIncluded } };
  });
  return { ...record, bids };
}

/** An entry that no id ties to a bid. */
function entryWithoutId(entry: AuctionBidInput | undefined): AuctionBidInput | undefined {
  return entry?.id === undefined ? entry : undefined;
}
