import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AckPolicy } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { freePorts } from '@procurement/local-stack/ports';
import { startPostgres } from '@procurement/local-stack/postgres';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { patientJetStream } from '../../../test-support/patient-jetstream.ts';
import { ensureStream } from '../streams.ts';
import { openBus, type Bus } from '../bus.ts';
import { startConsumer, type Consumer, type ConsumerDeps } from '../repair/start-consumer.ts';
import { makePool } from '../../database/pool.ts';
import { ConflictError } from '../../database/transaction.ts';
import { beginTrial, listDeadLetters } from '../dead-letters.ts';
import { replayDeadLetters } from './replay-dead-letters.ts';
import { secureIds } from '../../runtime/ids.ts';
import { makeMetrics } from '../../runtime/metrics.ts';
import { KIT_MIGRATIONS } from '../../migrations.ts';
import { applyMigrations } from '../../database/migrate.ts';
import { makeOutbox, type Outbox, type OutboxRow } from '../publish/outbox.ts';
import { makeAppliedAcks, APPLIED_ACK_HEADER, type AppliedAcks } from '../applied-acks.ts';
import type { Subscription } from './subscription.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const durable = 'test--things';

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;
let outbox: Outbox;
let appliedAcks: AppliedAcks;
let consumers: Consumer[];
let logMessages: string[];

const log = pino(
  { level: 'info' },
  {
    write: (line) => {
      logMessages.push(JSON.parse(line).msg);
    },
  },
);

beforeEach(async () => {
  logMessages = [];
  consumers = [];
  [testBus, database] = await Promise.all([freshBus(), freshDatabase('awards')]);
  bus = await openBus(testBus.url, 'test', log);
  await ensureStream(bus, stream, 1);
  appliedAcks = makeAppliedAcks(bus, secureIds.next(), 60_000);
  outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => undefined });
});

