import type { Envelope } from '@procurement/contracts/events/envelope';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patientJetStream } from '../../test-support/patient-jetstream.ts';
import { ensureStream } from './streams.ts';
import { openBus, type Bus } from './bus.ts';
import { startConsumer, type Consumer } from './repair/start-consumer.ts';
import type { Subscription } from './consume/subscription.ts';
import { replayDeadLetters } from './consume/replay-dead-letters.ts';
import { secureIds } from '../runtime/ids.ts';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { makeOutbox, type Outbox } from './publish/outbox.ts';
import { respondTo, sendRequest } from './request/request.ts';
import { startRelay, type Relay, type RelayOptions } from './publish/relay.ts';
import { makeAppliedAcks } from './applied-acks.ts';

// Any service would do: all have the tables of outbox, inbox and dead letters.
const SERVICE = 'awards';
const stream = { name: 'things', subjects: ['things.>'] };
const log = makeLog('test', 'silent' as 'fatal');
const ACK_WAIT_MS = 60_000;

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;
let outbox: Outbox;
let relays: Relay[];
let consumers: Consumer[];

beforeEach(async () => {
  [testBus, database] = await Promise.all([freshBus(), freshDatabase(SERVICE)]);
  bus = await openBus(testBus.url, 'test', log);
  await ensureStream(bus, stream, 1);
  relays = [];
  consumers = [];
  const appliedAcks = makeAppliedAcks(bus, secureIds.next(), ACK_WAIT_MS);
  const wake = (): void => relays.forEach((relay) => relay.wake());
  outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake });
});

