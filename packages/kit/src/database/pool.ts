import pg from 'pg';
import type { Logger } from '../runtime/log.ts';
import { isRecording } from '../runtime/spans.ts';
import './fast-texts.ts';
import { traceStatements } from './trace-statements.ts';

export interface PoolOptions {
  readonly url: string;
  /** Application name that PostgreSQL shows for these connections. */
  readonly name: string;
  readonly connectionsMax: number;
  readonly log: Logger;
  /** How long a transaction may send no statement: a process that is stopped in one holds its locks so long. Default 5,000. */
  readonly idleInTransactionMsMax?: number;
  /** Default 15,000. */
  readonly statementMsMax?: number;
}

/**
 * Makes a pool that survives an outage of its database: a lost connection is logged and replaced, never thrown. Lock and
 * idle time-outs are short, because a stalled writer would hold the lock of the feed against all others (http.md 1.8.7).
 */
export function makePool(options: PoolOptions): pg.Pool {
  const { url, name, connectionsMax, log, idleInTransactionMsMax = 5_000, statementMsMax = 15_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Longer than statement_timeout, so that a reachable server reports its time-out first. Without this limit a host that
    // vanished would hold each connection until TCP gives up, after about 15 minutes.
    query_timeout: 20_000,
    keepAlive: true,
    options: `-c lock_timeout=2000 -c idle_in_transaction_session_timeout=${idleInTransactionMsMax} -c statement_timeout=${statementMsMax}`,
  });
  // Without a listener an error ends the process. An idle connection emits its errors on the pool, one that is checked out on itself.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (isRecording()) traceStatements(pool);
  return pool;
}