afterEach(async () => {
  await Promise.all(consumers.map(async (consumer) => consumer.stop()));
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

function startTestConsumer(apply: Subscription['apply'], deps: Partial<ConsumerDeps & Subscription> = {}): Consumer {
  const metrics = makeMetrics('test');
  const consumerDeps = { pool: database.pool, bus, log, metrics, retryMs: [10, 20, 40], ...deps };
  const { acksApplied, rowBytes } = deps;
  const optional = {
    ...(acksApplied === undefined ? {} : { acksApplied }),
    ...(rowBytes === undefined ? {} : { rowBytes }),
  };
  const consumer = startConsumer({ stream, durable, filter: 'things.*.*', apply, ...optional }, consumerDeps);
  consumers.push(consumer);
  return consumer;
}

function eventRow(version: number): OutboxRow {
  const time = '2026-05-04T10:15:00+03:00';
  const event = { type: 'thing.changed', schema: 'thing.changed/1', subjectId: `a${version % 9}`, version, time };
  return outbox.row({ ...event, data: {}, correlationId: 'r' });
}

async function publishRows(rows: readonly OutboxRow[]): Promise<void> {
  await Promise.all(rows.map(async ({ subject, envelope }) => patientJetStream(bus).publish(subject, envelope)));
}

/** Keeps this process busy until a session of the database has ended; another process looks for it. */
function blockUntilSessionEnds(pid: number): void {
  const program = `
    const client = new (require('pg').Client)({ connectionString: process.argv[1] });
    const look = async () => {
      while ((await client.query('SELECT FROM pg_stat_activity WHERE pid = $1', [process.argv[2]])).rowCount > 0);
    };
    client.connect().then(look).then(() => client.end());`;
  execFileSync(process.execPath, ['-e', program, database.url, String(pid)], { cwd: import.meta.dirname });
}

const eventRows = (count: number): OutboxRow[] => Array.from({ length: count }, (_, n) => eventRow(n + 1));

/** Fetches waiting messages and naks them, `times` times: the same as deliveries to processes that crash before the ack. */
async function deliverAndNak(times: number, events: number): Promise<void> {
  const config = { durable_name: durable, filter_subject: 'things.*.*', ack_policy: AckPolicy.Explicit };
  await bus.manager.consumers.add(stream.name, { ...config, ack_wait: 30_000_000_000, max_deliver: 1_000 });
  const consumer = await bus.jetstream.consumers.get(stream.name, durable);
  const deliverOnce = async (): Promise<void> => {
    const batch = [];
    for await (const message of await consumer.fetch({ max_messages: events })) batch.push(message);
    for (const message of batch) message.nak();
  };
  for (let time = 0; time < times; time += 1) await deliverOnce();
}

describe('startConsumer', () => {
  it('loses nothing, applies nothing twice and dead-letters nothing when PostgreSQL is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'procurement-kill-'));
    chmodSync(folder, 0o755);
    const { postgres: port } = await freePorts();
    const options = {
      dataDir: join(folder, 'data'),
      port,
      password: 'test',
      logFile: join(folder, 'log'),
      durable: true,
    };
    let postgres = await startPostgres(options);
    onTestFinished(async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const url = postgres.urlOf('postgres');
    await applyMigrations(url, KIT_MIGRATIONS, 'kit');
    const pool = makePool({ url, name: 'test', connectionsMax: 4, log });
    await pool.query('CREATE TABLE applied (aggregateversion int)');
    let failing = 0;
    const consumer = startTestConsumer(
      async (tx, events) => {
        if (failing > 0 && events.some(({ aggregateversion }) => aggregateversion === 1_000)) {
          failing -= 1;
          throw new Error('a temporary failure');
        }
        await tx.query('INSERT INTO applied SELECT unnest($1::int[])', [
          events.map(({ aggregateversion }) => aggregateversion),
        ]);
      },
      { pool },
    );
    const appliedCount = async (): Promise<number> =>
      (await pool.query('SELECT count(*)::int AS n FROM applied')).rows[0].n;
    const all = eventRows(1_000);

    // First kill: in the middle of many events.
    await publishRows(all.slice(0, 999));
    await waitFor(async () => (await appliedCount()) > 0, { what: 'some events' });
    await postgres.child.stop('SIGKILL');
    postgres = await startPostgres(options);
    await waitFor(async () => (await appliedCount()) >= 999, { what: 'the others' });

    // Second kill: for longer than an event has attempts. None of them may count, so two real failures afterwards are retried.
    await postgres.child.stop('SIGKILL');
    const before = logMessages.length;
    await publishRows(all.slice(999));
    await waitFor(() => logMessages.slice(before).filter((line) => line === 'database unavailable').length > 5, {
      what: 'retries',
    });
    failing = 2;
    postgres = await startPostgres(options);
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    const { rows } = await pool.query(
      'SELECT count(DISTINCT aggregateversion)::int AS different, count(*)::int AS all FROM applied',
    );
    expect(rows[0]).toEqual({ different: 1_000, all: 1_000 });
    expect(await listDeadLetters(pool)).toEqual([]);
    await consumer.stop();
    await pool.end();
  });

  it('never dead-letters an event because of lock conflicts', async () => {
    let conflictsLeft = 5;
    const applied: number[] = [];
    const consumer = startTestConsumer(
      async (_tx, events) => {
        if ((conflictsLeft -= 1) > 0) throw new ConflictError(new Error('lock timeout'));
        applied.push(...events.map(({ aggregateversion }) => aggregateversion));
      },
      { retryMs: [10] },
    );
    await publishRows([eventRow(1)]);
    await waitFor(() => applied.length > 0, { what: 'the event' });
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    expect(await listDeadLetters(database.pool)).toEqual([]);
  });

  it('retries an event whose statement timed out without counting attempts, up to a bound', async () => {
    let timeoutsLeft = 6;
    const applied: number[] = [];
    const consumer = startTestConsumer(
      async (tx, events) => {
        const slow = events.some(({ aggregateversion }) => aggregateversion === 2);
        if (slow || (timeoutsLeft -= 1) >= 0) await tx.query('SET LOCAL statement_timeout = 20; SELECT pg_sleep(1)');
        applied.push(...events.map(({ aggregateversion }) => aggregateversion));
      },
      { retryMs: [10], busyRetryMs: Array.from({ length: 8 }, () => 50) },
    );
    await publishRows([eventRow(1)]);
    await waitFor(async () => applied.length === 1 && (await consumer.lag()) === 0, { what: 'the event' });
    expect(await listDeadLetters(database.pool)).toEqual([]);
    // One that always times out does not stay for ever.
    await publishRows([eventRow(2), eventRow(3)]);
    const isGivenUp = async (): Promise<boolean> =>
      (await listDeadLetters(database.pool)).some(({ error }) => error.includes('statement timeout'));
    await waitFor(isGivenUp, { what: 'the dead letter' });
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'the other event' });
    expect(applied).toEqual([1, 3]);
  });

  it('dead-letters an event whose transaction sends no statement for too long, and applies the others', async () => {
    const applied: number[] = [];
    const consumer = startTestConsumer(
      async (tx, events) => {
        const isSlow = events.some(({ aggregateversion }) => aggregateversion === 1);
        const isBusyLoop = events.some(({ aggregateversion }) => aggregateversion === 3);
        const { rows } = await tx.query('SELECT pg_backend_pid() AS pid');
        const isEnded = async (): Promise<boolean> =>
          (await database.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0].pid])).rowCount === 0;
        if (isSlow || isBusyLoop) await tx.query('SET LOCAL idle_in_transaction_session_timeout = 100');
        if (isSlow) await waitFor(isEnded, { what: 'the end of the session' });
        // As when a large event is parsed: the message of the server is read after the next statement was sent.
        if (isBusyLoop) blockUntilSessionEnds(rows[0].pid);
        await tx.query('SELECT 1');
        applied.push(...events.map(({ aggregateversion }) => aggregateversion));
      },
      { retryMs: [10, 20] },
    );
    await publishRows([1, 2, 3, 4].map((version) => eventRow(version)));
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    await consumer.stop();
    expect(applied.toSorted((a, b) => a - b)).toEqual([2, 4]);
    const deadLetters = await listDeadLetters(database.pool);
    expect(deadLetters.map(({ error }) => error)).toEqual([expect.any(String), expect.any(String)]);
    expect(deadLetters.some(({ error }) => error.includes('sent no statement for too long'))).toBe(true);
  });

  it('dead-letters an event that ends its session each time, while the database is reachable', async () => {
    const applied: number[] = [];
    const consumer = startTestConsumer(
      async (tx, events) => {
        const isDeadly = events.some(({ aggregateversion }) => aggregateversion === 1);
        if (isDeadly) await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
        applied.push(...events.map(({ aggregateversion }) => aggregateversion));
      },
      { retryMs: [10] },
    );
    await publishRows([eventRow(1), eventRow(2)]);
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    expect(applied).toEqual([2]);
    expect(await listDeadLetters(database.pool)).toMatchObject([
      { error: 'Error: lost 6 sessions of a reachable database' },
    ]);
  });

  it('holds a bounded number of bytes, and applies batches that are bounded in bytes', async () => {
    const count = 12;
    const large = (version: number): OutboxRow => {
      const { envelope, ...row } = eventRow(version);
      return { ...row, envelope: envelope.replace('"data":{}', `"data":"${'x'.repeat(2_500_000)}"`) };
    };
    // As large as the server accepts.
    const largest = { ...eventRow(1), envelope: `"${'x'.repeat(8 * 1024 * 1024 - 2)}"` };
    for (let n = 1; n <= count; n += 1) await publishRows([large(n)]);
    await publishRows([largest]);
    const batches: number[] = [];
    let appliedBefore = 0;
    let inFlightMax = 0;
    const consumer = startTestConsumer(async (_tx, events) => {
      // The server counts acknowledgements later than the consumer.
      const { delivered } = await bus.manager.consumers.info(stream.name, durable);
      inFlightMax = Math.max(inFlightMax, delivered.stream_seq - appliedBefore);
      appliedBefore += events.length;
      batches.push(events.length);
    });
    await waitFor(async () => (await consumer.lag()) === 0 && batches.length > 0, {
      what: 'no lag',
    });
    expect(batches.reduce((sum, length) => sum + length, 0)).toBe(count);
    expect(Math.max(...batches)).toBeLessThanOrEqual(2);
    expect(inFlightMax).toBeLessThanOrEqual(8);
    expect(await listDeadLetters(database.pool)).toMatchObject([{ error: 'not an event envelope' }]);
  });

  it('waits for a stream that its owner has not created yet, and says so once', async () => {
    await bus.manager.streams.delete(stream.name);
    const looked = vi.spyOn(bus.manager.streams, 'info');
    const applied: number[] = [];
    startTestConsumer(async (_tx, events) => void applied.push(...events.map((event) => event.aggregateversion)));
    await waitFor(() => looked.mock.calls.length > 3, { what: 'four rounds' });
    await ensureStream(bus, stream, 1);
    await publishRows([eventRow(1)]);
    await waitFor(() => applied.length === 1, { what: 'the event' });
    const waiting = logMessages.filter((message) => message === 'waiting for the stream, which its owner creates');
    expect(waiting).toHaveLength(1);
    expect(logMessages).not.toContain('cannot receive events');
  });

  it('goes on fetching, without another check of its position, when the next message does not fit', async () => {
    for (let version = 1; version <= 6; version += 1)
      await patientJetStream(bus).publish(
        `things.large.a${version}`,
        `${eventRow(version).envelope}${' '.repeat(3_000_000)}`,
      );
    const checks = vi.spyOn(bus.manager.streams, 'info');
    const applied: number[] = [];
    startTestConsumer(async (_tx, events) => void applied.push(...events.map((event) => event.aggregateversion)), {
      checkPositionEveryMs: 3_600_000,
    });
    await waitFor(() => applied.length === 6, { what: 'all events' });
    expect(logMessages).not.toContain('cannot receive events');
    expect(checks).toHaveBeenCalledTimes(1);
  });

  it('applies in transactions that read a bounded number of bytes of rows', async () => {
    await publishRows(eventRows(18));
    const batches: string[][] = [];
    const megabytes = async (subjects: readonly string[]): Promise<ReadonlyMap<string, number>> =>
      new Map(subjects.map((subject) => [subject, subject === 'a0' ? 9_000_000 : 2_500_000]));
    const consumer = startTestConsumer(
      async (_tx, events) => {
        batches.push([...new Set(events.map(({ subject }) => subject))]);
      },
      { rowBytes: megabytes },
    );
    await waitFor(async () => (await consumer.lag()) === 0 && batches.length > 0, { what: 'no lag' });
    expect(Math.max(...batches.map((subjects) => subjects.length))).toBeLessThanOrEqual(3);
    for (const subjects of batches) if (subjects.includes('a0')) expect(subjects).toEqual(['a0']);
  });

  it('tells that its lag is not known, and since when, in time for a probe while NATS does not respond', async () => {
    const consumer = startTestConsumer(async () => undefined);
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    expect(consumer.stuckMs()).toBe(0);
    const silent = vi.spyOn(bus.manager.consumers, 'info').mockReturnValue(new Promise(() => undefined));
    onTestFinished(() => silent.mockRestore());
    // Only of what is set from here on; a probe waits for a second.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      for (let n = 0; n < 2; n += 1) {
        const lag = consumer.lag();
        vi.advanceTimersByTime(999);
        expect(await lag).toBe(null);
      }
    } finally {
      vi.useRealTimers();
    }
    expect(consumer.stuckMs()).toBeGreaterThan(0);
  });

  it('naks waiting messages when it stops, so that the next consumer gets them at once', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const applied = new Set<number>();
    const apply: Subscription['apply'] = async (_tx, events) => {
      await gate;
      for (const { aggregateversion } of events) applied.add(aggregateversion);
    };
    const first = startTestConsumer(apply);
    await publishRows(eventRows(700));
    await waitFor(async () => (await bus.manager.consumers.info(stream.name, durable)).num_ack_pending >= 500, {
      what: 'events in flight',
    });
    const stopping = first.stop();
    open();
    await stopping;
    expect(applied.size).toBeLessThan(700);
    startTestConsumer(apply);
    // Without the naks, the server would wait for its ack_wait before it redelivers.
    await waitFor(() => applied.size === 700, { what: 'the others' });
  });

  it('stops at once while nothing comes', async () => {
    const consumer = startTestConsumer(async () => undefined);
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'a durable' });
    const startedMs = performance.now();
    await consumer.stop();
    // The request that is under way ends after 60 s by itself.
    expect(performance.now() - startedMs).toBeLessThan(25_000);
  });

  it('receives soon again after the server was killed while nothing came', async () => {
    let applied = 0;
    const consumer = startTestConsumer(async (_tx, events) => {
      applied += events.length;
    });
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'a durable' });
    await testBus.kill();
    await testBus.restart();
    await waitFor(() => bus.connected(), { what: 'the connection' });
    await publishRows(eventRows(1));
    const startedMs = performance.now();
    await waitFor(() => applied === 1, { what: 'the event' });
    // The request that was under way when the server was killed ends after 60 s by itself.
    expect(performance.now() - startedMs).toBeLessThan(25_000);
  });

  it('continues when the server lost stream and durable', async () => {
    const applied: number[] = [];
    startTestConsumer(async (_tx, events) => {
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    });
    await publishRows([eventRow(1)]);
    await waitFor(() => applied.length === 1, { what: 'the first event' });
    await bus.manager.streams.delete(stream.name);
    // Its owner's relay does this.
    await ensureStream(bus, stream, 1);
    await waitFor(async () => bus.manager.consumers.info(stream.name, durable), {
      what: 'the durable',
    });
    await publishRows([eventRow(2)]);
    await waitFor(() => applied.length === 2, { what: 'the second event' });
    expect(applied).toEqual([1, 2]);
  });

  it('sets unlimited deliveries, also on a durable created with a limit', async () => {
    await deliverAndNak(0, 0);
    const setting = async (): Promise<number | undefined> =>
      (await bus.manager.consumers.info(stream.name, durable)).config.max_deliver;
    expect(await setting()).toBe(1_000);
    startTestConsumer(async () => undefined);
    await waitFor(async () => (await setting()) === -1, { what: 'the new setting' });
  });

  it('renews the acknowledgement of an event as long as it is being applied', async () => {
    let [renewals, isApplied] = [0, false];
    bus.connection.subscribe('$JS.ACK.>', {
      callback: (_error, message) => {
        if (message.string() === '+WPI') renewals += 1;
      },
    });
    startTestConsumer(async () => {
      // Again after the first: the timer goes on.
      await waitFor(() => renewals >= 2, { what: 'renewals' });
      isApplied = true;
    });
    await publishRows(eventRows(1));
    await waitFor(() => isApplied, { what: 'the event' });
    expect(await listDeadLetters(database.pool)).toEqual([]);
  });

  it('acknowledges to waiting writers unless `acksApplied` is false', async () => {
    const publishAndAwait = async (acks: AppliedAcks): Promise<boolean> => {
      const { id, subject, envelope } = eventRow(1);
      const messageHeaders = headers();
      messageHeaders.set(APPLIED_ACK_HEADER, acks.replySubjectFor(id));
      await patientJetStream(bus).publish(subject, envelope, { headers: messageHeaders });
      return acks.awaitApplied(id);
    };
    const replicaConsumer = startTestConsumer(async () => undefined, { acksApplied: false });
    expect(await publishAndAwait(makeAppliedAcks(bus, secureIds.next(), 200))).toBe(false);
    await replicaConsumer.stop();
    startTestConsumer(async () => undefined);
    expect(await publishAndAwait(appliedAcks)).toBe(true);
  });
});

