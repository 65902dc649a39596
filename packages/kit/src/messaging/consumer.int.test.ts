import { mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AckPolicy } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { freePorts } from '@procurement/local-stack/ports';
import { startPostgres } from '@procurement/local-stack/postgres';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ensureStream, openBus, type Bus } from './bus.ts';
import { startConsumer, type Consumer, type ConsumerDeps } from './consumer.ts';
import { makePool } from '../database/pool.ts';
import { ConflictError } from '../database/transaction.ts';
import { beginTrial, listDeadLetters, replayDeadLetters } from './dead-letters.ts';
import { secureIds } from '../runtime/ids.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { applyMigrations } from '../database/migrate.ts';
import { makeOutbox, type Outbox, type OutboxRow } from './outbox.ts';
import { makeAppliedAcks, APPLIED_ACK_HEADER, type AppliedAcks } from './applied-acks.ts';
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
  { level: 'warn' },
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
  appliedAcks = makeAppliedAcks(bus, secureIds.next(), 200);
  outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => undefined });
});

afterEach(async () => {
  await Promise.all(consumers.map(async (consumer) => consumer.stop()));
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

function startTestConsumer(apply: Subscription['apply'], deps: Partial<ConsumerDeps & Subscription> = {}): Consumer {
  const metrics = makeMetrics('test');
  const consumerDeps = { pool: database.pool, bus, log, metrics, streamReplicas: 1, retryMs: [10, 20, 40], ...deps };
  const acksApplied = deps.acksApplied === undefined ? {} : { acksApplied: deps.acksApplied };
  const consumer = startConsumer({ stream, durable, filter: 'things.*.*', apply, ...acksApplied }, consumerDeps);
  consumers.push(consumer);
  return consumer;
}

function eventRow(version: number, awaitsApplied = false): OutboxRow {
  const time = '2026-05-04T10:15:00+03:00';
  const event = { type: 'thing.changed', schema: 'thing.changed/1', subjectId: `a${version % 9}`, version, time };
  return outbox.row({ ...event, data: {}, correlationId: 'r' }, { awaitsApplied });
}

async function publishRows(rows: readonly OutboxRow[]): Promise<void> {
  await Promise.all(rows.map(async ({ subject, envelope }) => bus.jetstream.publish(subject, envelope)));
}

const eventRows = (count: number): OutboxRow[] => Array.from({ length: count }, (_, n) => eventRow(n + 1));

/** Delivers what waits so many times and gives it back, as to processes that die before they acknowledge. */
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

describe('a consumer', () => {
  it('loses nothing, applies nothing twice and blames no event when PostgreSQL is killed under it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'procurement-kill-'));
    chmodSync(folder, 0o755);
    const { postgres: port } = await freePorts();
    const wish = { dataDir: join(folder, 'data'), port, password: 'test', logFile: join(folder, 'log'), durable: true };
    let postgres = await startPostgres(wish);
    onTestFinished(async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const url = postgres.urlOf('postgres');
    await applyMigrations(
      url,
      fileURLToPath(new URL('../../../../services/awards/prisma/migrations', import.meta.url)),
    );
    const pool = makePool({ url, name: 'test', connectionsMax: 4, log });
    await pool.query('CREATE TABLE applied (sequence int)');
    let failing = 0;
    const consumer = startTestConsumer(
      async (tx, events) => {
        if (failing > 0 && events.some(({ sequence }) => sequence === 1_000)) {
          failing -= 1;
          throw new Error('a bad moment');
        }
        await tx.query('INSERT INTO applied SELECT unnest($1::int[])', [events.map(({ sequence }) => sequence)]);
      },
      { pool },
    );
    const appliedCount = async (): Promise<number> =>
      (await pool.query('SELECT count(*)::int AS n FROM applied')).rows[0].n;
    const all = eventRows(1_000);

    // Once in the middle of many events.
    await publishRows(all.slice(0, 999));
    await waitFor(async () => (await appliedCount()) > 0, { what: 'some events' });
    await postgres.child.stop('SIGKILL');
    postgres = await startPostgres(wish);
    await waitFor(async () => (await appliedCount()) >= 999, { what: 'the others' });

    // Once for longer than an event has attempts: none of them may count against it, so that a bad moment may still follow.
    await postgres.child.stop('SIGKILL');
    const before = logMessages.length;
    await publishRows(all.slice(999));
    await waitFor(() => logMessages.slice(before).filter((line) => line === 'database away').length > 5, {
      what: 'retries',
    });
    failing = 2;
    postgres = await startPostgres(wish);
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    const { rows } = await pool.query(
      'SELECT count(DISTINCT sequence)::int AS different, count(*)::int AS all FROM applied',
    );
    expect(rows[0]).toEqual({ different: 1_000, all: 1_000 });
    expect(await listDeadLetters(pool)).toEqual([]);
    await consumer.stop();
    await pool.end();
  });

  it('never puts an event aside because others held the lock', async () => {
    let lost = 5;
    const applied: number[] = [];
    const consumer = startTestConsumer(
      async (_tx, events) => {
        if ((lost -= 1) > 0) throw new ConflictError(new Error('lock timeout'));
        applied.push(...events.map(({ sequence }) => sequence));
      },
      { retryMs: [10] },
    );
    await publishRows([eventRow(1)]);
    await waitFor(() => applied.length > 0, { what: 'the event', timeoutMs: 20_000 });
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    expect(await listDeadLetters(database.pool)).toEqual([]);
  });

  it('hands back what waits when it is stopped, so that the next has it at once', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const applied = new Set<number>();
    const apply: Subscription['apply'] = async (_tx, events) => {
      await gate;
      for (const { sequence } of events) applied.add(sequence);
    };
    const first = startTestConsumer(apply);
    await publishRows(eventRows(700));
    await waitFor(async () => (await bus.manager.consumers.info(stream.name, durable)).num_ack_pending >= 500, {
      what: 'events in hand',
    });
    const stopping = first.stop();
    open();
    await stopping;
    expect(applied.size).toBeLessThan(700);
    startTestConsumer(apply);
    // Without handing back, the server would wait 30 seconds for an acknowledgement.
    await waitFor(() => applied.size === 700, { what: 'the others', timeoutMs: 10_000 });
  });

  it('follows again when the server lost stream and durable', async () => {
    const applied: number[] = [];
    startTestConsumer(async (_tx, events) => {
      applied.push(...events.map(({ sequence }) => sequence));
    });
    await publishRows([eventRow(1)]);
    await waitFor(() => applied.length === 1, { what: 'the first event' });
    await bus.manager.streams.delete(stream.name);
    await waitFor(async () => bus.manager.consumers.info(stream.name, durable), {
      what: 'the durable',
      timeoutMs: 15_000,
    });
    await publishRows([eventRow(2)]);
    await waitFor(() => applied.length === 2, { what: 'the second event' });
    expect(applied).toEqual([1, 2]);
  });

  it('leaves the number of deliveries unlimited, also of a durable made with a limit', async () => {
    await deliverAndNak(0, 0);
    const setting = async (): Promise<number | undefined> =>
      (await bus.manager.consumers.info(stream.name, durable)).config.max_deliver;
    expect(await setting()).toBe(1_000);
    startTestConsumer(async () => undefined);
    await waitFor(async () => (await setting()) === -1, { what: 'the new setting' });
  });

  it('answers waiting writers only where their event shows', async () => {
    const publishSettling = async (): Promise<boolean> => {
      const { id, subject, envelope, replyTo } = eventRow(1, true);
      const head = headers();
      head.set(APPLIED_ACK_HEADER, replyTo ?? '');
      await bus.jetstream.publish(subject, envelope, { headers: head });
      return appliedAcks.awaitApplied(id);
    };
    const elsewhere = startTestConsumer(async () => undefined, { acksApplied: false });
    expect(await publishSettling()).toBe(false);
    await elsewhere.stop();
    startTestConsumer(async () => undefined);
    await waitFor(publishSettling, { what: 'an answer' });
  });
});

describe('an event that may be what ends the process', () => {
  const letterOf = ({ id, subject, envelope }: OutboxRow) => ({ durable, eventId: id, subject, envelope });

  it('is applied when it was not begun before, or once, and leaves no letter', async () => {
    const [never, once] = [eventRow(1), eventRow(2)];
    await publishRows([never, once]);
    await deliverAndNak(4, 2);
    await beginTrial(database.pool, letterOf(once));
    const applied: number[] = [];
    const consumer = startTestConsumer(async (_tx, events) => {
      expect(events).toHaveLength(1);
      applied.push(...events.map(({ sequence }) => sequence));
    });
    await waitFor(async () => (await consumer.lag()) === 0 && applied.length === 2, { what: 'both events' });
    expect(await listDeadLetters(database.pool)).toEqual([]);
  });

  it('is left aside when it was begun twice and never finished', async () => {
    const [deadly, usual] = [eventRow(1), eventRow(2)];
    await publishRows([deadly, usual]);
    await deliverAndNak(4, 2);
    expect(await beginTrial(database.pool, letterOf(deadly))).toBe(1);
    expect(await beginTrial(database.pool, letterOf(deadly))).toBe(2);
    const applied: number[] = [];
    const consumer = startTestConsumer(async (_tx, events) => {
      applied.push(...events.map(({ sequence }) => sequence));
    });
    await waitFor(async () => (await consumer.lag()) === 0 && applied.length === 1, { what: 'the usual event' });
    expect(applied).toEqual([2]);
    const letters = await listDeadLetters(database.pool);
    expect(letters.map(({ eventId, error }) => [eventId, error])).toEqual([
      [deadly.id, 'begun and never finished: the process ended meanwhile'],
    ]);
  });

  it('is put aside with its own error when it merely fails', async () => {
    const failing = eventRow(1);
    await publishRows([failing]);
    await deliverAndNak(4, 1);
    startTestConsumer(async () => {
      throw new Error('poison');
    });
    const letters = await waitFor(
      async () => {
        const found = await listDeadLetters(database.pool);
        return found.length === 1 && found[0]?.error === 'Error: poison' && found;
      },
      { what: 'the letter' },
    );
    expect(letters[0]?.attempts).toBe(4);
  });
});

describe('replaying dead letters', () => {
  it('applies what can be applied, whatever else lies there, and tells of the rest', async () => {
    const applied: number[] = [];
    let bad: readonly number[] = [1, 2, 3];
    const apply: Subscription['apply'] = async (_tx, events) => {
      for (const { sequence } of events) if (bad.includes(sequence)) throw new Error(`poison ${sequence}`);
      applied.push(...events.map(({ sequence }) => sequence));
    };
    startTestConsumer(apply);
    await bus.jetstream.publish('things.x.y', 'no envelope');
    await publishRows([eventRow(1), eventRow(2), eventRow(3)]);
    // A letter that is written before a try is no end yet.
    const ended = async () =>
      (await listDeadLetters(database.pool, durable)).filter(({ error }) => !error.startsWith('begun'));
    await waitFor(async () => (await ended()).length === 4, { what: 'four letters' });
    expect(await listDeadLetters(database.pool, 'another--durable')).toEqual([]);
    bad = [2];
    const replaying = replayDeadLetters(database.pool, { stream, durable, filter: 'things.*.*', apply });
    await expect(replaying).rejects.toThrow(/2 applied, 2 failed again: .*not an envelope of ours.*poison 2/);
    expect(applied.toSorted((a, b) => a - b)).toEqual([1, 3]);
    expect(await listDeadLetters(database.pool)).toHaveLength(2);
  });
});