afterEach(async () => {
  await Promise.all(consumers.map(async (consumer) => consumer.stop()));
  await Promise.all(relays.map(async (relay) => relay.stop()));
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

function startTestRelay(options: Partial<RelayOptions> = {}): Relay {
  const metrics = makeMetrics('test');
  const started = startRelay({
    service: 'test',
    stream,
    streamReplicas: 1,
    databaseUrl: database.url,
    pool: database.pool,
    bus,
    log,
    metrics,
    ...options,
  });
  relays.push(started);
  return started;
}

function buildSubscription(apply: Subscription['apply']): Subscription {
  return { stream, durable: 'test--things', filter: 'things.*.*', apply };
}

function startTestConsumer(apply: Subscription['apply']): Consumer {
  const subscription = buildSubscription(apply);
  const deps = {
    pool: database.pool,
    bus,
    log,
    metrics: makeMetrics('test'),
    retryMs: [10, 20, 40],
  };
  const started = startConsumer(subscription, deps);
  consumers.push(started);
  return started;
}

const buildEvent = (subjectId: string, version: number, type = 'thing.changed') => ({
  type,
  schema: `${type}/1`,
  subjectId,
  version,
  time: '2026-05-04T10:15:00+03:00',
  data: { id: subjectId, version },
  correlationId: 'req-1',
});

async function storeEvents(events: readonly ReturnType<typeof buildEvent>[], awaitsApplied = false) {
  const rows = events.map((one) => outbox.row(one, { awaitsApplied }));
  const tx = await database.pool.connect();
  await outbox.append(tx, rows);
  tx.release();
  outbox.wake();
  return rows;
}

async function messagesInStream(): Promise<{ id: string | undefined; event: Envelope }[]> {
  const { state } = await bus.manager.streams.info(stream.name);
  const found = [];
  for (let seq = state.first_seq; seq <= state.last_seq && seq > 0; seq += 1) {
    const message = await bus.manager.streams.getMessage(stream.name, { seq });
    if (message !== null) found.push({ id: message.header.get('Nats-Msg-Id'), event: message.json<Envelope>() });
  }
  return found;
}

const countUnsent = async (): Promise<number> =>
  Number((await database.pool.query('SELECT count(*) FROM kit.outbox WHERE sent_at IS NULL')).rows[0].count);

describe('startRelay', () => {
  it('publishes stored rows once and in order, and marks them', async () => {
    startTestRelay();
    await storeEvents(Array.from({ length: 300 }, (_, n) => buildEvent('a', n + 1)));
    await waitFor(async () => (await countUnsent()) === 0, { what: 'an empty outbox' });
    const published = await messagesInStream();
    expect(published.map(({ event: { aggregateversion } }) => aggregateversion)).toEqual(
      Array.from({ length: 300 }, (_, n) => n + 1),
    );
  });

  it('publishes again, without duplicates in the stream, rows that a killed relay had not marked', async () => {
    let publishedOnce = false;
    const dying = startTestRelay({
      beforeMark: async () => {
        publishedOnce = true;
        throw new Error('killed');
      },
    });
    await storeEvents([buildEvent('a', 1), buildEvent('a', 2)]);
    await waitFor(async () => publishedOnce && (await messagesInStream()).length === 2, { what: 'the publish' });
    expect(await countUnsent()).toBe(2);
    await dying.stop();
    startTestRelay();
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the mark' });
    expect((await messagesInStream()).map(({ event: { aggregateversion } }) => aggregateversion)).toEqual([1, 2]);
  });

  it('is active once per database, and another relay takes over', async () => {
    const first = startTestRelay();
    await storeEvents([buildEvent('a', 1)]);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the first relay' });
    startTestRelay();
    await first.stop();
    await storeEvents([buildEvent('a', 2)]);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the second relay' });
    expect(await messagesInStream()).toHaveLength(2);
  });

  it('loses and reorders nothing when nats-server is killed', async () => {
    startTestRelay();
    let version = 0;
    for (let round = 0; round < 3; round += 1) {
      await storeEvents(Array.from({ length: 200 }, () => buildEvent('a', (version += 1))));
      await testBus.kill();
      await storeEvents(Array.from({ length: 200 }, () => buildEvent('a', (version += 1))));
      await testBus.restart();
      await waitFor(async () => (await countUnsent()) === 0, { what: 'an empty outbox' });
    }
    const sequences = (await messagesInStream()).map(({ event: { aggregateversion } }) => aggregateversion);
    expect(sequences).toEqual(Array.from({ length: version }, (_, n) => n + 1));
  });
});

describe('openBus', () => {
  it('opens again when the connection was closed for good, with its subscriptions, relay and consumers', async () => {
    const applied: number[] = [];
    startTestRelay();
    startTestConsumer(async (_tx, events) => {
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    });
    respondTo(bus, 'ask.things', log, async () => 'found');
    await storeEvents([buildEvent('a', 1)]);
    await waitFor(() => applied.length === 1, { what: 'the first event' });
    for (const version of [2, 3]) {
      await bus.connection.close();
      expect(bus.connected()).toBe(false);
      await storeEvents([buildEvent('a', version)]);
      await waitFor(() => bus.connected(), { what: 'a new connection' });
      await waitFor(() => applied.length === version, { what: 'the event stored meanwhile' });
      expect(await sendRequest(bus, 'ask.things', {}, 60_000)).toEqual({ kind: 'answer', value: 'found' });
      // A writer is acknowledged on the new connection.
      const awaited = await storeEvents([buildEvent('b', version)], true);
      const startedMs = performance.now();
      await outbox.awaitApplied(awaited);
      expect(performance.now() - startedMs).toBeLessThan(ACK_WAIT_MS);
      applied.pop();
    }
    expect(applied).toEqual([1, 2, 3]);
  });

  it('redelivers what was in flight when the connection was closed for good, and applies it once', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const applied: number[] = [];
    const consumer = startTestConsumer(async (_tx, events) => {
      await gate;
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    });
    startTestRelay();
    await storeEvents([buildEvent('a', 1), buildEvent('a', 2)]);
    await waitFor(async () => (await bus.manager.consumers.info(stream.name, 'test--things')).num_ack_pending === 2, {
      what: 'events in flight',
    });
    await bus.connection.close();
    open();
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    expect(applied).toEqual([1, 2]);
  });
});

describe('startConsumer', () => {
  it('applies each event once and in order, also when it is delivered several times', async () => {
    const applied: number[] = [];
    startTestConsumer(async (_tx, events) => {
      applied.push(...events.map(({ aggregateversion }) => aggregateversion));
    });
    const rows = [1, 2, 3].map((version) => outbox.row(buildEvent('a', version)));
    for (const { subject, envelope } of [...rows, ...rows, ...rows])
      await patientJetStream(bus).publish(subject, envelope);
    await waitFor(async () => (await consumers[0]?.lag()) === 0 && applied.length > 0, { what: 'no lag' });
    expect(applied).toEqual([1, 2, 3]);
  });

  it('acknowledges applied events to the writer, which stops waiting after its time-out otherwise', async () => {
    startTestRelay();
    const hasty = makeAppliedAcks(bus, secureIds.next(), 100);
    hasty.replySubjectFor('of no consumer');
    expect(await hasty.awaitApplied('of no consumer')).toBe(false);
    await storeEvents([buildEvent('a', 1)], true);
    let applied = 0;
    startTestConsumer(async (_tx, events) => {
      applied += events.length;
    });
    await waitFor(() => applied === 1, { what: 'the first event' });
    await outbox.awaitApplied(await storeEvents([buildEvent('a', 2)], true));
    expect(applied).toBe(2);
  });

  it('dead-letters a failing event with its error, applies the others, and applies it on replay', async () => {
    const applied: number[] = [];
    let poisonous = true;
    const apply: Subscription['apply'] = async (_tx, events) => {
      for (const { aggregateversion } of events) {
        if (aggregateversion === 2 && poisonous) throw new Error('poison');
        applied.push(aggregateversion);
      }
    };
    const consumer = startTestConsumer(apply);
    const rows = [1, 2, 3].map((version) => outbox.row(buildEvent(`a${version}`, version)));
    for (const { subject, envelope } of rows) await patientJetStream(bus).publish(subject, envelope);
    await waitFor(() => applied.includes(1) && applied.includes(3), { what: 'the others' });
    // A suspect's dead letter is written before each trial; it has the event's own error only when the event is given up.
    const givenUpSql = "SELECT * FROM kit.dead_letter WHERE error LIKE 'Error:%'";
    const dead = await waitFor(async () => (await database.pool.query(givenUpSql)).rows[0], {
      what: 'the dead letter',
    });
    expect(dead).toMatchObject({ durable: 'test--things', error: 'Error: poison', attempts: 4 });
    await waitFor(async () => (await consumer.lag()) === 0, { what: 'no lag' });
    poisonous = false;
    const replay = async () => replayDeadLetters(database.pool, buildSubscription(apply), async (event) => event);
    expect(await replay()).toBe(1);
    expect(applied.filter((aggregateversion) => aggregateversion === 2)).toEqual([2]);
    expect(await replay()).toBe(0);
  });

  it('dead-letters a message that is not an event envelope', async () => {
    startTestConsumer(async () => undefined);
    await patientJetStream(bus).publish('things.x.y', 'not json \u0000');
    const dead = await waitFor(async () => (await database.pool.query('SELECT * FROM kit.dead_letter')).rows[0], {
      what: 'the dead letter',
    });
    expect(dead).toMatchObject({ event_id: null, error: 'not an event envelope' });
  });

  it('continues, and applies nothing twice, when connections to PostgreSQL are terminated', async () => {
    await database.pool.query('CREATE TABLE applied (aggregateversion int)');
    startTestConsumer(async (tx, events) => {
      await tx.query('INSERT INTO applied SELECT unnest($1::int[])', [
        events.map(({ aggregateversion }) => aggregateversion),
      ]);
    });
    startTestRelay();
    for (let round = 0; round < 10; round += 1) {
      await storeEvents(Array.from({ length: 50 }, (_, n) => buildEvent('a', round * 50 + n + 1)));
      const others =
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
      await database.pool.query(others);
    }
    const counted = async (): Promise<number> =>
      Number((await database.pool.query('SELECT count(*) FROM applied')).rows[0].count);
    await waitFor(async () => (await counted()) >= 500, { what: '500 events' });
    const { rows } = await database.pool.query(
      'SELECT count(DISTINCT aggregateversion) AS different, count(*) AS all FROM applied',
    );
    expect(rows[0]).toEqual({ different: '500', all: '500' });
  });
});
