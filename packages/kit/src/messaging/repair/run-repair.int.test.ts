import { createHash } from 'node:crypto';
import { formatDataRef, type Envelope } from '@procurement/contracts/events/envelope';
import { eventDataSubject } from '@procurement/contracts/events/subjects';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { makeEvent } from '@procurement/testing/event';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectedBus } from '../../../test-support/connected-bus.ts';
import { transact } from '../../database/transaction.ts';
import { secureIds } from '../../runtime/ids.ts';
import { makeMetrics } from '../../runtime/metrics.ts';
import { ensureStream } from '../streams.ts';
import type { Bus } from '../bus.ts';
import { respondFactPages } from './fact-pages.ts';
import { storeVerified } from './stored-position.ts';
import { findRepair, requestRebuild, requestReplay } from './repair-rows.ts';
import { respondTo } from '../request/request.ts';
import { repairCounters, stepRepair, type StepResult } from './run-repair.ts';
import { readAfter } from './stream-range.ts';
import type { Subscription } from '../consume/subscription.ts';

const { log, bus } = connectedBus();
const durable = 'test--things';
let database: TestDatabase;
/** A stream of its own for each test. */
let stream: { readonly name: string; readonly subjects: readonly string[] };
/** Subjects of the events of each transaction. */
let transactions: (readonly string[])[];
let subscription: Subscription;

beforeEach(async () => {
  const name = `things${secureIds.next()}`;
  stream = { name, subjects: [`${name}.>`] };
  database = await freshDatabase('awards');
  await ensureStream(bus(), stream, 1, { ageMaxMs: 3_600_000, bytesMax: 100_000_000 });
  transactions = [];
  subscription = {
    stream,
    durable,
    filter: `${name}.>`,
    factType: 'thing.changed',
    apply: async (_tx, events) => void transactions.push(events.map(({ subject }) => subject)),
  };
});

afterEach(async () => database.drop());

async function publish(subject: string, type = 'thing.changed', large = false): Promise<Envelope> {
  const event = makeEvent({ source: stream.name, type, subject, time: '2026-05-04T10:15:00+03:00', data: { subject } });
  const { data, ...attributes } = event;
  const bytes = JSON.stringify(data);
  const datasha256 = createHash('sha256').update(bytes).digest('hex');
  const reference = { dataref: formatDataRef(event.id), datasize: bytes.length, datasha256 };
  const envelope = large ? { ...attributes, ...reference } : event;
  await bus().jetstream.publish(`${stream.name}.${type.replace('.', '-')}.${subject}`, JSON.stringify(envelope));
  return event;
}

async function beginReplay(): Promise<void> {
  const { created, state } = await bus().manager.streams.info(stream.name);
  await transact(database.pool, async (tx) => {
    await storeVerified(tx, { durable, slot: 0 }, { streamCreatedAt: created, seq: state.last_seq });
    await requestReplay(tx, durable, { reason: 'test', afterSeq: 0, untilSeq: state.last_seq });
  });
}

async function step(on: Bus = bus()): Promise<StepResult> {
  const repair = await findRepair(database.pool, durable);
  if (repair === undefined) throw new Error('no repair is under way');
  const counters = repairCounters(makeMetrics('test'), durable);
  return stepRepair(subscription, { pool: database.pool, bus: on, log, ...counters }, repair);
}

async function repairAll(): Promise<void> {
  while ((await step()) !== 'done');
}

/** Gives the data of these events; returns the ids that were requested. */
function respondData(events: readonly Envelope[]): readonly string[] {
  const requested: string[] = [];
  respondTo(bus(), eventDataSubject(stream.name), log, async (request) => {
    const { id } = request as { readonly id: string };
    requested.push(id);
    const event = events.find((one) => one.id === id);
    return event === undefined ? undefined : Buffer.from(JSON.stringify(event.data)).toString('base64');
  });
  return requested;
}