describe('an event suspected of crashing the process', () => {
  const buildDeadLetter = ({ id, subject, envelope }: OutboxRow) => ({ durable, eventId: id, subject, envelope });

  it('is applied when it had no unfinished trial, or one, and leaves no dead letter', async () => {
    const [never, once] = [eventRow(1), eventRow(2)];
    await publishRows([never, once]);
    await deliverAndNak(4, 2);
    await beginTrial(database.pool, buildDeadLetter(once));
    const applied: number[] = [];
    const consumer = startTestConsumer(async (_tx, events) => {
      expect(events).toHaveLength(1);
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    });
    await waitFor(async () => (await consumer.lag()) === 0 && applied.length === 2, { what: 'both events' });
    expect(await listDeadLetters(database.pool)).toEqual([]);
  });

  it('needs one connection at a time, with its trial, its failures and its dead letter', async () => {
    // A wait for a second connection never ends.
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => undefined);
    const [good, bad] = [eventRow(1), eventRow(2)];
    await publishRows([good, bad]);
    await deliverAndNak(4, 2);
    const applied: number[] = [];
    const consumer = startTestConsumer(
      async (tx, events) => {
        await tx.query('SELECT 1');
        if (events.some(({ aggregateversion }) => aggregateversion === 2)) throw new Error('poison');
        applied.push(...events.map(({ aggregateversion }) => aggregateversion));
      },
      { pool },
    );
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    await consumer.stop();
    expect(applied).toEqual([1]);
    expect(await listDeadLetters(pool)).toMatchObject([{ error: 'Error: poison' }]);
    await pool.end();
  });

  it('stays a dead letter after two unfinished trials', async () => {
    const [crashing, other] = [eventRow(1), eventRow(2)];
    await publishRows([crashing, other]);
    await deliverAndNak(4, 2);
    expect(await beginTrial(database.pool, buildDeadLetter(crashing))).toBe(1);
    expect(await beginTrial(database.pool, buildDeadLetter(crashing))).toBe(2);
    const applied: number[] = [];
    const consumer = startTestConsumer(async (_tx, events) => {
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    });
    await waitFor(async () => (await consumer.lag()) === 0 && applied.length === 1, { what: 'the other event' });
    expect(applied).toEqual([2]);
    const deadLetters = await listDeadLetters(database.pool);
    expect(deadLetters.map(({ eventId, error }) => [eventId, error])).toEqual([
      [crashing.id, 'begun and never finished: the process ended meanwhile'],
    ]);
  });

  it('is dead-lettered with its own error when it fails without a crash', async () => {
    const failing = eventRow(1);
    await publishRows([failing]);
    await deliverAndNak(4, 1);
    startTestConsumer(async () => {
      throw new Error('poison');
    });
    const deadLetters = await waitFor(
      async () => {
        const found = await listDeadLetters(database.pool);
        return found.length === 1 && found[0]?.error === 'Error: poison' && found;
      },
      { what: 'the dead letter' },
    );
    expect(deadLetters[0]?.attempts).toBe(4);
  });
});

