import { headers } from '@nats-io/transport-node';
import pg from 'pg';
import { makeBell } from './bell.ts';
import { ensureStream, type Bus, type StreamDeclaration } from './bus.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { SETTLE_HEADER } from './settle.ts';
import { monotonicMs } from './time.ts';

export interface Relay {
  /** There may be something to publish. */
  wake(): void;
  /** Events stored and not yet published, and the age of the oldest in seconds. */
  backlog(): Promise<{ readonly waiting: number; readonly oldestSeconds: number }>;
  stop(): Promise<void>;
}

export interface RelayOptions {
  readonly service: string;
  /** The stream that this service owns; made when it is not there. */
  readonly stream: StreamDeclaration;
  readonly streamReplicas: number;
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** For fault tests: awaited between the publish and the mark. */
  readonly beforeMark?: () => Promise<void>;
}

interface Row {
  readonly position: string;
  readonly id: string;
  readonly subject: string;
  readonly envelope: string;
  readonly replyTo: string | null;
}

// 32 to 128 publishes in flight are the knee of JetStream's throughput; more only adds latency.
const BATCH_ROWS = 128;
const POLL_MS = 250;
const STANDBY_MS = 500;
const PURGE_EVERY_MS = 60_000;
const LOCK_KEY = '7270738002';

const UNSENT = `SELECT position, id, subject, envelope, reply_to AS "replyTo" FROM outbox WHERE sent_at IS NULL
  ORDER BY position LIMIT ${BATCH_ROWS}`;
const MARK = 'UPDATE outbox SET sent_at = now() WHERE position = ANY($1::bigint[])';
// Sent rows stay for a day: the server may lose what it acknowledged in its last minutes when its host dies, and an
// operator then publishes them again.
const PURGE = `DELETE FROM outbox WHERE position IN (SELECT position FROM
  (SELECT position, sent_at FROM outbox ORDER BY position LIMIT 1000) AS oldest WHERE sent_at < now() - interval '24 hours')`;
const BACKLOG = `SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(created_at)), 0) AS age
  FROM outbox WHERE sent_at IS NULL`;

/**
 * Publishes the outbox to JetStream in the order it was written, and marks a row only after its acknowledgement: nothing is
 * published that did not commit, nothing that committed is left out, and a repetition carries the same message id.
 *
 * One relay is active per database, by a session lock; the others stand by. It is woken by the writer of its own process, by
 * writers of other processes over core NATS, and looks by itself four times a second. Not by NOTIFY: its lock makes commits
 * wait for each other. No horizon of transactions is needed, because rows are found by being unsent and not by a cursor, and
 * two events of one aggregate are ordered by the lock on its row.
 */
export function startRelay(options: RelayOptions): Relay {
  const { service, pool, bus, log, metrics } = options;
  const published = metrics.counter('outbox_published_total', 'Events published and marked');
  const bell = makeBell();
  const wakeSubject = `wake.${service}`;
  let active = false;
  let stopped = false;

  bus.whenOpen((connection) => connection.subscribe(wakeSubject, { callback: () => bell.ring() }));

  async function run(): Promise<void> {
    while (!stopped) {
      const client = new pg.Client({ connectionString: options.databaseUrl, application_name: `${service}-relay` });
      client.on('error', () => bell.ring());
      try {
        await client.connect();
        while (!stopped && !(await lock(client))) await bell.wait(STANDBY_MS);
        active = true;
        await publishForEver(client);
      } catch (error) {
        if (!stopped) log.warn({ err: error }, 'relay interrupted');
        await bell.wait(STANDBY_MS);
      } finally {
        active = false;
        await client.end().catch(() => undefined);
      }
    }
  }

  async function publishForEver(client: pg.Client): Promise<void> {
    await ensureStream(bus, options.stream, options.streamReplicas);
    let purgedAt = monotonicMs();
    while (!stopped) {
      const { rows } = await client.query<Row>({ name: 'outbox-unsent', text: UNSENT });
      if (rows.length > 0 && (await publishBatch(client, rows))) continue;
      await bell.wait(POLL_MS);
      if (monotonicMs() - purgedAt < PURGE_EVERY_MS) continue;
      await client.query(PURGE);
      purgedAt = monotonicMs();
    }
  }

  /** True when the whole batch is out. Rows behind a failed one are published again: the message id makes that harmless. */
  async function publishBatch(client: pg.Client, rows: readonly Row[]): Promise<boolean> {
    const results = await Promise.allSettled(rows.map(async (row) => publish(bus, row)));
    const failedAt = results.findIndex((result) => result.status === 'rejected');
    const failed = results[failedAt];
    const sent = failedAt < 0 ? rows : rows.slice(0, failedAt);
    await options.beforeMark?.();
    await client.query({ name: 'outbox-mark', text: MARK, values: [sent.map((row) => row.position)] });
    published.increase(sent.length);
    if (failed?.status === 'rejected')
      log.warn({ err: failed.reason, waiting: rows.length - sent.length }, 'publish failed');
    return failedAt < 0;
  }

  const running = run();
  return {
    wake() {
      if (active) bell.ring();
      else if (bus.connected()) bus.connection.publish(wakeSubject);
    },
    async backlog() {
      const { rows } = await pool.query<{ waiting: string; age: string }>({ name: 'outbox-backlog', text: BACKLOG });
      return { waiting: Number(rows[0]?.waiting ?? 0), oldestSeconds: Number(rows[0]?.age ?? 0) };
    },
    async stop() {
      stopped = true;
      bell.ring();
      await running;
    },
  };
}

async function lock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [LOCK_KEY]);
  return rows[0]?.held === true;
}

async function publish(bus: Bus, row: Row): Promise<void> {
  const options = { msgID: row.id };
  if (row.replyTo === null) {
    await bus.jetstream.publish(row.subject, row.envelope, options);
    return;
  }
  const head = headers();
  head.set(SETTLE_HEADER, row.replyTo);
  await bus.jetstream.publish(row.subject, row.envelope, { ...options, headers: head });
}