describe('a replay', () => {
  it('does not end while the server delivers nothing of what is left', async () => {
    await publish('a');
    await beginReplay();
    const silent = { fetch: async () => ({ async *[Symbol.asyncIterator]() {} }) };
    const jetstream = { ...bus().jetstream, consumers: { get: async () => silent } };
    const hung = { connected: () => true, manager: bus().manager, connection: bus().connection, jetstream };
    expect(await step(hung as unknown as Bus)).toBe('waiting');
    expect(await findRepair(database.pool, durable)).toMatchObject({ kind: 'replay', cursor: '0' });
    await repairAll();
    expect(transactions).toEqual([['a']]);
  });

  it('reads the first events of its range, or fails, when another process reads at the same time', async () => {
    for (let n = 1; n <= 60; n += 1) await publish(`a${n}`);
    for (let round = 0; round < 2; round += 1) {
      const reads = await Promise.allSettled([0, 0].map(async (after) => readAfter(bus(), subscription, after, 100)));
      for (const read of reads) {
        if (read.status === 'rejected') continue;
        expect(read.value.map(({ seq }) => seq)).toEqual(read.value.map((_, index) => index + 1));
        expect(read.value).not.toEqual([]);
      }
    }
    expect((await readAfter(bus(), subscription, 0, 100)).length).toBe(60);
  });

  it('holds one large event at a time, and requests data of the types only that are applied', async () => {
    subscription = { ...subscription, types: ['thing.changed'] };
    const events = [
      await publish('a'),
      await publish('b', 'thing.changed', true),
      await publish('c', 'thing.changed', true),
      await publish('d', 'thing.other', true),
      await publish('e'),
    ];
    const requested = respondData(events);
    await beginReplay();
    await repairAll();
    expect(transactions).toEqual([['a', 'b'], ['c'], ['d', 'e']]);
    expect(requested).toEqual([events[1]?.id, events[2]?.id]);
  });

  it('keeps the data of a large event that becomes a dead letter', async () => {
    const event = await publish('a', 'thing.changed', true);
    respondData([event]);
    subscription = { ...subscription, apply: async () => Promise.reject(new Error('unreadable')) };
    await beginReplay();
    await repairAll();
    const { rows } = await database.pool.query<{ envelope: string }>('SELECT envelope FROM kit.dead_letter');
    expect(rows.map(({ envelope }) => JSON.parse(envelope).data)).toEqual([{ subject: 'a' }]);
  });
});

describe('a repair', () => {
  it('that two processes make at once: one of them stores a step and its dead letter, the other nothing', async () => {
    let requests = 0;
    respondFactPages({ bus: bus(), log }, stream, {
      'thing.changed': {
        schema: 'thing.changed/1',
        async keys(after) {
          if (after !== '') return [];
          // Both get the same page.
          requests += 1;
          await waitFor(() => requests === 2, { what: 'both requests' });
          return ['a', 'b'].map((key) => ({ key, bytes: 1 }));
        },
        facts: async (keys) => keys.map((subject) => ({ subject, version: 1, data: {} })),
      },
    });
    const { apply } = subscription;
    subscription = {
      ...subscription,
      async apply(tx, events) {
        if (events.some(({ subject }) => subject === 'b')) throw new Error('unreadable');
        await apply(tx, events);
      },
    };
    await beginReplay();
    await requestRebuild(database.pool, durable, 'test');
    expect((await Promise.all([step(), step()])).toSorted()).toEqual(['advanced', 'waiting']);
    await repairAll();
    const { rows } = await database.pool.query('SELECT subject, error FROM kit.dead_letter');
    expect(rows).toEqual([{ subject: 'b', error: 'Error: unreadable' }]);
  });

  it('reads a bounded number of bytes of rows in a transaction', async () => {
    const rowBytes = async (ids: readonly string[]) => new Map(ids.map((id) => [id, 5_000_000]));
    subscription = { ...subscription, rowBytes };
    for (const subject of ['a', 'b', 'b', 'c']) await publish(subject);
    await beginReplay();
    await repairAll();
    expect(transactions).toEqual([['a'], ['b', 'b'], ['c']]);
    respondFactPages({ bus: bus(), log }, stream, {
      'thing.changed': {
        schema: 'thing.changed/1',
        keys: async (after) => ['a', 'b'].filter((key) => key > after).map((key) => ({ key, bytes: 1 })),
        facts: async (keys) => keys.map((subject) => ({ subject, version: 1, data: {} })),
      },
    });
    transactions = [];
    await requestRebuild(database.pool, durable, 'test');
    await repairAll();
    expect(transactions).toEqual([['a'], ['b']]);
  });
});
