import type { Actor } from '@procurement/contracts/api/actor';
import { parseInstant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ACTORS } from '@procurement/testing/actors';
import type { HandOffMeta, HandOffSettings, OfferedBid } from '../src/domain/hand-off.ts';
import { tenderFacts } from './tender-facts.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const [BID_X, BID_Y] = ['1'.repeat(32), '2'.repeat(32)] as const;
export const [LOT_1, LOT_2] = ['a'.repeat(32), 'b'.repeat(32)] as const;
export const AUCTION_STARTS = '2017-02-16T11:12:34+02:00';
export const REPORTED_AT = '2017-02-16T11:35:35.000815+02:00';

const money = (amount: number) => ({ amount, currency: 'UAH', valueAddedTaxIncluded: true });

/** The tender of the story: 500 with VAT, in its auction (bids-awards-auction.md 6.1). */
export function tenderInAuction(partial: Partial<TenderFacts> = {}): TenderFacts {
  return tenderFacts({
    status: 'active.auction',
    value: money(500),
    minimalStep: money(35),
    auctionPeriod: { startDate: AUCTION_STARTS, shouldStartAfter: '2017-02-16T00:00:00+02:00' },
    ...partial,
  });
}

/** `tenderInAuction` with two lots of 500 each (bids-awards-auction.md 6.2); `second` overrides members of the second. */
export function tenderInAuctionWithLots(second: JsonObject = {}, partial: Partial<TenderFacts> = {}): TenderFacts {
  const auctionPeriod = { startDate: AUCTION_STARTS, shouldStartAfter: '2017-02-16T00:00:00+02:00' };
  const lot = { status: 'active', value: money(500), minimalStep: money(35), auctionPeriod };
  const lots = [
    { ...lot, id: LOT_1 },
    { ...lot, id: LOT_2, ...second },
  ];
  return tenderInAuction({ lots, auctionPeriod: undefined, ...partial });
}

/** The sealed bids of that story. */
export const BIDS: readonly OfferedBid[] = [
  { id: BID_X, date: '2017-02-10T10:00:00.000001+02:00', value: money(469) },
  { id: BID_Y, date: '2017-02-13T09:00:00.000002+02:00', value: money(479) },
];

/** The sealed bids of the tender with lots: two bids for both lots. */
export const LOT_BIDS: readonly OfferedBid[] = [offered(BID_X, [480, 470]), offered(BID_Y, [490, 460])];

function offered(id: string, [first, second]: readonly [number, number]): OfferedBid {
  const date = '2017-02-10T10:00:00.000001+02:00';
  const lotValues = [
    { relatedLot: LOT_1, date, value: money(first) },
    { relatedLot: LOT_2, date, value: money(second) },
  ];
  return { id, date, lotValues };
}

export const SETTINGS: HandOffSettings = { sandbox: false, legacyGuardsOpen: false, recordPublic: 'masked' };

export interface MetaOptions {
  readonly actor?: Actor;
  readonly segment?: string;
  readonly ownsTender?: boolean;
  readonly settings?: Partial<HandOffSettings>;
}

/** Defaults: the auction component, right after the auction. */
export function handOffMeta({
  actor = ACTORS.auction,
  segment = '2.5',
  ownsTender = false,
  settings = {},
}: MetaOptions = {}): HandOffMeta {
  return {
    now: parseInstant(REPORTED_AT),
    actor: { ...actor, segment },
    ownsTender,
    settings: { ...SETTINGS, ...settings },
  };
}
