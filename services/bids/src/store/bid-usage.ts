import { jsonBytes } from '@procurement/domain/json-text';
import type pg from 'pg';
import { plus, type BidderUsage, type BidUsage } from '../domain/bid.budget.ts';
import type { BidState } from '../domain/bid.ts';
import { DELETED } from './bid.row.ts';

/** The stored bids of one tender by their broker. */
export type UsageByBroker = Map<string, BidUsage>;

/** Columns of the usage of one broker, of bids grouped by owner. The size of a stored text is known without reading it. */
export const OWNER_USAGE = `owner, count(*)::int AS bids,
    coalesce(sum(octet_length(document)) FILTER (WHERE status <> '${DELETED}'), 0)::int AS bytes`;
// The number of rows of a tender is limited (limits.md 5).
const SELECT_USAGE = `SELECT tender_id AS "tenderId", ${OWNER_USAGE}
  FROM bid WHERE tender_id = ANY($1::text[]) GROUP BY tender_id, owner`;

interface UsageRow extends BidUsage {
  readonly tenderId: string;
  readonly owner: string;
}

/** The usage of these tenders. In a write a statement of its own after the locks, so that it sees all bids before them. */
export async function loadUsage(
  db: Pick<pg.Pool, 'query'>,
  tenderIds: readonly string[],
): Promise<ReadonlyMap<string, UsageByBroker>> {
  const { rows } = await db.query<UsageRow>({ name: 'bids-usage', text: SELECT_USAGE, values: [tenderIds] });
  const usage = new Map<string, UsageByBroker>(tenderIds.map((id) => [id, new Map()]));
  for (const { tenderId, owner, bids, bytes } of rows) usage.get(tenderId)?.set(owner, { bids, bytes });
  return usage;
}

const NOTHING: BidUsage = { bids: 0, bytes: 0 };

export function usageOf(byBroker: UsageByBroker, broker: string | undefined): BidderUsage {
  let ofTender = NOTHING;
  for (const usage of byBroker.values()) ofTender = plus(ofTender, usage);
  return { ofTender, ofBroker: byBroker.get(broker ?? '') ?? NOTHING };
}

/** Adds a bid that the same transaction will store. */
export function addBid(byBroker: UsageByBroker, { owner, document }: BidState): void {
  byBroker.set(owner, plus(byBroker.get(owner) ?? NOTHING, { bids: 1, bytes: jsonBytes(document) }));
}
