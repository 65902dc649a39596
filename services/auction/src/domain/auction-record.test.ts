import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import {
  tenderInAuction,
  BIDS,
  LOT_1,
  LOT_2,
  LOT_BIDS,
  AUCTION_STARTS,
  BID_X,
  BID_Y,
} from '../../test-support/hand-off-facts.ts';
import type { OfferedBid } from './hand-off.ts';
import { withTrialValues } from './auction-trial.ts';
import { auctionRecord, maskedRecord, withReported, type PublicTender } from './auction-record.ts';

const shown: PublicTender = {
  id: 'f'.repeat(32),
  tenderID: 'UA-2017-02-06-000001',
  dateModified: '2017-02-15T18:00:00.100000+02:00',
  status: 'active.auction',
  title: 'Фарби',
  procuringEntity: { name: 'ДУС' },
  items: [{ id: 'first' }],
  minimalStep: { amount: 35 },
  submissionMethodDetails: 'quick',
  tenderPeriod: { startDate: '2017-02-09T10:00:00+02:00', endDate: '2017-02-15T18:00:00+02:00' },
  auctionPeriod: { startDate: AUCTION_STARTS },
};
const shownWithLots: PublicTender = {
  ...shown,
  auctionPeriod: undefined,
  lots: [
    { id: LOT_1, status: 'active', title: 'A', numberOfBids: 2, auctionPeriod: { startDate: AUCTION_STARTS } },
    { id: LOT_2, status: 'active', title: 'B', auctionPeriod: { startDate: '2017-02-17T11:00:00+02:00' } },
  ],
};
const NONE = { auctions: [], bids: [] };
const URL = 'https://auction.example.org/tenders/f';
const [beforeStart, duringAuction] = [parseInstant('2017-02-16T11:12:33+02:00'), parseInstant(AUCTION_STARTS)];

/** The value as JSON: members without a value are absent. */
const plain = (value: unknown): any => JSON.parse(JSON.stringify(value));

describe('auctionRecord (bids-awards-auction.md 2.2)', () => {
  it('has exactly the members that the auction component needs', () => {
    const { id: _id, status: _status, title: _title, procuringEntity: _entity, ...members } = shown;
    expect(plain(auctionRecord(shown, BIDS, NONE))).toEqual({ ...members, bids: BIDS });
  });

  it('has every lot of a tender with lots, without numberOfBids', () => {
    const record = plain(auctionRecord(shownWithLots, LOT_BIDS, NONE));
    expect(record.lots.map((lot: object) => Object.keys(lot))).toEqual([
      ['id', 'status', 'title', 'auctionPeriod'],
      ['id', 'status', 'title', 'auctionPeriod'],
    ]);
    expect(record).not.toHaveProperty('auctionPeriod');
    expect(record.bids).toEqual(LOT_BIDS);
  });

  it('shows the last published addresses, before tender and bids show them', () => {
    const addresses = { auctions: [{ auctionUrl: URL }], bids: [{ id: BID_Y, participationUrl: `${URL}/y` }] };
    const stale = [BIDS[0], { ...BIDS[1], id: BID_Y, participationUrl: 'https://old.example.org' }].flatMap(
      (bid) => bid ?? [],
    );
    const record = plain(auctionRecord({ ...shown, auctionUrl: 'https://old.example.org' }, stale, addresses));
    expect(record.auctionUrl).toBe(URL);
    expect(record.bids.map((bid: { participationUrl?: string }) => bid.participationUrl)).toEqual([
      undefined,
      `${URL}/y`,
    ]);
  });

  it('shows addresses of lots at their lots', () => {
    const addresses = {
      auctions: [{ lot: LOT_2, auctionUrl: URL }],
      bids: [{ id: BID_X, lot: LOT_2, participationUrl: `${URL}/x` }],
    };
    const record = plain(auctionRecord(shownWithLots, LOT_BIDS, addresses));
    expect(record.lots.map((lot: { auctionUrl?: string }) => lot.auctionUrl)).toEqual([undefined, URL]);
    expect(record.bids[0].lotValues[1].participationUrl).toBe(`${URL}/x`);
    expect(record.bids[0].lotValues[0]).not.toHaveProperty('participationUrl');
  });

  it('withReported shows reported amounts and dates, and the stored VAT', () => {
    const date = '2017-02-16T11:29:50+02:00';
    const results = { id: 'f', results: [{ id: BID_X, amount: 390, date }, { id: BID_Y }] };
    expect(plain(withReported(auctionRecord(shown, BIDS, NONE), results)).bids).toEqual([
      { ...BIDS[0], date, value: { amount: 390, currency: 'UAH', valueAddedTaxIncluded: true } },
      BIDS[1],
    ]);
  });

  it('withReported changes the lot values of the reported lot only', () => {
    const results = { id: 'f', lot: LOT_2, results: [{ id: BID_X, amount: 420 }] };
    const { bids } = plain(withReported(auctionRecord(shownWithLots, LOT_BIDS, NONE), results));
    expect(bids[0].lotValues.map((one: { value: { amount: number } }) => one.value.amount)).toEqual([480, 420]);
    expect(bids[1]).toEqual(LOT_BIDS[1]);
  });
});

