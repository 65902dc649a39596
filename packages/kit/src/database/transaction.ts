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

const ATTEMPTS_MAX = 3;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Runs it again, three times in all,
 * after a serialization failure or a deadlock, so `work` must have no effect outside `tx`. Throws ConflictError when every
 * attempt lost or a lock was not granted in time, OutcomeUnknownError when the connection was lost during COMMIT.
 */
export async function transact<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  return retryLostRaces(async () => runOnce(pool, work));
}

/**
 * Runs one statement that is a transaction of its own, without the round trips of BEGIN and COMMIT. Repeated and refused as
 * `transact` does.
 */
export async function transactStatement<T>(pool: pg.Pool, statement: (db: pg.Pool) => Promise<T>): Promise<T> {
  return retryLostRaces(async () => statement(pool));
}

async function retryLostRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
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
  // A connection that breaks while it is checked out emits its error here, not on the pool.
  const onError = (): void => {
    isBroken = true;
  };
  tx.on('error', onError);
  try {
    await tx.query('BEGIN');
    const result = await work(tx);
    await tx.query('COMMIT').catch((error: unknown) => {
      // An error from the server (deferred constraint, serialization failure) means: rolled back. A broken connection does not.
      throw isDatabaseUnavailable(error) ? new OutcomeUnknownError(error) : error;
    });
    return result;
  } catch (error) {
    // On a broken connection ROLLBACK fails as well; the first error is the one to report.
    await tx.query('ROLLBACK').catch(onError);
    throw error;
  } finally {
    tx.off('error', onError);
    tx.release(isBroken);
  }
}

/** SQLSTATE of an error that PostgreSQL sent; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  return error.code;
}

/** True when the database is unreachable or refuses to work, rather than the statement being wrong: wait and retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError) return true;
  const state = sqlState(error);
  if (state !== undefined) return UNAVAILABLE_SQLSTATE.test(state);
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(`${'code' in error ? error.code : ''} ${error.message}`);
}

// 08 connection, 28 credentials (being changed), 3D no such database (being restored), 53 resources (disk, connections),
// 57P shutting down or starting up, 58 system error (its disk); 25006: after a failover the server is a read-only standby.
const UNAVAILABLE_SQLSTATE = /^(?:08|28|3D|53|57P|58|25006)/;
// Error codes of Node's sockets and resolver, then messages of pg. In Kubernetes an absent service is a name that does not
// resolve.
const UNAVAILABLE_MESSAGE =
  /E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|not queryable/;
