import type { Envelope } from '@procurement/contracts/events/envelope';
import { eventDataSubject } from '@procurement/contracts/events/subjects';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeActiveTraces } from '../../runtime/active-traces.ts';
import { secureIds } from '../../runtime/ids.ts';
import { makeLog } from '../../runtime/log.ts';
import { makeMetrics, type Metrics } from '../../runtime/metrics.ts';
import { makeAppliedAcks, type AppliedAcks } from '../applied-acks.ts';
import { openBus, type Bus } from '../bus.ts';
import { startConsumer, type Consumer } from '../repair/start-consumer.ts';
import { listDeadLetters } from '../dead-letters.ts';
import { replayDeadLetters } from '../consume/replay-dead-letters.ts';
import { fetchEventData } from '../consume/fetch-event-data.ts';
import { purgeEventData, respondEventData } from './event-data.ts';
import { makeOutbox, type Outbox } from './outbox.ts';
import { startRelay, type Relay } from './relay.ts';
import type { Subscription } from '../consume/subscription.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const durable = 'test--things';
const log = makeLog('test', 'warn');
/** Larger than a message of these tests, in three parts. One of the system is eight times as large, and so dear to make and read. */
const LARGE_BYTES = 1_200_000;
const MAX_PAYLOAD = '1MB';
/** Larger than a message of the system. */
const LARGEST_BYTES = 9_000_000;
/** 20 bytes or more in JSON: one that is cheap to read, and characters of one to four bytes and what JSON escapes. */
const PLAIN = 'x'.repeat(20);
const ESCAPED = 'aїक😀"\\\n\u0000';

let testBus: TestBus;
/** Connection of the consumers. The publisher has its own, so that it can be away. */
let bus: Bus;
let ownerBus: Bus;
let owner: TestDatabase;
let follower: TestDatabase;
let outbox: Outbox;
let appliedAcks: AppliedAcks;
let relay: Relay;
let metrics: Metrics;
let consumers: Consumer[];

const service = { service: 'test', stream, streamReplicas: 1, log };

beforeEach(async () => {
  consumers = [];
  metrics = makeMetrics('test');
  [testBus, owner, follower] = await Promise.all([
    freshBus({ maxPayload: MAX_PAYLOAD }),
    freshDatabase('awards'),
    freshDatabase('bids'),
  ]);
  [bus, ownerBus] = await Promise.all([openBus(testBus.url, 'follower', log), openBus(testBus.url, 'owner', log)]);
  const { url: databaseUrl, pool } = owner;
  relay = startRelay({ ...service, databaseUrl, pool, bus, metrics });
  appliedAcks = makeAppliedAcks(bus, secureIds.next(), 60_000);
  const traces = makeActiveTraces();
  outbox = makeOutbox({
    stream: stream.name,
    ids: secureIds,
    appliedAcks,
    traces,
    wake: () => relay.wake(),
  });
  respond(ownerBus);
});

afterEach(async () => {
  await Promise.all(consumers.map(async (consumer) => consumer.stop()));
  await relay.stop();
  await Promise.all([bus.close(), ownerBus.close()]);
  await Promise.all([testBus.stop(), owner.drop(), follower.drop()]);
});

function respond(on: Bus): void {
  respondEventData(stream.name, { bus: on, pool: owner.pool, log });
}

/** Stores an event of the aggregate `subjectId`. Its data say how large it is; returns its id. */
async function storeEvent(subjectId: string, version: number, bytes = 0, piece = PLAIN): Promise<string> {
  const text = piece.repeat(bytes / 20);
  const row = outbox.row(
    {
      type: 'thing.changed',
      schema: 'thing.changed/1',
      subjectId,
      version,
      time: '2026-05-04T10:15:00+03:00',
      data: { id: subjectId, text },
      correlationId: 'r,"data":"',
    },
    { awaitsApplied: true },
  );
  const tx = await owner.pool.connect();
  await outbox.append(tx, [row]);
  tx.release();
  outbox.wake();
  return row.id;
}

/** Starts a consumer that notes aggregate and version of each event, with `*` when it has large data. */
function startNoting(noted: string[], options: Partial<Subscription> = {}): Consumer {
  const apply: Subscription['apply'] = async (_tx, events) => {
    for (const { subject, aggregateversion, data } of events) noted.push(note(subject, aggregateversion, data));
  };
  const subscription = { stream, durable, filter: 'things.*.*', apply, ...options };
  const retryMs = [10, 20];
  const consumer = startConsumer(subscription, {
    ...service,
    pool: follower.pool,
    bus,
    metrics: makeMetrics('f'),
    retryMs,
  });
  consumers.push(consumer);
  return consumer;
}

