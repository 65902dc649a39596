import type pg from 'pg';
import { plus, type BidderUsage, type BidUsage } from '../domain/bid.budget.ts';
import { TEXT_BYTES } from './bid-texts.ts';
import { DELETED } from './bid.row.ts';

/** The stored bids of one tender by their broker. */
export type UsageByBroker = ReadonlyMap<string, BidUsage>;

// The size of a stored text is known without reading it. The number of rows of a tender is limited (limits.md 5).
const SELECT_USAGE = `SELECT owner, count(*)::int AS bids,
    coalesce(sum(${TEXT_BYTES}) FILTER (WHERE status <> '${DELETED}'), 0)::int AS bytes
  FROM bid WHERE tender_id = $1 GROUP BY owner`;

/** The usage of a tender. In a write a statement of its own after the lock, so that it sees all bids before it. */
export async function loadUsage(db: Pick<pg.Pool, 'query'>, tenderId: string): Promise<UsageByBroker> {
  const { rows } = await db.query<BidUsage & { readonly owner: string }>({
    name: 'bids-usage',
    text: SELECT_USAGE,
    values: [tenderId],
  });
  return new Map(rows.map(({ owner, bids, bytes }) => [owner, { bids, bytes }]));
}

const NOTHING: BidUsage = { bids: 0, bytes: 0 };

export function sumUsage(byBroker: UsageByBroker, broker: string | undefined): BidderUsage {
  let ofTender = NOTHING;
  for (const usage of byBroker.values()) ofTender = plus(ofTender, usage);
  return { ofTender, ofBroker: byBroker.get(broker ?? '') ?? NOTHING };
}
