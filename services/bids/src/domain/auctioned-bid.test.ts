import type { StoredBid } from '@procurement/contracts/resources/bid';
import { describe, expect, it } from 'vitest';
import { LOTS } from '../../test-support/bidding-facts.ts';
import { auctionedView, withLinks, withResults } from './auctioned-bid.ts';

const value = { amount: 469, currency: 'UAH', valueAddedTaxIncluded: true };
const date = '2026-05-13T09:00:00.000815+03:00';
const later = '2026-05-21T11:30:00.000001+03:00';
// None of the tested functions reads the tenderers.
const tenderers = [] as unknown as StoredBid['tenderers'];
const plain: StoredBid = { id: 'x', date, status: 'active', tenderers, value };
const [first = '', second = ''] = LOTS;
const lotted: StoredBid = {
  id: 'x',
  date,
  status: 'active',
  tenderers,
  lotValues: [first, second].map((relatedLot) => ({ relatedLot, value, date })),
};

describe('auctionedView (bids-awards-auction.md 2.2)', () => {
  it('returns the offer without tenderers', () => {
    expect(auctionedView({ ...plain, parameters: [{ code: 'a', value: 0.1 }] })).toEqual({
      id: 'x',
      date,
      value,
      parameters: [{ code: 'a', value: 0.1 }],
    });
  });
});

describe('withResults (bids-awards-auction.md 2.5, 2.6)', () => {
  it('applies amount and date, and keeps currency and VAT', () => {
    const results = { id: 't', results: [{ id: 'x', amount: 390, date: later }] };
    expect(withResults(plain, results)).toEqual({ ...plain, date: later, value: { ...value, amount: 390 } });
  });

  it.each([[[]], [[{ id: 'x' }]], [[{ id: 'y', amount: 1 }]]])(
    'keeps members that were not reported: %j',
    (results) => {
      expect(withResults(plain, { id: 't', results })).toEqual(plain);
    },
  );

  it('changes only the lot that was auctioned, and not the date of the bid', () => {
    const after = withResults(lotted, { id: 't', lot: second, results: [{ id: 'x', amount: 400, date: later }] });
    expect(after.lotValues).toEqual([
      { relatedLot: first, value, date },
      { relatedLot: second, value: { ...value, amount: 400 }, date: later },
    ]);
    expect(after.date).toBe(date);
  });
});

describe('withLinks (bids-awards-auction.md 2.3)', () => {
  const participationUrl = 'https://auction.example.org/login?hash=1';

  it('adds the link to the bid, or to the value of its lot', () => {
    expect(withLinks(plain, { id: 't', version: 1, bids: [{ id: 'x', participationUrl }] })).toEqual({
      ...plain,
      participationUrl,
    });
    const after = withLinks(lotted, { id: 't', version: 1, bids: [{ id: 'x', lot: second, participationUrl }] });
    expect(after.lotValues?.map((one) => one.participationUrl)).toEqual([undefined, participationUrl]);
    expect(after).not.toHaveProperty('participationUrl');
  });

  it('ignores links of other bids', () => {
    expect(withLinks(plain, { id: 't', version: 1, bids: [{ id: 'y', participationUrl }] })).toEqual(plain);
  });
});
