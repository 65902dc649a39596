import type { Instant } from '@procurement/contracts/reading/instant';
import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import { z } from 'zod';
import type { Auction } from '../domain/auction.ts';
import { changedTasks, TASK_KINDS, type TaskKind } from '../domain/outbound.ts';
import { shardOf } from './auction.row.ts';
import { requireLease, type Lease } from './leases.store.ts';

/** A request to the tender service that is due. */
export interface DueTask {
  readonly auctionId: string;
  readonly kind: TaskKind;
  readonly shard: number;
  readonly attempts: number;
}

/** What became of an attempt that the state of the auction does not show. */
export interface Attempt {
  readonly task: DueTask;
  readonly lease: Lease;
  /** When to try again; null: done. */
  readonly againAt: Instant | null;
  /** Absent: it waits for something, and nothing failed. */
  readonly error?: string;
}

/** Outbound work. The leader of an auction's shard does it; what it writes down is fenced by its lease. */
export interface TasksStore {
  due(shards: readonly number[], now: Instant, max: number): Promise<readonly DueTask[]>;
  nextDue(shards: readonly number[]): Promise<Instant | undefined>;
  /** Throws FencedError when another replica leads the shard. */
  record(attempt: Attempt): Promise<void>;
}

const DELETE = 'DELETE FROM task WHERE auction_id = $1 AND kind = ANY($2::text[])';
const UPSERT = `INSERT INTO task (auction_id, kind, shard, due_at)
  SELECT $1, one.kind, $2, one.due_at FROM unnest($3::text[], $4::bigint[]) AS one (kind, due_at)
  ON CONFLICT (auction_id, kind) DO UPDATE SET due_at = excluded.due_at, attempts = 0, last_error = NULL`;
const DUE = `SELECT auction_id AS "auctionId", kind, shard, attempts FROM task
  WHERE shard = ANY($1::int[]) AND due_at <= $2 ORDER BY due_at LIMIT $3`;
const NEXT_DUE = 'SELECT min(due_at)::text AS due FROM task WHERE shard = ANY($1::int[])';
const POSTPONE = `UPDATE task SET due_at = $3, attempts = attempts + $4, last_error = coalesce($5, last_error)
  WHERE auction_id = $1 AND kind = $2`;

const DueTasks = z.array(
  z.object({
    auctionId: z.string(),
    kind: z.enum(TASK_KINDS),
    shard: z.number().int(),
    attempts: z.number().int(),
  }),
);
const NextDue = z.tuple([z.object({ due: z.coerce.number().int().nullable() })]);

/** Adds and removes the tasks of an auction that a command changed, in the transaction of the command. */
export async function changeTasks(
  tx: pg.PoolClient,
  change: { readonly before?: Auction | undefined; readonly auction: Auction; readonly aheadMicros: number },
): Promise<void> {
  const { before, auction, aheadMicros } = change;
  const { id } = auction.plan;
  const { added, removed } = changedTasks(before, auction);
  if (removed.length > 0) await tx.query(DELETE, [id, removed]);
  if (added.length === 0) return;
  const dueAt = added.map(({ at }) => (at === undefined ? 0 : at - aheadMicros));
  await tx.query(UPSERT, [id, shardOf(id), added.map(({ kind }) => kind), dueAt]);
}

export function tasksStore(pool: pg.Pool, replicaId: string): TasksStore {
  return {
    async due(shards, now, max) {
      return DueTasks.parse((await pool.query({ name: 'due-tasks', text: DUE, values: [shards, now, max] })).rows);
    },
    async nextDue(shards) {
      const [{ due }] = NextDue.parse((await pool.query({ name: 'next-task', text: NEXT_DUE, values: [shards] })).rows);
      // Safe cast: microseconds are an instant.
      return due === null ? undefined : (due as Instant);
    },
    async record({ task: { auctionId, kind }, lease, againAt, error }) {
      await transact(pool, async (tx) => {
        await requireLease(tx, replicaId, lease);
        if (againAt === null) await tx.query(DELETE, [auctionId, [kind]]);
        else await tx.query(POSTPONE, [auctionId, kind, againAt, error === undefined ? 0 : 1, error ?? null]);
      });
    },
  };
}