describe('withTrialValues (rulings R3)', () => {
  const flags = { currency: 'UAH', valueAddedTaxIncluded: true };
  const trialBids = (bids: readonly OfferedBid[], sent: object[]) =>
    plain(withTrialValues(auctionRecord(shown, bids, NONE), { bids: sent }, tenderInAuction())).bids;

  it('shows each entry at its bid, by position or id', () => {
    const entries = [{ value: { amount: 390 } }, { value: { amount: 400, currency: 'UAH' } }];
    const amounts = [390, 400].map((amount, n) => ({ ...BIDS[n], value: { amount, ...flags } }));
    expect(trialBids(BIDS, entries)).toEqual(amounts);
    expect(
      trialBids(BIDS, [
        { ...entries[1], id: BID_Y },
        { ...entries[0], id: BID_X },
      ]),
    ).toEqual(amounts);
    expect(trialBids(BIDS, [{}])).toEqual(BIDS);
  });

  it('shows entries of a tender without bids', () => {
    const sent = [{ value: { amount: 390, currency: 'UAH' } }];
    expect(trialBids([], sent)).toEqual([{ value: { amount: 390, ...flags } }]);
  });
});

describe('maskedRecord (bids-awards-auction.md 2.2)', () => {
  const bids = BIDS.map((bid) => ({ ...bid, participationUrl: URL, parameters: [{ code: 'F1', value: 0.1 }] }));
  const masked = (tender: PublicTender, now = beforeStart, status = 'active.auction') =>
    plain(maskedRecord(auctionRecord(tender, tender.lots === undefined ? bids : LOT_BIDS, NONE), status, now)).bids;
  const flags = { currency: 'UAH', valueAddedTaxIncluded: true };

  it('keeps number and order of bids, and hides ids, links, parameters and amounts', () => {
    expect(masked(shown)).toEqual(BIDS.map(({ date }) => ({ date, value: flags })));
  });

  it('shows amounts once the auction has started', () => {
    expect(masked(shown, duringAuction)).toEqual(BIDS.map(({ date, value }) => ({ date, value })));
  });

  it('shows no amounts without a start, nor with features', () => {
    expect(masked({ ...shown, auctionPeriod: {} }, duringAuction)[0].value).toEqual(flags);
    expect(masked({ ...shown, features: [{ code: 'F1' }] }, duringAuction)[0].value).toEqual(flags);
  });

  it('shows the amounts of a lot from its own start', () => {
    const [{ lotValues }] = masked(shownWithLots, duringAuction);
    expect(lotValues.map((one: { value: object }) => one.value)).toEqual([{ amount: 480, ...flags }, flags]);
  });

  it('shows amounts once bids are public', () => {
    expect(masked({ ...shown, features: [{ code: 'F1' }] }, beforeStart, 'active.qualification')[0].value.amount).toBe(
      469,
    );
  });
});
