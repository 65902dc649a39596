import { JetStreamApiError } from '@nats-io/jetstream';
import { errors, headers } from '@nats-io/transport-node';
import { wakeSubject } from '@procurement/contracts/events/subjects';
import type pg from 'pg';
import { startExclusive } from '../../database/session-lock.ts';
import { makeSignal } from '../../runtime/signal.ts';
import {
  DEFAULT_STREAM_LIMITS,
  ensureStream,
  restoreStream,
  type StreamDeclaration,
  type StreamLimits,
} from '../streams.ts';
import { publishIfOpen, type Bus } from '../bus.ts';
import { purgeEventData, storeEventData } from './event-data.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { OUTBOX_PURGE_ROWS_MAX, purgeOutbox } from './purge-outbox.ts';
import { publishChained, publishRows, type PublishResult, type UnpublishableRow } from './publish-rows.ts';
import { purgeDeadLetters, RELAY_DURABLE } from '../dead-letters.ts';
import { APPLIED_ACK_HEADER } from '../applied-acks.ts';
import { respondLoss, watchToldEvents } from './told-events.ts';
import { monotonicMs } from '../../runtime/clock.ts';
import { isRecording, openSpan } from '../../runtime/spans.ts';
import { parseTraceContext } from '../../runtime/trace-context.ts';

/** Events stored and not yet published, and the age of the oldest in seconds. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export interface Relay {
  /** Publishes waiting rows at once rather than at the next poll. */
  wake(): void;
  backlog(): Promise<Backlog>;
  /** What the database lacks of what was published, when it was restored alone: then nothing more is published, and writes are refused. */
  lost(): string | undefined;
  /** Looks for such a loss now. Throws when NATS or the database is away. */
  lookForLoss(): Promise<void>;
  /** Replaces the stream by an empty one. Followers rebuild. */
  renewStream(): Promise<void>;
  stop(): Promise<void>;
}

export interface RelayOptions {
  readonly service: string;
  /** The stream that this service owns; created when it is missing. */
  readonly stream: StreamDeclaration;
  readonly streamReplicas: number;
  readonly streamLimits?: StreamLimits;
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds between two looks for the stream; set by tests. */
  readonly lookAtStreamEveryMs?: number;
  /** Awaited between publishing and marking, in fault tests. */
  readonly beforeMark?: () => Promise<void>;
}

interface UnsentRow {
  readonly position: string;
  readonly id: string;
  readonly subject: string;
  /** Null when it is larger than the server accepts: it is published by reference. */
  readonly envelope: string | null;
  readonly replyTo: string | null;
}

// JetStream's throughput stops growing at 32 to 128 publishes in flight; more adds latency only.
const BATCH_ROWS_MAX = 128;
/** A batch ends with the row that exceeds this: what one round sends or stores, and the relay holds in memory. */
const BATCH_BYTES_MAX = 4_000_000;
const POLL_EVERY_MS = 250;
/** Polls without a row after which the service is idle: a poll costs more than everything else that it then does. */
const IDLE_AFTER_POLLS = 20;
const POLL_IDLE_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 60_000;
const GAUGE_EVERY_MS = 5_000;
/** The relay also looks after each new connection: a server loses a stream with its store, hence at its restart, or by an operator. */
const LOOK_AT_STREAM_EVERY_MS = 60_000;
const WARN_EVERY_MS = 5_000;
// Limits the round trips lost to a server that rejects every condition.
const CHAIN_RETRY_MS = 5_000;
const RELAY_LOCK_KEY = '7270738002';
/**
 * A lost mark leads to a repetition with the same message id. The index of unsent rows has an entry of each row that was sent since the
 * last vacuum: an index scan marks such entries and skips them the next time, a bitmap scan visits all their rows at each poll. The planner
 * takes a bitmap scan while the table has no statistics. It would plan each poll anew (docs/decisions/0005-use-of-postgresql.md).
 */
const SESSION_OPTIONS =
  '-c synchronous_commit=off -c enable_bitmapscan=off -c enable_seqscan=off -c enable_sort=off -c plan_cache_mode=force_generic_plan';

