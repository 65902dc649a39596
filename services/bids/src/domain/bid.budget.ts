import { BIDS_BYTES_MAX, OBJECT_BYTES_MAX, TENDER_OBJECTS_MAX } from '@procurement/contracts/limits';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import { limitRefusal, type Limit, type LimitCode } from '@procurement/domain/budget';
import { jsonBytes } from '@procurement/domain/json-text';

/** Bids that are stored: their number with withdrawn ones, and the bytes of the others. */
export interface BidUsage {
  readonly bids: number;
  readonly bytes: number;
}

/** What the byte budget counts (limits.md 5). */
export interface BidderUsage {
  readonly ofTender: BidUsage;
  /** Usage by the broker of the bid. */
  readonly ofBroker: BidUsage;
}

interface Measured extends BidderUsage {
  readonly bidBytes: number;
}

const OWN_SIZE = ['limit.bid-bytes'] as const satisfies readonly LimitCode[];
const TOGETHER = [
  'limit.bids',
  'limit.bids-of-broker',
  'limit.bid-quota',
  'limit.bid-quota-of-broker',
] as const satisfies readonly LimitCode[];

const LIMITS: Readonly<Record<(typeof OWN_SIZE)[number] | (typeof TOGETHER)[number], Limit<Measured>>> = {
  'limit.bid-bytes': { unit: 'bytes', max: OBJECT_BYTES_MAX.bid, measure: ({ bidBytes }) => bidBytes },
  'limit.bids': { unit: 'objects', max: TENDER_OBJECTS_MAX.bids.ofTender, measure: ({ ofTender }) => ofTender.bids },
  'limit.bids-of-broker': {
    unit: 'objects',
    max: TENDER_OBJECTS_MAX.bids.ofBroker,
    measure: ({ ofBroker }) => ofBroker.bids,
  },
  'limit.bid-quota': { unit: 'bytes', max: BIDS_BYTES_MAX.ofTender, measure: ({ ofTender }) => ofTender.bytes },
  'limit.bid-quota-of-broker': {
    unit: 'bytes',
    max: BIDS_BYTES_MAX.ofBroker,
    measure: ({ ofBroker }) => ofBroker.bytes,
  },
};

const NOTHING: BidUsage = { bids: 0, bytes: 0 };

/**
 * The refusal of a bid, new or changed, that exceeds the byte budget. Without `usage`, before the locks, only the size of the
 * bid itself is checked.
 */
export function budgetRefusal(
  before: StoredBid | undefined,
  after: StoredBid,
  usage: BidderUsage | undefined,
): Problem | undefined {
  const [bytesBefore, bytesAfter] = [before === undefined ? 0 : jsonBytes(before), jsonBytes(after)];
  const { ofTender, ofBroker } = usage ?? { ofTender: NOTHING, ofBroker: NOTHING };
  const added = { bids: before === undefined ? 1 : 0, bytes: bytesAfter - bytesBefore };
  return limitRefusal(LIMITS, usage === undefined ? OWN_SIZE : [...OWN_SIZE, ...TOGETHER], {
    before: { bidBytes: bytesBefore, ofTender, ofBroker },
    after: { bidBytes: bytesAfter, ofTender: plus(ofTender, added), ofBroker: plus(ofBroker, added) },
    subject: { id: after.id, broker: undefined },
    bytesBound: Number.POSITIVE_INFINITY,
  });
}

export function plus(usage: BidUsage, added: BidUsage): BidUsage {
  return { bids: usage.bids + added.bids, bytes: usage.bytes + added.bytes };
}
