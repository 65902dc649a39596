import pg from 'pg';

/** The transaction lost to concurrent ones; the client may retry. */
export class ConflictError extends Error {
  constructor(cause: unknown) {
    super('the transaction lost to concurrent transactions', { cause });
    this.name = 'ConflictError';
  }
}

/** The connection was lost during COMMIT: the transaction is either fully applied or not at all, and which is unknown. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during the commit: outcome unknown', { cause });
    this.name = 'OutcomeUnknownError';
  }
}

/**
 * The server ended the session because the transaction sent no statement for `idle_in_transaction_session_timeout`. The work
 * between two statements was too slow; the database is available. Nothing was committed.
 */
export class IdleInTransactionError extends Error {
  constructor(cause: unknown) {
    super('the transaction sent no statement for too long', { cause });
    this.name = 'IdleInTransactionError';
  }
}

const ATTEMPTS_MAX = 3;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const IDLE_IN_TRANSACTION = '25P03';

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Runs it again, three times in all,
 * after a serialization failure or a deadlock, so `work` must have no effect outside `tx`. Throws ConflictError when every
 * attempt lost or a lock was not granted in time, OutcomeUnknownError when the connection was lost during COMMIT,
 * IdleInTransactionError when `work` was too slow.
 */
export async function transact<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  return retryLostRaces(async () => runOnce(pool, work));
}

/** Runs `work` as `transact` does, and rolls its changes back when it resolves: for a dry run (decision 0111). */
export async function tryOut<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  return retryLostRaces(async () => runOnce(pool, work, 'ROLLBACK'));
}

/**
 * Runs one statement that is a transaction of its own, without the round trips of BEGIN and COMMIT. Repeated and refused as
 * `transact` does.
 */
export async function transactStatement<T>(pool: pg.Pool, statement: (db: pg.Pool) => Promise<T>): Promise<T> {
  return retryLostRaces(async () => statement(pool));
}

async function retryLostRaces<T>(work: () => Promise<T>): Promise<T> {
  const result = await raceUntilWon(work, ATTEMPTS_MAX);
  if ('lostBy' in result) throw new ConflictError(result.lostBy);
  return result.won;
}

/**
 * Runs work that ends with one statement, which is a transaction of its own and fails with a serialization failure when what was
 * decided is out of date. Runs it again, `attemptsMax` times in all. Undefined when every attempt lost: then the caller takes a lock.
 */
export async function decideWithoutLock<T>(attemptsMax: number, work: () => Promise<T>): Promise<T | undefined> {
  const result = await raceUntilWon(work, attemptsMax);
  return 'won' in result ? result.won : undefined;
}

async function raceUntilWon<T>(
  work: () => Promise<T>,
  attemptsMax: number,
): Promise<{ readonly won: T } | { readonly lostBy: unknown }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { won: await work() };
    } catch (error) {
      const code = sqlState(error);
      if (code === LOCK_NOT_AVAILABLE) throw new ConflictError(error);
      if (code !== SERIALIZATION_FAILURE && code !== DEADLOCK) throw error;
      if (attempt === attemptsMax) return { lostBy: error };
    }
  }
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): Promise<T> {
  const tx = await pool.connect();
  let brokenBy: unknown;
  // A connection that breaks while it is checked out emits its error here, not on the pool. The first error is the reason.
  const onError = (error: unknown): void => {
    brokenBy ??= error;
  };
  tx.on('error', onError);
  try {
    await tx.query('BEGIN');
    const result = await work(tx);
    await tx.query(end).catch((error: unknown) => {
      // An error from the server (deferred constraint, serialization failure) means: rolled back. A broken connection does not.
      throw end === 'COMMIT' && isDatabaseUnavailable(error) ? new OutcomeUnknownError(error) : error;
    });
    return result;
  } catch (error) {
    // On a broken connection ROLLBACK fails as well; the first error is the one to report.
    await tx.query('ROLLBACK').catch(onError);
    // The statement after the end of the session fails like one on a lost connection, unless the server's message comes first.
    const idle = [brokenBy, error].find((one) => sqlState(one) === IDLE_IN_TRANSACTION);
    throw idle === undefined ? error : new IdleInTransactionError(idle);
  } finally {
    tx.off('error', onError);
    tx.release(brokenBy !== undefined);
  }
}

/** SQLSTATE of an error that PostgreSQL sent; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code;
}

/**
 * True when the database refuses a row for its content, which a repetition would not change: 22 data exception, 23 constraint,
 * 54 program limit.
 */
export function isRefusedContent(error: unknown): boolean {
  return /^(?:22|23|54)/.test(sqlState(error) ?? '');
}

/** True when a lock was not granted within `lock_timeout`: waiting for it again would double the time. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** True when the database is unreachable or refuses to work, rather than the statement being wrong: wait and retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError) return true;
  const state = sqlState(error);
  if (state !== undefined) return UNAVAILABLE_SQLSTATE.test(state);
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(`${'code' in error ? error.code : ''} ${error.message}`);
}

/**
 * True when the server cancelled the statement because it took too long (statement_timeout, transaction_timeout): a sign of
 * load, or of a statement that can never end in time.
 */
export function isStatementTimeout(error: unknown): boolean {
  const state = sqlState(error);
  return state === '57014' || state === '25P04';
}

/** True when the session ended while it was used: by a restart or a lost connection, or by what the session did. */
export function isSessionLost(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError) return true;
  const state = sqlState(error);
  if (state !== undefined) return state === '57P01' || state === '57P02';
  return error instanceof Error && SESSION_LOST_MESSAGE.test(`${'code' in error ? error.code : ''} ${error.message}`);
}

const SESSION_LOST_MESSAGE = /ECONNRESET|EPIPE|Connection terminated|not queryable/;

// 08 connection, 28 credentials (being changed), 3D no such database (being restored), 53 resources (disk, connections),
// 57P shutting down or starting up, 58 system error (its disk); 25006: after a failover the server is a read-only standby.
const UNAVAILABLE_SQLSTATE = /^(?:08|28|3D|53|57P|58|25006)/;
// Error codes of Node's sockets and resolver, then messages of pg. In Kubernetes an absent service is a name that does not
// resolve.
const UNAVAILABLE_MESSAGE =
  /E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable/;