// Marks sent rows and reads the next in one statement. The SELECT does not see the marks of its own statement.
// An envelope larger than $2 is not read. `octet_length` does not read the text.
const MARK_AND_READ_SQL = `WITH marked AS (UPDATE kit.outbox SET sent_at = now() WHERE position = ANY($1::bigint[])),
  head AS (SELECT position, id, subject, octet_length(envelope) AS size,
      CASE WHEN octet_length(envelope) <= $2 THEN envelope END AS envelope, reply_to
    FROM kit.outbox WHERE sent_at IS NULL AND position <> ALL($1::bigint[]) ORDER BY position LIMIT ${BATCH_ROWS_MAX}),
  summed AS (SELECT *, sum(size) OVER (ORDER BY position) AS bytes FROM head)
  SELECT position, id, subject, envelope, reply_to AS "replyTo" FROM summed
  WHERE bytes - size < ${BATCH_BYTES_MAX} ORDER BY position`;
// Deleted from the outbox rather than marked, so that `outbox republish` leaves them alone.
const DEAD_LETTER_SQL = `WITH taken AS (DELETE FROM kit.outbox USING unnest($1::bigint[], $2::text[]) AS failed (position, error)
    WHERE outbox.position = failed.position RETURNING outbox.position, id, subject, envelope, error)
  INSERT INTO kit.dead_letter (durable, event_id, subject, envelope, error, attempts)
  SELECT '${RELAY_DURABLE}', id, subject, envelope, error, 1 FROM taken ORDER BY position`;
const BACKLOG_SQL = `SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(created_at)), 0) AS age
  FROM kit.outbox WHERE sent_at IS NULL`;

/**
 * Publishes the outbox to JetStream in the order of its rows, and marks a row only after its acknowledgement: every committed
 * row is published, no other is, and a repetition carries the same message id.
 *
 * One relay is active per database, by an advisory lock of its session; the others stand by. Writers of its own process wake it
 * directly, those of other processes over core NATS, and it polls four times a second, an idle one every five seconds
 * (docs/decisions/0010-an-idle-system-waits.md). A commit that becomes visible late is not skipped, because rows are
 * found by `sent_at IS NULL` and not by a cursor; events of one aggregate are ordered by the lock on its row.
 *
 * A row that is larger than a message may be is published without its data, which `event-data.ts` gives to consumers that
 * request it (docs/decisions/0057-size-of-events-and-streams.md). A row that can never be published becomes a dead letter of the
 * durable `relay`, so that it delays no other row (docs/decisions/0054-what-cannot-be-processed.md).
 */
