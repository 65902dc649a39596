import { BIDS_BYTES_MAX, OBJECT_BYTES_MAX, TENDER_OBJECTS_MAX } from '@procurement/contracts/limits';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import { jsonBytes } from '@procurement/domain/json-text';
import { describe, expect, it } from 'vitest';
import { storedBid } from '../../test-support/bidding-facts.ts';
import { budgetRefusal, type BidderUsage } from './bid.budget.ts';

const { document: bid } = storedBid();
const NOTHING = { bids: 0, bytes: 0 };

function sized(bytes: number): StoredBid {
  const [tenderer] = bid.tenderers;
  const padded = (name: string): StoredBid =>
    // Safe cast: the bid of the tests has a tenderer.
    ({ ...bid, tenderers: [{ ...(tenderer as StoredBid['tenderers'][number]), name }] });
  return padded('a'.repeat(bytes - jsonBytes(padded(''))));
}

/** Usage in which a bid of these bytes reaches exactly the limit, or exceeds it by one. */
const SCENARIOS: Readonly<
  Record<string, { readonly max: number; readonly usage: (beyond: number) => Partial<BidderUsage> }>
> = {
  'limit.bids': {
    max: TENDER_OBJECTS_MAX.bids.ofTender,
    usage: (beyond) => ({ ofTender: { bids: TENDER_OBJECTS_MAX.bids.ofTender - 1 + beyond, bytes: 0 } }),
  },
  'limit.bids-of-broker': {
    max: TENDER_OBJECTS_MAX.bids.ofBroker,
    usage: (beyond) => ({ ofBroker: { bids: TENDER_OBJECTS_MAX.bids.ofBroker - 1 + beyond, bytes: 0 } }),
  },
  'limit.bid-quota': {
    max: BIDS_BYTES_MAX.ofTender,
    usage: (beyond) => ({ ofTender: { bids: 1, bytes: BIDS_BYTES_MAX.ofTender - jsonBytes(bid) + beyond } }),
  },
  'limit.bid-quota-of-broker': {
    max: BIDS_BYTES_MAX.ofBroker,
    usage: (beyond) => ({ ofBroker: { bids: 1, bytes: BIDS_BYTES_MAX.ofBroker - jsonBytes(bid) + beyond } }),
  },
};

function buildUsage(usage: Partial<BidderUsage>): BidderUsage {
  return { ofTender: NOTHING, ofBroker: NOTHING, ...usage };
}

describe.each(Object.entries(SCENARIOS))('%s', (code, { max, usage }) => {
  it('accepts the bid that reaches the limit', () => {
    expect(budgetRefusal(undefined, bid, buildUsage(usage(0)))).toBeUndefined();
  });

  it('refuses the bid that exceeds it', () => {
    expect(budgetRefusal(undefined, bid, buildUsage(usage(1)))).toMatchObject({
      code,
      status: 422,
      errors: [{ location: 'body', name: 'bids', description: expect.stringContaining(`No more than ${max} `) }],
    });
  });

  it('accepts a change that does not make the bid larger', () => {
    expect(budgetRefusal(bid, { ...bid, status: 'draft' }, buildUsage(usage(100)))).toBeUndefined();
  });
});

describe('limit.bid-bytes', () => {
  it('is checked before the locks too: at the limit, and above it', () => {
    expect(budgetRefusal(undefined, sized(OBJECT_BYTES_MAX.bid), undefined)).toBeUndefined();
    const refused = budgetRefusal(undefined, sized(OBJECT_BYTES_MAX.bid + 1), undefined);
    expect(refused).toMatchObject({ code: 'limit.bid-bytes', status: 422, errors: [{ name: 'data' }] });
  });

  it('accepts a smaller bid in place of one that is above it', () => {
    const before = sized(OBJECT_BYTES_MAX.bid + 9);
    expect(budgetRefusal(before, sized(OBJECT_BYTES_MAX.bid + 8), buildUsage({}))).toBeUndefined();
    expect(budgetRefusal(before, sized(OBJECT_BYTES_MAX.bid + 10), buildUsage({}))).toBeDefined();
  });
});
