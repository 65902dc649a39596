import type { AuctionBid, AuctionBidInput, AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuctionRecord } from './auction-record.ts';
import { isUnguarded, AUCTION_STATUS } from './hand-off.guards.ts';
import type { HandOffMeta, HandOffCommand } from './hand-off.ts';

/**
 * Whether a command has no effect because of open guards (rulings R3): older segments may report by PATCH in any status that
 * is not final. POST and addresses are not in interface.md and are always guarded (bids-awards-auction.md 0.4).
 */
export function isTrialCommand(
  tender: TenderFacts,
  command: HandOffCommand,
  { actor, settings }: HandOffMeta,
): boolean {
  if (command.kind === 'addresses' || (command.kind === 'results' && command.by === 'POST')) return false;
  return tender.status !== AUCTION_STATUS && isUnguarded(tender, actor, settings);
}

/**
 * The record with the entries of such a request as interface.md shows it: matched by id or position, each with currency and
 * VAT flag. The number of entries may differ from that of the bids, because a fresh tender may have none; entries without a
 * bid are shown as they were sent.
 */
export function withTrialValues(
  record: AuctionRecord,
  { bids: sent = [] }: AuctionInput,
  { value: tenderValue }: TenderFacts,
): AuctionRecord {
  const length = Math.max(sent.length, record.bids.length);
  const bids = Array.from({ length }, (_, at): AuctionBid => {
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

/** The entry, if it is matched by position. */
function entryWithoutId(entry: AuctionBidInput | undefined): AuctionBidInput | undefined {
  return entry?.id === undefined ? entry : undefined;
}