export function startRelay(options: RelayOptions): Relay {
  const { service, pool, bus, log, metrics, streamLimits = DEFAULT_STREAM_LIMITS } = options;
  const { lookAtStreamEveryMs = LOOK_AT_STREAM_EVERY_MS } = options;
  const published = metrics.counter('outbox_published_total', 'Events published and marked');
  const deadLettered = metrics.counter('events_dead_lettered_total', 'Events that became dead letters', {
    durable: RELAY_DURABLE,
  });
  const signal = makeSignal();
  const told = watchToldEvents(options);
  respondLoss(told, options);
  let active = false;

  let unsubscribe = (): void => undefined;
  let nextWarningAt = 0;
  let chainRetryAt = 0;
  let lastBacklog: Backlog = { waiting: 0, oldestSeconds: 0 };

  bus.onOpen((connection) => {
    const subscription = connection.subscribe(wakeSubject(service), { callback: () => signal.notify() });
    unsubscribe = () => subscription.unsubscribe();
  });
  metrics.gauge('outbox_waiting', 'Events stored and not yet published', () => lastBacklog.waiting);
  metrics.gauge('outbox_oldest_seconds', 'Age of the oldest of them', () => lastBacklog.oldestSeconds);

  async function ensureOwnStream(): Promise<void> {
    if (await ensureStream(bus, options.stream, options.streamReplicas, streamLimits)) return;
    log.warn(
      { bytesMax: streamLimits.bytesMax },
      'NATS cannot reserve STREAM_BYTES_MAX, the stream has a limit of age only',
    );
  }

  async function publishWhileHeld(client: pg.ClientBase, isHeld: () => boolean): Promise<void> {
    await ensureOwnStream();
    // The database may have been restored since the lock was held.
    await told.check();
    let nextPurgeAt = monotonicMs() + PURGE_EVERY_MS;
    let nextGaugeAt = 0;
    let nextStreamLookAt = 0;
    let seenConnection: AbortSignal | undefined;
    let rows: readonly UnsentRow[] = [];
    let emptyPolls = 0;
    while (isHeld()) {
      const now = monotonicMs();
      if (now > nextGaugeAt) {
        // Without a row to publish there is no backlog, unless rows are not read.
        if (emptyPolls === 0) await backlog();
        nextGaugeAt = now + GAUGE_EVERY_MS;
      }
      // No other service may create this stream, and their consumers wait for it when the server lost its store.
      if (bus.connected() && (now > nextStreamLookAt || bus.lost() !== seenConnection)) {
        seenConnection = bus.lost();
        nextStreamLookAt = now + lookAtStreamEveryMs;
        await restoreStream(bus, options.stream, options.streamReplicas, streamLimits).catch((error: unknown) => {
          log.warn({ err: error }, 'stream not restored');
          nextStreamLookAt = now + WARN_EVERY_MS;
        });
      }
      if (now > nextPurgeAt) {
        // After a full round the next follows with the next batch, so that under constant load deletes keep up with inserts.
        nextPurgeAt = (await purgeOutbox(client)) === OUTBOX_PURGE_ROWS_MAX ? now : now + PURGE_EVERY_MS;
        await purgeDeadLetters(client);
        await purgeEventData(client, streamLimits.ageMaxMs);
      }
      // Messages published while disconnected are lost at the reconnect, and each costs a time-out.
      const mayPublish = bus.connected() && told.lost() === undefined;
      if (!mayPublish) rows = [];
      else if (rows.length === 0) rows = await markAndRead(client, []);
      const isEmpty = mayPublish && rows.length === 0;
      emptyPolls = isEmpty ? emptyPolls + 1 : 0;
      if (isEmpty) lastBacklog = { waiting: 0, oldestSeconds: 0 };
      if (rows.length > 0) rows = await publishBatch(client, rows);
      if (rows.length === 0) await signal.wait(emptyPolls < IDLE_AFTER_POLLS ? POLL_EVERY_MS : POLL_IDLE_EVERY_MS);
    }
  }

  /**
   * Returns the next batch, or no rows when this batch was not fully published or dead-lettered. Rows that are not marked are
   * published again, with the same message id.
   */
  async function publishBatch(client: pg.ClientBase, rows: readonly UnsentRow[]): Promise<readonly UnsentRow[]> {
    const { sent, unpublishable, failure } = await publishAll(client, rows);
    await options.beforeMark?.();
    if (unpublishable.length > 0) await deadLetter(client, unpublishable);
    const next = await markAndRead(client, sent);
    published.increment(sent.length);
    const left = rows.length - sent.length - unpublishable.length;
    if (left === 0) return next;
    // The server may have restarted without its store.
    if (sent.length === 0 && bus.connected()) await ensureOwnStream();
    if (monotonicMs() > nextWarningAt) {
      nextWarningAt = monotonicMs() + WARN_EVERY_MS;
      // When other rows were published the bus works, and an operator must look at this row.
      log[sent.length > 0 ? 'error' : 'warn']({ err: failure, left }, 'publish failed');
    }
    return [];
  }

  async function publishAll(client: pg.ClientBase, rows: readonly UnsentRow[]): Promise<PublishResult<UnsentRow>> {
    const publishable: UnsentRow[] = [];
    const refused: UnpublishableRow<UnsentRow>[] = [];
    for (const row of rows) {
      const envelope = row.envelope ?? (await storeEventData(client, row.id));
      if (envelope === undefined)
        refused.push({ row, error: 'larger than a message, and no event or larger than an event' });
      else publishable.push({ ...row, envelope });
    }
    const result = await publishReadable(publishable);
    return { ...result, unpublishable: [...refused, ...result.unpublishable] };
  }

  async function publishReadable(rows: readonly UnsentRow[]): Promise<PublishResult<UnsentRow>> {
    const publishOne = async (row: UnsentRow): Promise<void> => publish(bus, row);
    if (monotonicMs() < chainRetryAt) return publishRows(rows, publishOne, isUnpublishable);
    const chained = await publishChained(rows, async (row, previous) => publish(bus, row, previous));
    if (!chained.rejected) return chained;
    chainRetryAt = monotonicMs() + CHAIN_RETRY_MS;
    const sentRows = new Set(chained.sent);
    const rest = rows.filter((row) => !sentRows.has(row));
    const { sent, ...failed } = await publishRows(rest, publishOne, isUnpublishable);
    return { sent: [...chained.sent, ...sent], ...failed };
  }

  async function deadLetter(client: pg.ClientBase, failed: readonly UnpublishableRow<UnsentRow>[]): Promise<void> {
    const positions = failed.map(({ row }) => row.position);
    const texts = failed.map(({ error }) => String(error).slice(0, 4_000));
    await client.query({ name: 'outbox-dead-letter', text: DEAD_LETTER_SQL, values: [positions, texts] });
    deadLettered.increment(failed.length);
    for (const { row, error } of failed)
      log.error({ eventId: row.id, subject: row.subject, error: String(error) }, 'event dead-lettered');
  }

  async function markAndRead(client: pg.ClientBase, sent: readonly UnsentRow[]): Promise<readonly UnsentRow[]> {
    const messageBytesMax = bus.connection.info?.max_payload ?? MAX_PAYLOAD_UNKNOWN;
    const values = [sent.map((row) => row.position), messageBytesMax - HEADER_BYTES_MAX];
    return (await client.query<UnsentRow>({ name: 'outbox-mark-and-read', text: MARK_AND_READ_SQL, values })).rows;
  }

  async function backlog(): Promise<Backlog> {
    const { rows } = await pool.query<{ waiting: string; age: string }>({ name: 'outbox-backlog', text: BACKLOG_SQL });
    lastBacklog = { waiting: Number(rows[0]?.waiting ?? 0), oldestSeconds: Number(rows[0]?.age ?? 0) };
    return lastBacklog;
  }

  const exclusive = startExclusive({
    databaseUrl: options.databaseUrl,
    name: `${service}-relay`,
    lockKey: RELAY_LOCK_KEY,
    log,
    sessionOptions: SESSION_OPTIONS,
    onLost: () => signal.notify(),
    work: async ({ client, isHeld }) => {
      active = true;
      try {
        await publishWhileHeld(client, isHeld);
      } finally {
        active = false;
      }
    },
  });
  return {
    wake() {
      if (active) signal.notify();
      else if (bus.connected()) publishIfOpen(() => bus.connection.publish(wakeSubject(service)));
    },
    backlog,
    lost: () => told.lost(),
    lookForLoss: async () => told.check(),
    async renewStream() {
      await bus.manager.streams.delete(options.stream.name);
      await ensureOwnStream();
    },
    async stop() {
      unsubscribe();
      await told.stop();
      await exclusive.stop();
    },
  };
}

