import { isDeepStrictEqual } from 'node:util';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ensureStream } from '../streams.ts';
import { openBus, type Bus } from '../bus.ts';
import { ensureConsumer } from '../consume/ensure-consumer.ts';
import { startConsumer, type Consumer } from './start-consumer.ts';
import { listDeadLetters } from '../dead-letters.ts';
import { respondFactPages } from './fact-pages.ts';
import { rebuildNow } from './rebuild-command.ts';
import { makeOutbox, type Outbox } from '../publish/outbox.ts';
import { makeAppliedAcks } from '../applied-acks.ts';
import { replicaSubscription } from '../consume/replica.ts';
import { secureIds } from '../../runtime/ids.ts';
import { makeMetrics, type Metrics } from '../../runtime/metrics.ts';
import { makeSignal } from '../../runtime/signal.ts';
import type { Subscription } from '../consume/subscription.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const durable = 'test--things';
const filter = 'things.thing-changed.*';
const Thing = z.object({ id: z.string(), version: z.int() });

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;
let outbox: Outbox;
let consumers: Consumer[];
let logLines: { readonly msg: string; readonly level: number; readonly reason?: string }[];
/** The owner: the versions of its things. */
let owned: Map<string, number>;
let ownerIsAway: boolean;
/** Where each requested page begins: after this key. A slow machine repeats a request. */
let pagesAfter: string[];
let metrics: Metrics;
let applied: number;

const log = pino({ level: 'info' }, { write: (line) => void logLines.push(JSON.parse(line)) });

beforeEach(async () => {
  logLines = [];
  consumers = [];
  owned = new Map();
  ownerIsAway = false;
  pagesAfter = [];
  applied = 0;
  // A check ends the wait for a transaction that is blocked by the limits of production.
  [testBus, database] = await Promise.all([freshBus(), freshDatabase('awards', 'production')]);
  bus = await openBus(testBus.url, 'test', log);
  await ensureStream(bus, stream, 1);
  const appliedAcks = makeAppliedAcks(bus, secureIds.next(), 1);
  outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => undefined });
  respondFactPages({ bus, log }, stream, {
    'thing.changed': {
      schema: 'thing.changed/1',
      async keys(after, max) {
        pagesAfter.push(after);
        if (ownerIsAway) throw new Error('away');
        const keys = [...owned.keys()].filter((key) => key > after).toSorted();
        // Three facts fill a page.
        return keys.slice(0, max).map((key) => ({ key, bytes: 300_000 }));
      },
      async existing(keys) {
        if (ownerIsAway) throw new Error('away');
        return keys.filter((key) => owned.has(key));
      },
      facts: async (keys) =>
        keys.map((id) => ({ subject: id, version: owned.get(id) ?? 0, data: { id, version: owned.get(id) } })),
    },
  });
});

