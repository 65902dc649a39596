import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { AuctionResults } from '@procurement/contracts/events/auction.events';
import type { AuctionBid } from '@procurement/contracts/resources/auction';
import { auctionUrlOf, publishedLink } from './hand-off.addresses.ts';
import type { Addresses, OfferedBid } from './hand-off.ts';

type JsonObject = Readonly<Record<string, unknown>>;
type Money = NonNullable<AuctionBid['value']>;

interface PublicPeriod extends JsonObject {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

/** Members of the public view of a tender that the auction reads; others are shown unchanged. */
export interface PublicTender extends JsonObject {
  readonly tenderID: string;
  readonly dateModified: string;
  readonly status: string;
  readonly auctionPeriod?: PublicPeriod | undefined;
  readonly auctionUrl?: string | undefined;
  readonly features?: readonly unknown[] | undefined;
  readonly lots?: readonly PublicLot[] | undefined;
  readonly awards?: readonly PublicAward[] | undefined;
}

export interface PublicLot extends JsonObject {
  readonly id: string;
  readonly status: string;
  readonly auctionPeriod?: PublicPeriod | undefined;
  readonly auctionUrl?: string | undefined;
}

export interface PublicAward extends JsonObject {
  readonly id: string;
  readonly status: string;
  readonly lotID?: string | undefined;
}

/** The auction record: input of the auction component (bids-awards-auction.md 2.2). */
export interface AuctionRecord extends JsonObject {
  readonly auctionPeriod?: PublicPeriod | undefined;
  readonly features?: readonly unknown[] | undefined;
  readonly lots?: readonly PublicLot[] | undefined;
  readonly bids: readonly AuctionBid[];
}

/**
 * The full record of a tender: public members, bids without tenderers, and the last published addresses, also before tender
 * and bids show them.
 */
export function auctionRecord(tender: PublicTender, bids: readonly OfferedBid[], addresses: Addresses): AuctionRecord {
  const { tenderID, dateModified, items, features, minimalStep, tenderPeriod, auctionPeriod, lots = [] } = tender;
  const auctionUrl = auctionUrlOf(addresses, {}) ?? tender.auctionUrl;
  return {
    tenderID,
    dateModified,
    items,
    features,
    minimalStep,
    tenderPeriod,
    submissionMethodDetails: tender['submissionMethodDetails'],
    submissionMethodDetails_en: tender['submissionMethodDetails_en'],
    submissionMethodDetails_ru: tender['submissionMethodDetails_ru'],
    ...(lots.length === 0 ? { auctionPeriod, auctionUrl } : { lots: lots.map((lot) => recordLot(lot, addresses)) }),
    bids: bids.map((bid) => recordBid(bid, addresses)),
  };
}

/** Shows all members of a lot except the number of bids. */
function recordLot({ numberOfBids: _count, ...lot }: PublicLot & JsonObject, addresses: Addresses): PublicLot {
  return { ...lot, auctionUrl: auctionUrlOf(addresses, { lot: lot.id }) ?? lot.auctionUrl };
}

function recordBid(bid: OfferedBid, addresses: Addresses): AuctionBid {
  return {
    ...bid,
    participationUrl: publishedLink(addresses, bid.id, {}) ?? bid.participationUrl,
    lotValues: bid.lotValues?.map((lotValue) => ({
      ...lotValue,
      participationUrl: publishedLink(addresses, bid.id, { lot: lotValue.relatedLot }) ?? lotValue.participationUrl,
    })),
  };
}

/** The record with reported amounts and dates, which the bids may not have yet, or never get (bids-awards-auction.md 2.7). */
export function withReported(record: AuctionRecord, { lot, results }: AuctionResults): AuctionRecord {
  const byBid = new Map(results.map((result) => [result.id, result]));
  const bids = record.bids.map((bid): AuctionBid => {
    const { amount, date } = byBid.get(bid.id ?? '') ?? {};
    const reported = (value: Money | undefined): Money | undefined =>
      value === undefined || amount === undefined ? value : { ...value, amount };
    if (lot === undefined) return { ...bid, value: reported(bid.value), date: date ?? bid.date };
    const lotValues = bid.lotValues?.map((lotValue) =>
      lotValue.relatedLot === lot
        ? { ...lotValue, value: reported(lotValue.value), date: date ?? lotValue.date }
        : lotValue,
    );
    return { ...bid, lotValues };
  });
  return { ...record, bids };
}

/** Tender statuses in which bids, with their amounts, are public. */
const OPENED_STATUSES: ReadonlySet<string> = new Set(['active.qualification', 'active.awarded', 'complete']);

/**
 * The record for callers without the auction role (bids-awards-auction.md 2.2). Bids keep number and order, without ids, links
 * and parameters. Amounts show once the auction (of that lot) has started, or bids are open; with features only when bids are
 * open.
 */
export function maskedRecord(record: AuctionRecord, status: string, now: Instant): AuctionRecord {
  const isOpen = OPENED_STATUSES.has(status);
  const hasFeatures = (record.features ?? []).length > 0;
  const maskValue = (value: Money | undefined, period: PublicPeriod | undefined): Money | undefined => {
    if (value === undefined || isOpen || (!hasFeatures && hasStarted(period, now))) return value;
    const { amount: _sealed, ...rest } = value;
    return rest;
  };
  const bids = record.bids.map(({ date, value, lotValues }): AuctionBid => ({
    date,
    value: maskValue(value, record.auctionPeriod),
    lotValues: lotValues?.map((lotValue) => ({
      relatedLot: lotValue.relatedLot,
      date: lotValue.date,
      value: maskValue(lotValue.value, record.lots?.find(({ id }) => id === lotValue.relatedLot)?.auctionPeriod),
    })),
  }));
  return { ...record, bids };
}

function hasStarted(period: PublicPeriod | undefined, now: Instant): boolean {
  return period?.startDate !== undefined && parseInstant(period.startDate) <= now;
}
