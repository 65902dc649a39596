import { Envelope } from '@procurement/contracts/events/envelope';
import { freshBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { secureIds } from '../runtime/ids.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { makeAppliedAcks } from './applied-acks.ts';
import { patientJetStream } from '../../test-support/patient-jetstream.ts';
import { ensureStream, openBus, type Bus } from './bus.ts';
import { startConsumer, type Consumer } from './consumer.ts';
import { listDeadLetters } from './dead-letters.ts';
import { beginWaits, endWaitsPart } from './flow-waits.ts';
import { makeOutbox } from './outbox.ts';
import { storeFactsAtPosition, storeVerified } from './positions.ts';
import { replicaSubscription } from './replica.ts';
import type { Subscription } from './subscription.ts';

const Thing = z.object({ id: z.string(), version: z.int() });
const types = ['thing.changed'];
const log = pino({ level: 'silent' });

let bus: Bus;
let database: TestDatabase;
let stream: { readonly name: string; readonly subjects: string[] };
let durable: string;
let consumer: Consumer | undefined;
let run = 0;

beforeAll(async () => {
  database = await freshDatabase('awards');
  const server = await freshBus();
  bus = await openBus(server.url, 'test', log);
  return async () => {
    await bus.close();
    await server.stop();
    await database.drop();
  };
});

beforeEach(async () => {
  run += 1;
  durable = `test--things-${run}`;
  stream = { name: `things${run}`, subjects: [`things${run}.>`] };
  await ensureStream(bus, stream, 1);
});

afterEach(async () => {
  await consumer?.stop();
  consumer = undefined;
});

const replica = () =>
  replicaSubscription(
    { kind: durable, schema: Thing, types, stream, filter: `${stream.name}.*.*`, facts: 'thing.changed' },
    durable,
  );

/** Starts a consumer, and collects the texts of the statements that it sends after its first check. */
async function start(subscription: Subscription): Promise<readonly string[]> {
  const statements: string[] = [];
  const { pool } = database;
  const counting = new Proxy(pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: readonly { readonly name?: string }[]) => {
        if (key === 'query') statements.push(args[0]?.name ?? 'unnamed');
        if (key === 'connect') statements.push('transaction');
        return value.apply(target, args);
      };
    },
  });
  consumer = startConsumer(subscription, {
    pool: counting,
    bus,
    log,
    metrics: makeMetrics('test'),
    retryMs: [10],
    checkPositionEveryMs: 600_000,
  });
  await waitFor(async () => (await consumer?.lag()) === 0 && statements.includes('transaction'), { what: 'the check' });
  statements.length = 0;
  return statements;
}

const outbox = () =>
  makeOutbox({
    stream: stream.name,
    ids: secureIds,
    appliedAcks: makeAppliedAcks(bus, secureIds.next(), 1),
    wake: () => undefined,
  });

function rowOf(id: string, version: number, data: object = { id, version }) {
  const event = { type: 'thing.changed', schema: 'thing.changed/1', subjectId: id, version, correlationId: 'r' };
  return outbox().row({ ...event, time: '2026-05-04T10:15:00+03:00', data });
}

type Row = ReturnType<typeof rowOf>;

async function publish(rows: readonly Row[]): Promise<void> {
  await Promise.all(rows.map(async ({ subject, envelope }) => patientJetStream(bus).publish(subject, envelope)));
}

async function query<T>(text: string, values: readonly unknown[]): Promise<T[]> {
  return (await database.pool.query(text, [...values])).rows;
}

async function copies(): Promise<Record<string, number>> {
  const text = 'SELECT id, version FROM replica WHERE kind = $1';
  const rows = await query<{ id: string; version: string }>(text, [durable]);
  return Object.fromEntries(rows.map(({ id, version }) => [id, Number(version)]));
}

