import pg from 'pg';
import { makeSignal } from '../runtime/signal.ts';
import type { Logger } from '../runtime/log.ts';

/** The time in which a process holds the lock. Statements of `client` fail once the lock is lost, because its session has it. */
export interface ExclusiveTurn {
  readonly client: pg.ClientBase;
  isHeld(): boolean;
}

export interface ExclusiveOptions {
  readonly databaseUrl: string;
  /** Names the work in the log and the session in PostgreSQL. */
  readonly name: string;
  /** Key of an advisory lock: one holder in the database. */
  readonly lockKey: string;
  readonly log: Logger;
  /** Settings of the session, as for `psql`: `-c synchronous_commit=off`. */
  readonly sessionOptions?: string;
  /** Called when the lock is lost and when `stop` is called: `work` must then look at `isHeld`. */
  readonly onLost: () => void;
  /** Runs while the lock is held; must return soon after `isHeld` is false. Called again when it returns or throws before. */
  readonly work: (turn: ExclusiveTurn) => Promise<void>;
}

const RETRY_MS = 500;
/** When the host of a session vanishes, the server frees its locks in 11 seconds instead of 2 hours. */
export const FREES_LOCKS = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/**
 * Runs `work` in one process per database, by an advisory lock of a session; the others stand by. A holder whose connection is
 * lost may still run for a moment beside the next one: its transactions must find that out by themselves.
 */
export function startExclusive(options: ExclusiveOptions): { stop(): Promise<void> } {
  const { databaseUrl, name, lockKey, log, sessionOptions = '', onLost, work } = options;
  const retry = makeSignal();
  let stopped = false;

  async function holdOnce(): Promise<void> {
    let isOpen = true;
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: name,
      connectionTimeoutMillis: 5_000,
      query_timeout: 20_000,
      options: `${FREES_LOCKS} ${sessionOptions}`,
    });
    const lose = (): void => {
      isOpen = false;
      onLost();
    };
    client.on('error', lose);
    client.on('end', lose);
    try {
      await client.connect();
      while (!stopped && isOpen && !(await tryLock(client, lockKey))) await retry.wait(RETRY_MS);
      if (!stopped && isOpen) await work({ client, isHeld: () => isOpen && !stopped });
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        await holdOnce();
      } catch (error) {
        if (!stopped) log.warn({ err: error, name }, 'exclusive work interrupted');
      }
      if (!stopped) await retry.wait(RETRY_MS);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped = true;
      retry.notify();
      onLost();
      await running;
    },
  };
}

async function tryLock(client: pg.Client, key: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [key]);
  return rows[0]?.held === true;
}