describe('replayDeadLetters', () => {
  it('applies all that can be applied, and reports the failures of the others', async () => {
    const applied: number[] = [];
    let failing: readonly number[] = [1, 2, 3];
    const apply: Subscription['apply'] = async (_tx, events) => {
      for (const { aggregateversion } of events)
        if (failing.includes(aggregateversion)) throw new Error(`poison ${aggregateversion}`);
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    };
    startTestConsumer(apply);
    await patientJetStream(bus).publish('things.x.y', 'no envelope');
    await publishRows([eventRow(1), eventRow(2), eventRow(3)]);
    // Dead letters of unfinished trials do not count.
    const finished = async () =>
      (await listDeadLetters(database.pool, { durable })).filter(({ error }) => !error.startsWith('begun'));
    await waitFor(async () => (await finished()).length === 4, { what: 'four dead letters' });
    expect(await listDeadLetters(database.pool, { durable: 'another--durable' })).toEqual([]);
    failing = [2];
    const subscription = { stream, durable, filter: 'things.*.*', apply };
    const replaying = replayDeadLetters(database.pool, subscription, async (event) => event);
    await expect(replaying).rejects.toThrow(/2 applied, 2 failed again: .*not an event envelope.*poison 2/);
    expect(applied.toSorted((a, b) => a - b)).toEqual([1, 3]);
    expect(await listDeadLetters(database.pool)).toHaveLength(2);
  });
});
