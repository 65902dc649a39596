import pg from 'pg';
import type { Logger } from '../runtime/log.ts';

export interface PoolOptions {
  readonly url: string;
  readonly name: string;
  readonly connectionsMax: number;
  readonly log: Logger;
}

/**
 * A pool that outlives its database: a lost connection is logged and replaced, never thrown. Short lock and idle limits,
 * because a stalled writer would hold the feed's lock against all others (http.md 1.8.7).
 */
export function makePool({ url, name, connectionsMax, log }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Longer than statement_timeout: a server that answers speaks first. A host that vanished without a word would otherwise
    // hold each connection until TCP gives up, after about 15 minutes.
    query_timeout: 20_000,
    keepAlive: true,
    options: '-c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000 -c statement_timeout=15000',
  });
  // Without a listener an error on an idle connection ends the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  return pool;
}

/** The transaction could not be carried out because of others; the client may repeat it. */
export class ConflictError extends Error {
  constructor(cause: unknown) {
    super('the transaction lost to others', { cause });
    this.name = 'ConflictError';
  }
}

/** The connection was lost while COMMIT was on its way: the transaction is either whole or absent, and nobody here knows which. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during the commit: outcome unknown', { cause });
    this.name = 'OutcomeUnknownError';
  }
}

const ATTEMPTS_MAX = 3;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Repeated, up to three times, only
 * when PostgreSQL says that it lost a race, so `work` must have no effect outside `tx`. Throws ConflictError when it lost
 * every time or waited too long for a lock, OutcomeUnknownError when the answer to COMMIT was lost.
 */
export async function transact<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, work);
    } catch (error) {
      const code = sqlState(error);
      if (code === LOCK_NOT_AVAILABLE) throw new ConflictError(error);
      if (code !== SERIALIZATION_FAILURE && code !== DEADLOCK) throw error;
      if (attempt === ATTEMPTS_MAX) throw new ConflictError(error);
    }
  }
}

async function runOnce<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect();
  let isBroken = false;
  // A connection that dies while it is out of the pool emits here, not on the pool.
  const onError = (): void => {
    isBroken = true;
  };
  tx.on('error', onError);
  try {
    await tx.query('BEGIN');
    const result = await work(tx);
    await tx.query('COMMIT').catch((error: unknown) => {
      // A refusal (a deferred constraint, a lost race) is an answer: rolled back. A dead connection is none.
      throw isDatabaseUnavailable(error) ? new OutcomeUnknownError(error) : error;
    });
    return result;
  } catch (error) {
    // The rollback of a dead connection fails as well; the first error is the one to tell.
    await tx.query('ROLLBACK').catch(onError);
    throw error;
  } finally {
    tx.off('error', onError);
    tx.release(isBroken);
  }
}

/** The five characters of an error that PostgreSQL sent; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code;
}

/** Whether the database is away or refusing, rather than the statement being wrong: worth waiting, not counting. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError) return true;
  const state = sqlState(error);
  if (state !== undefined) return UNAVAILABLE_SQLSTATE.test(state);
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(`${'code' in error ? error.code : ''} ${error.message}`);
}

// 08 connection, 28 credentials (being changed), 3D no such database (being restored), 53 resources (disk, connections),
// 57P shutting down or starting up, 58 its own disk; 25006: a failover left us on what is now a read-only copy.
const UNAVAILABLE_SQLSTATE = /^(?:08|28|3D|53|57P|58|25006)/;
// What node's sockets and resolver say, then what pg says; a name that does not resolve is how Kubernetes shows an absence.
const UNAVAILABLE_MESSAGE =
  /E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable/;