function note(subject: string, version: number, data: unknown): string {
  // The test makes the data.
  const { id, text } = data as { id: string; text: string };
  expect(id).toBe(subject);
  const isWhole = [PLAIN, ESCAPED].some((piece) => text === piece.repeat(text.length / piece.length));
  expect(isWhole).toBe(true);
  return `${subject}${version}${text.length > 1_000 ? '*' : ''}`;
}

const published = async (): Promise<void> =>
  waitFor(async () => (await relay.backlog()).waiting === 0, { what: 'an empty outbox' }).then(() => undefined);
const applied = async (consumer: Consumer): Promise<unknown> =>
  waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });

describe('an event that is larger than a message', () => {
  it('is published by reference, and applied with its data and in its place', async () => {
    const noted: string[] = [];
    const consumer = startNoting(noted);
    await storeEvent('a', 1);
    const id = await storeEvent('a', 2, LARGEST_BYTES, ESCAPED);
    await storeEvent('a', 3);
    expect(await appliedAcks.awaitApplied(id)).toBe(true);
    await applied(consumer);
    expect(noted).toEqual(['a1', 'a2*', 'a3']);
    const message = await bus.manager.streams.getMessage(stream.name, { seq: 2 });
    const envelope = message?.json<Record<string, unknown>>();
    expect(envelope).toMatchObject({
      id,
      dataref: `urn:procurement:event-data:${id}`,
      aggregateversion: 2,
    });
    expect(envelope).not.toHaveProperty('data');
    expect(envelope?.['datasize']).toBeGreaterThan(8 * 1024 * 1024);
    expect(await listDeadLetters(owner.pool)).toEqual([]);
  });

  it('waits while its publisher is away, with the later events of its aggregate, and holds no other', async () => {
    await ownerBus.close();
    const noted: string[] = [];
    await storeEvent('a', 1);
    await storeEvent('a', 2, LARGE_BYTES);
    for (let version = 3; version <= 8; version += 1) await storeEvent('a', version);
    for (let version = 1; version <= 20; version += 1) await storeEvent('b', version);
    const consumer = startNoting(noted);
    await waitFor(() => noted.length === 21, { what: 'the others' });
    expect(noted.filter((line) => line.startsWith('a'))).toEqual(['a1']);
    // More failures than the retries of an event.
    const deliveries = async (): Promise<number> =>
      (await bus.manager.consumers.info(stream.name, durable)).num_redelivered;
    await waitFor(async () => (await deliveries()) >= 6, { what: 'redeliveries' });
    expect(await listDeadLetters(follower.pool)).toEqual([]);
    await waitFor(async () => (await consumer.lag()) === 7, { what: 'the events of the aggregate' });
    ownerBus = await openBus(testBus.url, 'owner', log);
    respond(ownerBus);
    await applied(consumer);
    const ofA = noted.filter((line) => line.startsWith('a'));
    expect(ofA.slice(0, 2)).toEqual(['a1', 'a2*']);
    expect(ofA.slice(2).toSorted()).toEqual(['a3', 'a4', 'a5', 'a6', 'a7', 'a8']);
    expect(await listDeadLetters(follower.pool)).toEqual([]);
  });

  it('is applied once by two replicas, also when several wait at the same time', async () => {
    const noted: string[] = [];
    for (const subject of ['a', 'b', 'c', 'd']) {
      await storeEvent(subject, 1, LARGE_BYTES);
      await storeEvent(subject, 2);
    }
    const [first, second] = [startNoting(noted), startNoting(noted)];
    await published();
    await applied(first);
    await applied(second);
    expect(noted.toSorted()).toEqual(['a1*', 'a2', 'b1*', 'b2', 'c1*', 'c2', 'd1*', 'd2']);
  });

  it('is not applied again when it is delivered again', async () => {
    const noted: string[] = [];
    const consumer = startNoting(noted);
    const id = await storeEvent('a', 1, LARGE_BYTES);
    await published();
    await applied(consumer);
    const message = await bus.manager.streams.getMessage(stream.name, { seq: 1 });
    await bus.jetstream.publish('things.thing-changed.a', message?.string() ?? '');
    await storeEvent('a', 2);
    await waitFor(() => noted.includes('a2'), { what: 'the next event' });
    await applied(consumer);
    expect(noted).toEqual(['a1*', 'a2']);
    expect(message?.json<Envelope>().id).toBe(id);
  });

  it.each([
    [
      'other data',
      `UPDATE kit.event_data SET data = overlay(data PLACING 'y' FROM 600000)`,
      /does not have the digest/,
    ],
    ['no data, as after a restore', 'DELETE FROM kit.event_data', /does not have the data of the event/],
  ])(
    'becomes a dead letter when its publisher has %s, and is replayed when that is repaired',
    async (_case, sql, error) => {
      const noted: string[] = [];
      await storeEvent('a', 1, LARGE_BYTES);
      await published();
      await owner.pool.query('CREATE TABLE saved AS SELECT * FROM kit.event_data');
      await owner.pool.query(sql);
      await storeEvent('a', 2);
      const consumer = startNoting(noted);
      await applied(consumer);
      expect(noted).toEqual(['a2']);
      const [deadLetter] = await listDeadLetters(follower.pool, { durable });
      expect(deadLetter?.error).toMatch(error);
      await owner.pool.query('DELETE FROM kit.event_data; INSERT INTO kit.event_data SELECT * FROM saved');
      const replay = async (): Promise<number> => {
        const apply: Subscription['apply'] = async (_tx, [event]) =>
          void noted.push(note(event?.subject ?? '', event?.aggregateversion ?? 0, event?.data));
        const subscription = { stream, durable, filter: 'things.*.*', apply };
        return replayDeadLetters(follower.pool, subscription, async (event) => fetchEventData(bus, event));
      };
      // On a slow machine the data come later than a replay waits.
      await waitFor(async () => (await replay()) === 1, { what: 'the replay' });
      expect(noted).toEqual(['a2', 'a1*']);
    },
  );

  it('becomes a dead letter with its data when it cannot be applied', async () => {
    const failing: Subscription['apply'] = async () => {
      throw new Error('poison');
    };
    await storeEvent('a', 1, LARGE_BYTES);
    const consumer = startNoting([], { apply: failing });
    await published();
    await applied(consumer);
    expect(await listDeadLetters(follower.pool)).toMatchObject([{ error: 'Error: poison', attempts: 3 }]);
    await ownerBus.close();
    const noted: string[] = [];
    const apply: Subscription['apply'] = async (_tx, [event]) => void noted.push(note('a', 1, event?.data));
    const unavailable = async (): Promise<undefined> => undefined;
    expect(await replayDeadLetters(follower.pool, { stream, durable, filter: 'things.*.*', apply }, unavailable)).toBe(
      1,
    );
    expect(noted).toEqual(['a1*']);
  });

  it('reaches a consumer that does not read its type without its data', async () => {
    await ownerBus.close();
    await storeEvent('a', 1, LARGE_BYTES);
    const types: string[] = [];
    const consumer = startNoting([], {
      types: ['thing.created'],
      apply: async (_tx, events) => void types.push(...events.map(({ type }) => type)),
    });
    await published();
    await applied(consumer);
    expect(types).toEqual(['thing.changed']);
  });

  it('keeps its data until the stream has discarded it', async () => {
    await storeEvent('a', 1, LARGE_BYTES);
    await published();
    const day = 24 * 3_600_000;
    const count = async (): Promise<number> => (await owner.pool.query('SELECT FROM kit.event_data')).rowCount ?? 0;
    await owner.pool.query(`UPDATE kit.event_data SET published_at = now() - interval '30 days'`);
    const client = await owner.pool.connect();
    await purgeEventData(client, 30 * day);
    expect(await count()).toBe(1);
    await purgeEventData(client, 28 * day);
    client.release();
    expect(await count()).toBe(0);
  });

  it('is published again after NATS lost its data, also when its own data was purged', async () => {
    await storeEvent('a', 1, LARGE_BYTES);
    await published();
    await owner.pool.query('DELETE FROM kit.event_data');
    await bus.manager.streams.delete(stream.name);
    await owner.pool.query('UPDATE kit.outbox SET sent_at = NULL');
    await published();
    const noted: string[] = [];
    const consumer = startNoting(noted);
    await applied(consumer);
    await waitFor(() => noted.length === 1, { what: 'the event' });
    expect(noted).toEqual(['a1*']);
  });

  it('becomes a dead letter of the relay when its publisher does not know it', async () => {
    expect(eventDataSubject('things')).toBe('ask.things.event-data');
    await owner.pool.query(
      `INSERT INTO kit.outbox (id, subject, envelope) VALUES (gen_random_uuid(), 'things.x.a', repeat('x', 9000000))`,
    );
    await storeEvent('a', 1);
    await published();
    expect(await listDeadLetters(owner.pool, { durable: 'relay' })).toMatchObject([
      { error: expect.stringMatching(/no event/) },
    ]);
    expect((await bus.manager.streams.info(stream.name)).state.messages).toBe(1);
  });
});