const applied = async () => waitFor(async () => (await consumer?.lag()) === 0, { what: 'no lag' });
const marks = async () => query('SELECT FROM inbox WHERE durable = $1', [durable]);
const position = async () =>
  (
    await query<{ seq: number }>('SELECT max(applied_seq)::int AS seq FROM consumer_position WHERE durable = $1', [
      durable,
    ])
  )[0]?.seq;

describe('facts', () => {
  it('of many events are stored in one statement, without marks in the inbox; late and repeated ones change nothing', async () => {
    const rows = [
      rowOf('a', 3),
      rowOf('a', 2),
      rowOf('b', 1),
      ...Array.from({ length: 40 }, (_, n) => rowOf(`c${n}`, 1)),
    ];
    const statements = await start({ ...replica(), gatherMs: 300 });
    await publish([...rows, ...rows]);
    await applied();
    expect(await copies()).toMatchObject({ a: 3, b: 1, c39: 1 });
    expect(statements.filter((name) => name === 'replica-follow')).toHaveLength(statements.length);
    expect(statements.length).toBeLessThan(rows.length);
    expect(await marks()).toHaveLength(0);
    expect(await position()).toBe((await bus.manager.streams.info(stream.name)).state.last_seq);
  });

  it('that cannot be stored become dead letters alone', async () => {
    await start({ ...replica(), gatherMs: 100 });
    const bad = rowOf('bad', 1, { id: 'bad', version: 'x' });
    await publish([rowOf('a', 1), bad, rowOf('b', 1)]);
    await waitFor(async () => (await listDeadLetters(database.pool, { durable })).length === 1, {
      what: 'the dead letter',
    });
    await applied();
    expect(await copies()).toEqual({ a: 1, b: 1 });
  });

  it('are applied in a transaction when the condition of the statement says so', async () => {
    const things = replica();
    const text = `EXISTS (SELECT FROM unnest(:1::text[]) AS id WHERE id LIKE 'special%')`;
    const transactions: string[] = [];
    const statements = await start({
      ...things,
      async apply(tx, events) {
        transactions.push(...events.map(({ subject }) => subject));
        await things.apply(tx, events);
      },
      factsStatement: (events) => ({
        ...things.factsStatement(events),
        name: 'unless-special',
        unless: { text, values: [events.map(({ subject }) => subject)] },
      }),
    });
    await publish([rowOf('special1', 1)]);
    await applied();
    expect([transactions, statements]).toEqual([['special1'], ['unless-special', 'transaction']]);
    expect(await marks()).toHaveLength(1);
    await publish([rowOf('plain', 1)]);
    await applied();
    expect([transactions, await copies()]).toEqual([['special1'], { special1: 1, plain: 1 }]);
  });

  it('are not stored, and waits not ended, in a database that lost its position', async () => {
    const { pool } = database;
    const row = { durable, slot: 3 };
    const reached = { streamCreatedAt: 'now', seq: 7 };
    const wait = { flow: durable, id: 'a', version: 2 };
    const client = await pool.connect();
    await storeVerified(client, row, { ...reached, seq: 5 }).finally(() => client.release());
    await beginWaits(pool, [wait]);
    const event = Envelope.parse(JSON.parse(rowOf('a', 1).envelope));
    const { writes } = replica().factsStatement([event]);
    const statement = { name: 'with-waits', writes: [...writes, endWaitsPart([wait])] };
    const waiting = async () => query('SELECT FROM flow_wait WHERE flow = $1', [durable]);
    expect(await storeFactsAtPosition(pool, row, { reached, knownSeq: 6 }, statement)).toBe(false);
    expect(await storeFactsAtPosition(pool, { durable, slot: 4 }, { reached, knownSeq: 5 }, statement)).toBe(false);
    expect([await copies(), await position(), (await waiting()).length]).toEqual([{}, 5, 1]);
    expect(await storeFactsAtPosition(pool, row, { reached, knownSeq: 5 }, statement)).toBe(true);
    expect([await copies(), await position(), (await waiting()).length]).toEqual([{ a: 1 }, 7, 0]);
  });
});