afterEach(async () => {
  await Promise.all(consumers.map(async (consumer) => consumer.stop()));
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

const things: Subscription = replicaSubscription(
  { kind: 'thing', schema: Thing, types: ['thing.changed'], stream, filter, factType: 'thing.changed' },
  durable,
);

function start(subscription: Subscription = things, checkPositionEveryMs = 100): Consumer {
  metrics = makeMetrics('test');
  const { apply } = subscription;
  const counting: Subscription = {
    ...subscription,
    async apply(tx, events) {
      await apply(tx, events);
      applied += events.length;
    },
  };
  const deps = { pool: database.pool, bus, log, metrics, streamReplicas: 1, retryMs: [10], checkPositionEveryMs };
  const consumer = startConsumer(counting, deps);
  consumers.push(consumer);
  return consumer;
}

/** Changes a thing at its owner. */
function own(id: string): void {
  owned.set(id, (owned.get(id) ?? 0) + 1);
}

/** Changes things at their owner and publishes the events. */
async function change(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    own(id);
    await publish(id);
  }
}

/** Publishes the event of the last change of a thing. */
async function publish(id: string): Promise<void> {
  const version = owned.get(id) ?? 0;
  const event = { type: 'thing.changed', schema: 'thing.changed/1', subjectId: id, version, correlationId: 'r' };
  const row = outbox.row({ ...event, time: '2026-05-04T10:15:00+03:00', data: { id, version } });
  await bus.jetstream.publish(row.subject, row.envelope, { msgID: row.id });
}

async function query<T>(text: string): Promise<T[]> {
  return (await database.pool.query(text)).rows;
}

async function copies(): Promise<Record<string, number>> {
  const rows = await query<{ id: string; version: string }>(`SELECT id, version FROM kit.replica WHERE kind = 'thing'`);
  return Object.fromEntries(rows.map(({ id, version }) => [id, Number(version)]));
}

async function waitForCopies(what: string): Promise<void> {
  await waitFor(async () => isDeepStrictEqual(await copies(), Object.fromEntries(owned)), { what });
}

async function appliedSeq(): Promise<number> {
  return Number(
    (await query<{ seq: string }>('SELECT max(applied_seq) AS seq FROM kit.consumer_position'))[0]?.seq ?? 0,
  );
}

async function pendingAcks(): Promise<number> {
  return (await bus.manager.consumers.info(stream.name, durable)).num_ack_pending;
}

const repairsBegun = (): readonly (string | undefined)[] =>
  logLines.filter(({ msg }) => msg === 'behind the stream, repair begins').map(({ reason }) => reason);

async function stopAll(): Promise<void> {
  await Promise.all(consumers.splice(0).map(async (consumer) => consumer.stop()));
}

/** Calls this after each answer of the server about a durable, before the caller gets it. */
function afterEachAnswer(act: () => Promise<unknown>): void {
  const { consumers: api } = bus.manager;
  const info = api.info.bind(api);
  vi.spyOn(api, 'info').mockImplementation(async (...args) => {
    const answer = await info(...args);
    await act();
    return answer;
  });
}

const TABLES = ['inbox', 'replica', 'consumer_position', 'consumer_check'].map((table) => `kit.${table}`);
const backupTable = (table: string): string => table.replace('kit.', 'backup_');

async function backUp(): Promise<void> {
  for (const table of TABLES) await query(`CREATE TABLE ${backupTable(table)} AS TABLE ${table}`);
}

async function restore(): Promise<void> {
  const text = TABLES.map(
    (table) => `TRUNCATE ${table}; INSERT INTO ${table} SELECT * FROM ${backupTable(table)}`,
  ).join(';');
  // A check may lock the tables in another order: PostgreSQL ends either of the two, and nothing of it is stored.
  await waitFor(async () => database.pool.query(text), { what: 'the restoration' });
}

describe('position of a durable', () => {
  it('is stored with the effects, and continues a durable that the server lost', async () => {
    start();
    await change('a', 'b', 'c');
    await waitForCopies('copies');
    await waitFor(async () => (await appliedSeq()) === 3, { what: 'the position' });
    await stopAll();
    start();
    await waitFor(async () => (await query('SELECT FROM kit.consumer_check WHERE verified_seq = 3')).length === 1, {
      what: 'the next check',
    });
    await stopAll();
    await bus.manager.consumers.delete(stream.name, durable);
    applied = 0;
    await change('d');
    start();
    await waitForCopies('the event after the position');
    expect(applied).toBe(1);
    expect((await bus.manager.consumers.info(stream.name, durable)).config.opt_start_seq).toBe(4);
    expect(repairsBegun()).toEqual([]);
  });

  it('emptied with the copies while running: rebuilds from the owner, also what the stream no longer has', async () => {
    start();
    await change('a', 'b', 'c', 'd', 'e', 'f', 'g');
    await waitForCopies('copies');
    await bus.manager.streams.purge(stream.name);
    own('h');
    await query(`TRUNCATE ${TABLES.join(', ')}`);
    await publish('h');
    await waitForCopies('the copies again');
    expect(repairsBegun()).toEqual(['no position is stored']);
    await waitFor(() => consumers[0]?.repair() === undefined, { what: 'the end of the repair' });
    // Three facts a page, and the empty page at the end.
    expect(new Set(pagesAfter)).toEqual(new Set(['', 'c', 'f', 'h']));
    expect(await metrics.registry.metrics()).toMatch(
      /consumer_position_behind\{durable="test--things",service="test"\} 0/,
    );
  });

  it('whose row is removed while a process applies: is checked at once, and no event is returned to the stream', async () => {
    // No check but the first and that of the batch.
    start(things, 3_600_000);
    await change('a');
    await waitForCopies('a copy');
    await query('DELETE FROM kit.consumer_position');
    await change('b', 'b');
    await waitForCopies('the next copies');
    expect(await query('SELECT FROM kit.consumer_position')).toHaveLength(1);
    expect(logLines.map(({ msg }) => msg)).not.toContain('event returned for redelivery');
  });

  it('kept while the copies are emptied: rebuilds, also when new events fill the copies again', async () => {
    start();
    await change('a', 'b');
    await waitForCopies('copies');
    await waitFor(async () => (await query(`SELECT FROM kit.replica WHERE kind = '_marker'`)).length === 1, {
      what: 'a check',
    });
    await query('TRUNCATE kit.replica, kit.inbox');
    await change('c');
    await waitForCopies('the copies again');
    expect(repairsBegun()).toEqual(['the copy is empty']);
  });

  it('restored from a backup while stopped: replays from the stream', async () => {
    start();
    await change('a', 'b');
    await waitForCopies('copies');
    await backUp();
    await change('a', 'c', 'd');
    await waitForCopies('later copies');
    await stopAll();
    // Only the stream has it.
    ownerIsAway = true;
    await restore();
    start();
    await waitForCopies('the copies again');
    expect(repairsBegun()).toEqual(['the database is older than the acknowledgements']);
  });

  it('restored from a backup while running: repairs, whatever a check saw in the middle of the restoration', async () => {
    start();
    await change('a', 'b');
    await waitForCopies('copies');
    await backUp();
    await change('a', 'c', 'd');
    await waitForCopies('later copies');
    await restore();
    await change('e');
    await waitForCopies('the copies again');
    expect(repairsBegun()).not.toEqual([]);
  });

  it('of a stream that was lost: rebuilds from the owner, and applies the events of the new stream', async () => {
    start();
    await change('a', 'b', 'c');
    await waitForCopies('copies');
    await stopAll();
    await change('a');
    await bus.manager.streams.delete(stream.name);
    await ensureStream(bus, stream, 1);
    await change('d');
    start();
    await waitForCopies('what the lost stream had');
    expect(repairsBegun()).toEqual(['the stream was created anew']);
    await change('b', 'd');
    await waitForCopies('events of the new stream');
    // The end of the rebuild may have brought the copies before the events.
    await waitFor(async () => (await appliedSeq()) === 3, { what: 'the position in the new stream' });
  });

  it('is stored in a stream that was created while the consumer had enough in flight and fetched nothing', async () => {
    const gate = makeSignal();
    let isOpen = false;
    const blocked: Subscription = {
      ...things,
      async apply(tx, events) {
        while (!isOpen) await gate.wait(100);
        await things.apply(tx, events);
      },
    };
    await change(...Array.from({ length: 600 }, () => 'a'));
    const consumer = start(blocked);
    await waitFor(async () => (await consumer.lag()) === 600 && (await pendingAcks()) >= 512, {
      what: 'events in flight',
    });
    await bus.manager.streams.delete(stream.name);
    await ensureStream(bus, stream, 1);
    // As another process does.
    await ensureConsumer(bus, things);
    await waitFor(() => repairsBegun().length === 1, { what: 'the check' });
    isOpen = true;
    await waitForCopies('copies');
    await change('b', 'c');
    await waitForCopies('events of the new stream');
    await waitFor(async () => (await query('SELECT FROM kit.consumer_check WHERE verified_seq = 2')).length === 1, {
      what: 'a check after them',
    });
    expect(repairsBegun()).toEqual(['the stream was created anew']);
  });

  it('before the beginning of a stream that has dropped events: rebuilds from the owner', async () => {
    start();
    await change('a');
    await waitForCopies('copies');
    await stopAll();
    await change('b', 'c');
    await bus.manager.streams.purge(stream.name);
    await change('d');
    start();
    await waitForCopies('what the stream has dropped');
    expect(repairsBegun()).toEqual(['the stream has dropped events that may not have been applied']);
  });

  it('is right when an event is published and applied after the server has answered', async () => {
    let answers = 0;
    afterEachAnswer(async () => {
      answers += 1;
      // Nothing is fetched before the first check.
      if (answers === 1) return;
      const before = await appliedSeq();
      await change('a');
      await waitFor(async () => (await appliedSeq()) > before, { what: 'the event' });
    });
    start();
    await waitFor(() => answers > 5, { what: 'checks' });
    await waitForCopies('the copy');
    expect(repairsBegun()).toEqual([]);
  });

  it('is found to be lost when an event is applied after the server has answered, which has lost it', async () => {
    start();
    await change('a');
    await waitForCopies('a copy');
    await waitFor(async () => (await appliedSeq()) === 1, { what: 'the position' });
    await stopAll();
    // As a transaction of another process that was under way when the server was killed.
    let isApplied = false;
    afterEachAnswer(async () => {
      if (!isApplied) await query('UPDATE kit.consumer_position SET applied_seq = 2');
      isApplied = true;
    });
    // No check but the first.
    start(things, 3_600_000);
    await waitFor(() => repairsBegun().length > 0, { what: 'the repair' });
    expect(repairsBegun()).toEqual(['the stream has lost its last events']);
  });

  it('is not needed for events of other types that the durable does not get', async () => {
    const other = { ...things, filter: 'things.other.*' };
    start(other);
    await change('a', 'b');
    await waitFor(async () => (await query('SELECT FROM kit.consumer_check WHERE verified_seq = 2')).length === 1, {
      what: 'a check after them',
    });
    await bus.manager.streams.purge(stream.name);
    await change('c');
    await waitFor(async () => (await query('SELECT FROM kit.consumer_check WHERE verified_seq = 3')).length === 1, {
      what: 'a check after the purge',
    });
    expect(repairsBegun()).toEqual([]);
  });
});

describe('rebuild', () => {
  it('waits for the owner, survives the process, and continues where it was', async () => {
    start();
    await change('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    await waitForCopies('copies');
    ownerIsAway = true;
    await query(`CREATE TABLE applied AS SELECT * FROM kit.replica WHERE id = 'b'; TRUNCATE ${TABLES.join(', ')}`);
    await change('a');
    await waitFor(() => pagesAfter.length > 0 && consumers[0]?.repair()?.kind === 'rebuild', {
      what: 'the first request',
    });
    await stopAll();
    const sent = pagesAfter.length;
    start();
    await waitFor(() => pagesAfter.length > sent, { what: 'the request of the next process' });
    // As after the first page: a copy, and the cursor. That 'c' stays absent shows where it continued.
    await query(`INSERT INTO kit.replica SELECT * FROM applied; UPDATE kit.consumer_check SET cursor = 'c'`);
    ownerIsAway = false;
    await waitFor(async () => (await query('SELECT FROM kit.consumer_check WHERE repair IS NULL')).length === 1, {
      what: 'the end',
    });
    await waitFor(async () => (await copies())['a'] === 2, { what: 'the event' });
    expect(Object.keys(await copies()).toSorted()).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h']);
  });

  it('begins again when the copies are emptied while it is under way', async () => {
    start();
    await change('a', 'b', 'c', 'd', 'e');
    await waitForCopies('copies');
    ownerIsAway = true;
    await query('TRUNCATE kit.replica');
    await waitFor(() => pagesAfter.length > 0, { what: 'the first request' });
    // The first page was applied, and is lost.
    await query(`UPDATE kit.consumer_check SET cursor = 'c'; TRUNCATE kit.replica`);
    ownerIsAway = false;
    await waitForCopies('all of them');
    expect(repairsBegun()).toEqual(['the copy is empty', 'the copy is empty']);
  });

  it('puts a fact aside that cannot be applied, and applies all others', async () => {
    const failing: Subscription = {
      ...things,
      async apply(tx, events) {
        if (events.some(({ subject }) => subject === 'b')) throw new Error('unreadable');
        await things.apply(tx, events);
      },
    };
    await change('a', 'b', 'c', 'd');
    await bus.manager.streams.purge(stream.name);
    start(failing);
    await waitFor(async () => Object.keys(await copies()).length === 3, { what: 'the others' });
    expect(await listDeadLetters(database.pool)).toMatchObject([{ durable, subject: 'b', error: 'Error: unreadable' }]);
  });

  it('of commands is not possible: reports that events were lost, and continues', async () => {
    const { factType: _type, replicaKind: _kind, ...commands } = things;
    start(commands);
    await change('a', 'b');
    await waitForCopies('effects');
    await stopAll();
    await bus.manager.streams.delete(stream.name);
    await ensureStream(bus, stream, 1);
    start(commands);
    await change('c');
    await waitForCopies('the effect of the next command');
    expect(logLines.filter(({ level }) => level === 50)).toMatchObject([
      { msg: 'events were lost; their sender has to repeat them', reason: 'the stream was created anew' },
    ]);
  });
});

describe('ensureConsumer', () => {
  it('leaves the beginning of an existing durable as it is', async () => {
    await ensureConsumer(bus, things);
    await ensureConsumer(bus, things, 7);
    expect((await bus.manager.consumers.info(stream.name, durable)).config.opt_start_seq).toBe(1);
  });
});

describe('copies that their owner does not have', () => {
  const removeDependents = ['DELETE FROM contract_place WHERE tender_id = ANY($1::text[])'];
  const copied = replicaSubscription(
    {
      kind: 'thing',
      schema: Thing,
      types: ['thing.changed'],
      stream,
      filter,
      factType: 'thing.changed',
      removeDependents,
    },
    durable,
  );
  const dependents = async (): Promise<readonly string[]> =>
    (await query<{ id: string }>('SELECT tender_id AS id FROM contract_place ORDER BY 1')).map(({ id }) => id);

  it('stay in a repair that begins by itself, and go with what depends on them when an operator rebuilds', async () => {
    await change('a', 'b', 'c');
    start(copied);
    await waitForCopies('the copies');
    await query(`INSERT INTO contract_place (contract_id, tender_id) VALUES ('1', 'a'), ('2', 'b')`);
    owned.delete('b');
    own('c');
    await query('DELETE FROM kit.consumer_position; DELETE FROM kit.consumer_check');
    await waitFor(async () => (await copies())['c'] === 2, { what: 'the repair' });
    expect([await copies(), await dependents()]).toEqual([{ a: 1, b: 1, c: 2 }, ['a', 'b']]);

    // Several pages of them.
    await query(`INSERT INTO kit.replica (kind, id, version, facts)
      SELECT 'thing', 'lost-' || n, 1, '{}' FROM generate_series(1, 1200) AS n`);
    own('d');
    expect(await rebuildNow(copied, { pool: database.pool, bus, log, metrics })).toBe(3);
    expect([await copies(), await dependents()]).toEqual([{ a: 1, c: 2, d: 1 }, ['a']]);
  });

  it('stay while the owner does not answer', async () => {
    await change('a', 'b');
    start(copied);
    await waitForCopies('the copies');
    owned.delete('b');
    ownerIsAway = true;
    const rebuilding = rebuildNow(copied, { pool: database.pool, bus, log, metrics });
    await waitFor(async () => (await query(`SELECT FROM kit.consumer_check WHERE repair = 'removal'`)).length === 1, {
      what: 'the rebuild',
    });
    const refused = () => logLines.filter(({ msg }) => msg === 'request handler failed').length;
    await waitFor(() => refused() > 1, { what: 'two answers of an owner that is away' });
    expect(await copies()).toEqual({ a: 1, b: 1 });
    ownerIsAway = false;
    await rebuilding;
    expect(await copies()).toEqual({ a: 1 });
  });
});
