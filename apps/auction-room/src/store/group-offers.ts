import { batchWrites } from '@procurement/kit/database/batch-writes';
import { isDatabaseUnavailable, isStatementTimeout, sqlState } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import type { Auction } from '../domain/auction.ts';
import type { AuctionEvent } from '../domain/events.ts';
import { storedDueAt } from './auction.row.ts';
import { ALIVE_FOR } from './replicas.store.ts';

/** What one auction decided by the state that this replica has in its memory. */
export interface MemoryDecision {
  /** The state by which it was decided. */
  readonly before: Auction;
  readonly aheadMicros: number;
  /** The state after it. */
  readonly auction: Auction;
  /** Empty for a refusal and a repeat: these too are answered only when the state was the stored one. */
  readonly events: readonly AuctionEvent[];
}

export interface OfferToDecide<D extends MemoryDecision> {
  readonly auctionId: string;
  /** Called when its group begins: the state in memory is the newest then. Undefined: it is decided by itself. */
  readonly decide: () => D | undefined;
}

export interface GroupDeps {
  readonly pool: pg.Pool;
  readonly replicaId: string;
  readonly settleMicros: number;
}

const GROUP_MAX = 64;

// One statement, and so one transaction. An auction takes part when its row is as the decision knew it, and is locked by nobody: the
// group waits for no row. The lock is kept to the commit, as in a transaction that locks before it decides.
const SAVE = `WITH current AS MATERIALIZED (
    SELECT auction.id FROM auction JOIN unnest($1::text[], $2::int[], $3::bigint[]) AS known (id, seq, ahead_micros) USING (id)
    WHERE auction.seq = known.seq AND auction.ahead_micros = known.ahead_micros
      AND auction.outages_seen >= (SELECT coalesce(max(number), 0) FROM outage)
      AND EXISTS (SELECT FROM replica WHERE id = $4 AND alive_at > clock_timestamp() - ${ALIVE_FOR})
    FOR UPDATE OF auction SKIP LOCKED
  ), logged AS (
    INSERT INTO auction_event (auction_id, seq, type, at, recorded_at, actor, data)
    SELECT current.id, one.seq, one.type, one.at, clock_timestamp(), 'bidder', one.data
    FROM unnest($5::text[], $6::int[], $7::text[], $8::bigint[], $9::text[]) AS one (id, seq, type, at, data) JOIN current USING (id)
  ), saved AS (
    UPDATE auction SET seq = one.seq, phase = one.phase, due_at = one.due_at, state = one.state, updated_at = clock_timestamp()
    FROM unnest($10::text[], $11::int[], $12::text[], $13::bigint[], $14::text[]) AS one (id, seq, phase, due_at, state) JOIN current USING (id)
    WHERE auction.id = current.id
  )
  SELECT id FROM current`;

/**
 * Saves offers of different auctions that wait at the same time by one statement and one commit. One group runs at a time, so groups
 * grow with the load, and an offer that is alone takes one round trip (decision 0145). Answers undefined for an offer that has to be decided
 * by itself, under the lock of its row: another replica changed or holds the auction, there was an outage, this replica may not
 * work, or the database refused the group. Throws when the database is away or too slow: the group may be stored.
 */
export function groupOffers<D extends MemoryDecision>(
  deps: GroupDeps,
): (offer: OfferToDecide<D>) => Promise<D | undefined> {
  return batchWrites(async (offers: readonly OfferToDecide<D>[]) => {
    const group = new Map<string, { readonly offer: OfferToDecide<D>; readonly decision: D }>();
    for (const offer of offers) {
      // A second offer of one auction would be decided by a state that the first replaces.
      const decision = group.has(offer.auctionId) ? undefined : decideOrLeave(offer);
      if (decision !== undefined) group.set(offer.auctionId, { offer, decision });
    }
    const stored = await saveGroup(
      deps,
      [...group.values()].map(({ decision }) => decision),
    );
    return offers.map((offer) => {
      const own = group.get(offer.auctionId);
      return own?.offer === offer && stored.has(offer.auctionId) ? own.decision : undefined;
    });
  }, GROUP_MAX);
}

/** An auction that cannot be decided must not fail the group: by itself it meets its own failure. */
function decideOrLeave<D extends MemoryDecision>({ decide }: OfferToDecide<D>): D | undefined {
  try {
    return decide();
  } catch {
    return undefined;
  }
}

/** The auctions whose decisions count. */
async function saveGroup(
  { pool, replicaId, settleMicros }: GroupDeps,
  group: readonly MemoryDecision[],
): Promise<ReadonlySet<string>> {
  if (group.length === 0) return new Set();
  const idOf = ({ before }: MemoryDecision): string => before.plan.id;
  const changed = group.filter(({ events }) => events.length > 0);
  const logged = changed.flatMap(({ before, events }) =>
    events.map((event, index) => ({ id: before.plan.id, seq: before.seq + index + 1, event })),
  );
  const values = [
    group.map(idOf),
    group.map(({ before }) => before.seq),
    group.map(({ aheadMicros }) => aheadMicros),
    replicaId,
    logged.map(({ id }) => id),
    logged.map(({ seq }) => seq),
    logged.map(({ event }) => event.type),
    logged.map(({ event }) => event.at),
    logged.map(({ event }) => JSON.stringify(event)),
    changed.map(idOf),
    changed.map(({ auction }) => auction.seq),
    changed.map(({ auction }) => auction.phase),
    changed.map(({ auction, aheadMicros }) => storedDueAt(auction, settleMicros, aheadMicros)),
    changed.map(({ auction }) => JSON.stringify(auction)),
  ];
  try {
    const { rows } = await pool.query<{ id: string }>({ name: 'save-offers', text: SAVE, values });
    return new Set(rows.map(({ id }) => id));
  } catch (error) {
    // A group waits for nobody: when it takes too long, its offers would too.
    if (sqlState(error) === undefined || isDatabaseUnavailable(error) || isStatementTimeout(error)) throw error;
    return new Set();
  }
}
