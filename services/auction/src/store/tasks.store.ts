import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { z } from 'zod';
import type { AuctionRef } from '../domain/hand-off.ts';
import type { TaskKind } from '../domain/special-mode.ts';
import { auctionRef, NO_BID } from './hand-off.row.ts';
import { NO_LOT } from './plans.row.ts';
import { InstantColumn } from './instant-column.ts';

/** A row of the table `auction_task`. */
export interface StoredTask extends AuctionRef {
  readonly tenderId: string;
  readonly kind: TaskKind;
  /** Real time. */
  readonly dueAt: Instant;
  /** The correlation id of the event that scheduled it. */
  readonly requestId: string;
}

/** Tasks of special auction modes (tenders.md 7.4). */
export interface TasksStore {
  /** Claims at most `max` due tasks; skips rows that another transaction has locked. Tasks become due again unless dropped. */
  claim(now: Instant, max: number): Promise<readonly StoredTask[]>;
  drop(task: StoredTask): Promise<void>;
  /** Time of the earliest task; undefined without tasks. */
  nextDue(): Promise<Instant | undefined>;
}

/** Duration of a claim. Far longer than the requests to two services take. */
const CLAIM_MICROS = 10_000_000;

// An event that was in flight meanwhile must not schedule a completed task again.
const SCHEDULE = `INSERT INTO auction_task (tender_id, lot_id, kind, due_at, correlation_id)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
    AS wanted (tender_id, lot_id, kind, due_at, correlation_id)
  WHERE NOT EXISTS (SELECT FROM auction_result AS done
      WHERE done.tender_id = wanted.tender_id AND done.lot_id = wanted.lot_id)
    AND NOT (kind = 'publish' AND EXISTS (SELECT FROM auction_address AS done
      WHERE done.tender_id = wanted.tender_id AND done.lot_id = wanted.lot_id AND done.bid_id = '${NO_BID}'))
  ON CONFLICT (tender_id, lot_id, kind) DO UPDATE SET due_at = excluded.due_at`;
const CLAIM = `UPDATE auction_task AS task SET due_at = $2
  FROM (SELECT tender_id, lot_id, kind, due_at FROM auction_task WHERE due_at <= $1 ORDER BY due_at LIMIT $3
    FOR UPDATE SKIP LOCKED) AS due
  WHERE task.tender_id = due.tender_id AND task.lot_id = due.lot_id AND task.kind = due.kind
  RETURNING task.tender_id AS "tenderId", task.lot_id AS "lotId", task.kind, due.due_at AS "dueAt",
    task.correlation_id AS "requestId"`;
const DROP = 'DELETE FROM auction_task WHERE tender_id = $1 AND lot_id = $2 AND kind = $3';
const NEXT = 'SELECT min(due_at) AS due FROM auction_task';

const Row = z.object({
  tenderId: z.string(),
  lotId: z.string(),
  kind: z.enum(['publish', 'report']),
  dueAt: InstantColumn,
  requestId: z.string(),
});

function readTask({ lotId, ...task }: z.infer<typeof Row>): StoredTask {
  return { ...task, ...auctionRef(lotId) };
}

/** Stores tasks in the caller's transaction. An existing task gets the new time. */
export async function scheduleTasks(tx: pg.PoolClient, tasks: readonly StoredTask[]): Promise<void> {
  if (tasks.length === 0) return;
  const values = [
    tasks.map(({ tenderId }) => tenderId),
    tasks.map(({ lot }) => lot ?? NO_LOT),
    tasks.map(({ kind }) => kind),
    tasks.map(({ dueAt }) => dueAt),
    tasks.map(({ requestId }) => requestId),
  ];
  await tx.query({ name: 'tasks-schedule', text: SCHEDULE, values });
}

export function tasksStore(pool: pg.Pool): TasksStore {
  return {
    async claim(now, max) {
      const values = [now, addMicros(now, CLAIM_MICROS), max];
      const { rows } = await pool.query({ name: 'tasks-claim', text: CLAIM, values });
      const tasks = z.array(Row).parse(rows);
      // The earliest first, so that addresses of an auction are published before its report.
      return tasks.map(readTask).sort((a, b) => a.dueAt - b.dueAt);
    },

    async drop({ tenderId, lot, kind }) {
      await pool.query({ name: 'tasks-drop', text: DROP, values: [tenderId, lot ?? NO_LOT, kind] });
    },

    async nextDue() {
      const { rows } = await pool.query<{ due: string | null }>({ name: 'tasks-next', text: NEXT });
      const due = rows[0]?.due;
      // The column stores instants.
      return due === null || due === undefined ? undefined : (Number(due) as Instant);
    },
  };
}
