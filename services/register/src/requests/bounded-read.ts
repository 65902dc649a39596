import { problem } from '@procurement/contracts/problems/problems';
import { sqlState } from '@procurement/kit/database/transaction';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type pg from 'pg';

/** A statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs a statement within the time that is left of the read. */
export type Run = <R extends pg.QueryResultRow>(statement: Statement) => Promise<readonly R[]>;

const STATEMENT_CANCELED = '57014';
// One snapshot for all statements.
const BEGIN = `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL work_mem = '16MB'; SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0;`;
/** All statements of one read (register.md 6.4). */
const READ_MS_MAX = 1_900;
/** Time that may pass before the database is told a shorter limit: each time is a round trip. */
const UNTOLD_MS_MAX = 50;

/**
 * Reads within one snapshot and a limited time. `settings` are statements that choose how the planner works. Throws 422 when it takes
 * too long.
 */
export async function boundedRead<T>(
  pool: pg.Pool,
  settings: string,
  read: (run: Run, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const deadline = monotonicMs() + READ_MS_MAX;
  let timeout: number = READ_MS_MAX;
  const run: Run = async <R extends pg.QueryResultRow>({ text, values }: Statement) => {
    const left = Math.floor(deadline - monotonicMs());
    if (left < 1) throw new ProblemError(problem('search.broad'));
    if (timeout - left > UNTOLD_MS_MAX) {
      timeout = left;
      await client.query(`SET LOCAL statement_timeout = ${left}`);
    }
    return (await client.query<R>(text, [...values])).rows;
  };
  let failure: Error | undefined;
  try {
    await client.query(`${BEGIN} SET LOCAL statement_timeout = ${timeout}; ${settings}`);
    return await read(run, client);
  } catch (error) {
    throw isCanceled(error) ? new ProblemError(problem('search.broad')) : error;
  } finally {
    await client.query('ROLLBACK').catch((error: Error) => (failure = error));
    client.release(failure);
  }
}

/** Whether a statement took longer than it might. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === STATEMENT_CANCELED;
}