/** The default of a server: the client does not know the server's limit while it connects again. */
const MAX_PAYLOAD_UNKNOWN = 1024 * 1024;
/** Room for the headers of a message, which the limit includes. */
const HEADER_BYTES_MAX = 4_096;

/**
 * True when the row itself is the reason, so that no retry helps: the client refuses it (larger than max_payload, invalid
 * subject), or the server rejects the request (status 400) for other reasons than the state of its account or stream.
 */
function isUnpublishable(error: unknown): boolean {
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.InvalidSubjectError) return true;
  return error instanceof JetStreamApiError && error.status === 400 && !STATE_ERRORS.has(error.code);
}

// "resource limits exceeded for account", "invalid operation on sealed stream".
const STATE_ERRORS: ReadonlySet<number> = new Set([10_002, 10_109]);

/** Enough for the members before `data` (outbox.ts), which has `traceparent` in a place of its own. */
const ENVELOPE_HEAD_CHARACTERS = 2_048;

async function publish(bus: Bus, row: UnsentRow, previous?: UnsentRow): Promise<void> {
  if (!isRecording()) {
    await send(bus, row, previous);
    return;
  }
  const [traceparent] = /(?<="traceparent":")[^"]+/.exec((row.envelope ?? '').slice(0, ENVELOPE_HEAD_CHARACTERS)) ?? [];
  const name = `publish ${row.subject.split('.').slice(0, 2).join('.')}`;
  const attributes = { 'messaging.system': 'nats', 'messaging.message.id': row.id };
  const span = openSpan({ kind: 'producer', name, parent: parseTraceContext({ traceparent }), attributes });
  let failed = true;
  try {
    await send(bus, row, previous);
    failed = false;
  } finally {
    span.end({ failed });
  }
}

/** An event in the structured mode of CloudEvents, by which readers tell it from the binary mode. */
const CONTENT_TYPE = 'application/cloudevents+json';

async function send(bus: Bus, row: UnsentRow, previous?: UnsentRow): Promise<void> {
  const messageHeaders = headers();
  messageHeaders.set('content-type', CONTENT_TYPE);
  if (row.replyTo !== null) messageHeaders.set(APPLIED_ACK_HEADER, row.replyTo);
  await bus.jetstream.publish(row.subject, row.envelope ?? '', {
    msgID: row.id,
    headers: messageHeaders,
    ...(previous === undefined ? {} : { expect: { lastMsgID: previous.id } }),
  });
}
