import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { formatServerDate, type LocalDate } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { z } from 'zod';
import type { StoredPlan, PlanMode } from '../domain/auction-due.ts';
import { slotKey, type Plan } from '../domain/auction-plan.ts';
import { NO_LOT, readPlan } from './plans.row.ts';

/** A tender, or one of its lots. */
export interface AuctionKey {
  readonly tenderId: string;
  readonly lotId?: string | undefined;
}

/** A plan to insert. */
export interface NewPlan extends AuctionKey {
  readonly mode: PlanMode;
  readonly plan: Plan;
}

// Differs from the advisory locks of relay and migrations in the same database.
const PLANNING_LOCK = '7270738003';

/** The tenders service asks again after 10 s at the earliest. */
const OVERDUE_SECONDS = 5;

const VERSIONS = 'SELECT id, version FROM kit.replica WHERE kind = $1 AND id = ANY($2::text[])';
const SELECT_PLANS = `SELECT tender_id AS "tenderId", lot_id AS "lotId", to_char(day, 'YYYY-MM-DD') AS day, stream,
    (extract(epoch FROM slot) / 60)::int AS minute, (extract(epoch FROM planned_start) * 1000000)::bigint AS start, confirmed,
    planned_at < now() - make_interval(secs => $2) AS "isOverdue"
  FROM auction_slot WHERE tender_id = ANY($1::text[])`;
const TAKEN = `SELECT stream, (extract(epoch FROM slot) / 60)::int AS minute FROM auction_slot WHERE mode = $1 AND day = $2::date`;
const KEY_ROWS = 'FROM unnest($1::text[], $2::text[]) AS key(tender_id, lot_id)';
const MATCHES_KEY = 'WHERE auction_slot.tender_id = key.tender_id AND auction_slot.lot_id = key.lot_id';
const FREE = `DELETE FROM auction_slot ${KEY_ROWS.replace('FROM', 'USING')} ${MATCHES_KEY}`;
const CONFIRM = `UPDATE auction_slot SET confirmed = true ${KEY_ROWS} ${MATCHES_KEY}`;
const TOUCH = `UPDATE auction_slot SET planned_at = now() ${KEY_ROWS} ${MATCHES_KEY}`;
const INSERT_PLANS = `INSERT INTO auction_slot (tender_id, lot_id, mode, day, stream, slot, planned_start)
  SELECT tender_id, lot_id, mode, day, stream, time '00:00' + make_interval(mins => minute), planned_start
  FROM unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::int[], $6::int[], $7::timestamptz[])
    AS made(tender_id, lot_id, mode, day, stream, minute, planned_start)`;

const VersionRow = z.object({ id: z.string(), version: z.coerce.number().int() });
const SlotRow = z.object({ stream: z.int(), minute: z.int() });
const TenderIdRow = z.object({ tenderId: z.string() });

function keyColumns(keys: readonly AuctionKey[]): [string[], string[]] {
  return [keys.map(({ tenderId }) => tenderId), keys.map(({ lotId }) => lotId ?? NO_LOT)];
}

/**
 * The table `auction_slot`. All methods run in the caller's transaction, which has written the replica rows of these tenders
 * before: their row locks serialise changes of one tender.
 */
export const plansStore = {
  /** The versions in the replica. Older facts must not be planned. */
  async versions(tx: pg.PoolClient, tenderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await tx.query({
      name: 'plans-versions',
      text: VERSIONS,
      values: [tenderReplica.kind, tenderIds],
    });
    return new Map(
      z
        .array(VersionRow)
        .parse(rows)
        .map(({ id, version }) => [id, version]),
    );
  },

  /** Stored plans by tender id. */
  async storedPlans(
    tx: pg.PoolClient,
    tenderIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredPlan[]>> {
    const { rows } = await tx.query({ name: 'plans-held', text: SELECT_PLANS, values: [tenderIds, OVERDUE_SECONDS] });
    const byTender = new Map<string, StoredPlan[]>();
    for (const row of rows) {
      const { tenderId } = TenderIdRow.parse(row);
      const plans = byTender.get(tenderId) ?? [];
      plans.push(readPlan(row));
      byTender.set(tenderId, plans);
    }
    return byTender;
  },

  async release(tx: pg.PoolClient, keys: readonly AuctionKey[]): Promise<void> {
    if (keys.length === 0) return;
    await tx.query({ name: 'plans-free', text: FREE, values: keyColumns(keys) });
  },

  /** Marks starts that the tender has taken. */
  async confirm(tx: pg.PoolClient, keys: readonly AuctionKey[]): Promise<void> {
    if (keys.length === 0) return;
    await tx.query({ name: 'plans-confirm', text: CONFIRM, values: keyColumns(keys) });
  },

  /** Notes that these starts are published again. */
  async touch(tx: pg.PoolClient, keys: readonly AuctionKey[]): Promise<void> {
    if (keys.length === 0) return;
    await tx.query({ name: 'plans-touch', text: TOUCH, values: keyColumns(keys) });
  },

  /**
   * Serialises planning until the end of the transaction (bids-awards-auction.md 2.10). A retry after a unique
   * violation would discard the whole batch of events, and planners with the same free slot would conflict again. One lock
   * for both plan modes, so that batches with both cannot deadlock; always taken after the locks on replica rows. Planning 256
   * tenders holds it for some milliseconds.
   */
  async lock(tx: pg.PoolClient): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [PLANNING_LOCK]);
  },

  /** Keys of the taken slots of a day. Stable until the end of the transaction only under `lock`. */
  async takenSlots(tx: pg.PoolClient, mode: PlanMode, day: LocalDate): Promise<Set<string>> {
    const { rows } = await tx.query({ name: 'plans-taken', text: TAKEN, values: [mode, day] });
    return new Set(z.array(SlotRow).parse(rows).map(slotKey));
  },

  async insert(tx: pg.PoolClient, newPlans: readonly NewPlan[]): Promise<void> {
    if (newPlans.length === 0) return;
    const slots = newPlans.map(({ plan }) => plan.slot);
    const values = [
      ...keyColumns(newPlans),
      newPlans.map(({ mode }) => mode),
      slots.map((slot) => slot?.day ?? null),
      slots.map((slot) => slot?.stream ?? null),
      slots.map((slot) => slot?.minute ?? null),
      newPlans.map(({ plan }) => formatServerDate(plan.start)),
    ];
    await tx.query({ name: 'plans-keep', text: INSERT_PLANS, values });
  },
} as const;
