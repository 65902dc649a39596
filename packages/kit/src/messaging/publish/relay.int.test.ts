import type { Envelope } from '@procurement/contracts/events/envelope';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBus, type Bus } from '../bus.ts';
import { countDeadLetters, listDeadLetters } from '../dead-letters.ts';
import { requeueUnpublished } from './requeue-dead-letters.ts';
import { secureIds } from '../../runtime/ids.ts';
import { makeLog } from '../../runtime/log.ts';
import { makeMetrics, type Metrics } from '../../runtime/metrics.ts';
import { makeOutbox, type Outbox, type RowOptions } from './outbox.ts';
import { startRelay, type Relay, type RelayOptions } from './relay.ts';
import { makeAppliedAcks } from '../applied-acks.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const log = makeLog('test', 'silent' as 'fatal');

const HUGE_ROWS = 10;

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;
let outbox: Outbox;
let metrics: Metrics;
let relay: Relay;

beforeEach(async () => {
  [testBus, database] = await Promise.all([freshBus(), freshDatabase('awards')]);
  bus = await openBus(testBus.url, 'test', log);
  metrics = makeMetrics('test');
  relay = startRelay(relayOptions());
  const appliedAcks = makeAppliedAcks(bus, secureIds.next());
  outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => relay.wake() });
});

function relayOptions(): RelayOptions {
  const { url: databaseUrl, pool } = database;
  const options = { service: 'test', stream, streamReplicas: 1, databaseUrl, pool, bus, log, metrics };
  return { ...options, lookAtStreamEveryMs: 200 };
}

afterEach(async () => {
  await relay.stop();
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

async function storeEvent(
  subjectId: string,
  version: number,
  data: unknown = {},
  options: RowOptions = {},
): Promise<void> {
  const time = '2026-05-04T10:15:00+03:00';
  const event = {
    type: 'thing.changed',
    schema: 'thing.changed/1',
    subjectId,
    version,
    time,
    data,
    correlationId: 'r',
  };
  const tx = await database.pool.connect();
  await outbox.append(tx, [outbox.row(event, options)]);
  tx.release();
  outbox.wake();
}

async function messagesInStream(): Promise<string[]> {
  const { state } = await bus.manager.streams.info(stream.name);
  const found: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq && seq > 0; seq += 1) {
    const message = await bus.manager.streams.getMessage(stream.name, { seq });
    const { subject, aggregateversion } = message?.json<Envelope>() ?? {};
    found.push(`${subject} ${aggregateversion}`);
  }
  return found;
}

async function countRows(where: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM kit.outbox WHERE ${where}`);
  return rows[0]?.n ?? 0;
}

const countUnsent = async (): Promise<number> => countRows('sent_at IS NULL');

describe('startRelay', () => {
  it('ignores in a wake that the connection is ending: what was written is committed', async () => {
    await relay.stop();
    // A subscription that ends first: the connection is draining for more than a turn of the event loop.
    bus.connection.subscribe('any');
    let isOver = false;
    const draining = bus.connection.drain().finally(() => (isOver = true));
    while (!isOver) {
      expect(() => relay.wake()).not.toThrow();
      await new Promise(setImmediate);
    }
    await draining;
  });

  it('puts rows aside that are no events and larger than a message, and publishes all others, also of the same aggregate', async () => {
    // Several batches of them, at the head. The server's limit for a message is 8 MiB.
    const insert = 'INSERT INTO kit.outbox (id, subject, envelope) SELECT gen_random_uuid(), $1,';
    const subject = 'things.thing-changed.huge';
    await database.pool.query(`${insert} repeat('x', 9000000)`, [subject]);
    await database.pool.query(`${insert} envelope FROM kit.outbox, generate_series(1, $2)`, [subject, HUGE_ROWS - 1]);
    // Too large with the headers of its message only.
    await database.pool.query(`${insert} repeat('x', 8 * 1024 * 1024 - 10)`, [subject]);
    await storeEvent('huge', 2);
    for (let n = 1; n <= 10; n += 1) await storeEvent(`a${n % 7}`, n);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'an empty outbox' });
    expect((await messagesInStream()).filter((line) => line.startsWith('huge'))).toEqual(['huge 2']);
    expect(await messagesInStream()).toHaveLength(11);
    const deadLetters = await listDeadLetters(database.pool);
    expect(deadLetters).toHaveLength(HUGE_ROWS + 1);
    expect(new Set(deadLetters.map(({ durable, subject }) => `${durable} ${subject}`))).toEqual(
      new Set(['relay things.thing-changed.huge']),
    );
    expect(new Set(deadLetters.map(({ error }) => error))).toEqual(
      new Set(['larger than a message, and no event or larger than an event']),
    );
    expect(await countDeadLetters(database.pool)).toEqual({ relay: HUGE_ROWS + 1 });
    expect(await metrics.registry.metrics()).toMatch(
      new RegExp(`events_dead_lettered_total\\{durable="relay",service="test"\\} ${HUGE_ROWS + 1}`),
    );
  });

  it('names the content of each message as CloudEvents do, beside the request for a reply', async () => {
    await storeEvent('plain', 1);
    await storeEvent('awaited', 1, {}, { awaitsApplied: true });
    await waitFor(async () => (await countUnsent()) === 0, { what: 'an empty outbox' });
    const messages = [1, 2].map(async (seq) => bus.manager.streams.getMessage(stream.name, { seq }));
    const types = (await Promise.all(messages)).map((message) => message?.header.get('content-type'));
    expect(types).toEqual(['application/cloudevents+json', 'application/cloudevents+json']);
  });

  it('puts a row aside that the server rejects, and publishes it once it is moved back', async () => {
    await storeEvent('first', 1);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the stream' });
    await bus.manager.streams.update(stream.name, { max_msg_size: 2_000 });
    await storeEvent('large', 1, 'x'.repeat(2_000));
    await storeEvent('large', 2);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'an empty outbox' });
    expect(await messagesInStream()).toEqual(['first 1', 'large 2']);
    const [deadLetter] = await listDeadLetters(database.pool, { durable: 'relay' });
    expect(deadLetter?.error).toMatch(/message size exceeds maximum/);
    await bus.manager.streams.update(stream.name, { max_msg_size: -1 });
    expect(await requeueUnpublished(database.pool)).toBe(1);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the replay' });
    expect(await messagesInStream()).toEqual(['first 1', 'large 2', 'large 1']);
    expect(await countDeadLetters(database.pool)).toEqual({});
    expect(await requeueUnpublished(database.pool)).toBe(0);
  });

  it('reads batches that are bounded in bytes', async () => {
    await relay.stop();
    for (let n = 1; n <= 10; n += 1) await storeEvent('a', n, 'x'.repeat(1_500_000));
    const sent: number[] = [];
    const { url: databaseUrl, pool } = database;
    const beforeMark = async (): Promise<void> => void sent.push((await messagesInStream()).length);
    const options = { service: 'test', stream, streamReplicas: 1, databaseUrl, pool, bus, log, beforeMark };
    relay = startRelay({ ...options, metrics: makeMetrics('test') });
    await waitFor(async () => (await countUnsent()) === 0, { what: 'an empty outbox' });
    expect(sent.at(-1)).toBe(10);
    // A slow machine may send a part of a batch, and the rest with the next one.
    for (const [at, count] of sent.entries()) expect(count - (sent[at - 1] ?? 0)).toBeLessThanOrEqual(3);
  });

  it('passes over rows that it has sent, also with a plan from when the outbox was empty', async () => {
    const rows = 3_000;
    const { pool } = database;
    const reads = async (): Promise<{ scans: number; read: number; marked: number }> => {
      const { rows: found } =
        await pool.query(`SELECT own.idx_scan::int AS scans, own.idx_tup_read::int AS read, n_tup_upd::int AS marked
        FROM pg_stat_user_indexes AS own JOIN pg_stat_user_tables AS whole USING (relid) WHERE indexrelname = 'outbox_unsent'`);
      return found[0];
    };
    // PostgreSQL keeps the plan after five executions.
    await waitFor(async () => (await reads()).scans > 6, { what: 'polls of the empty outbox' });
    await storeEvent('a', 1);
    const readForRows = async (): Promise<number> => {
      const before = await reads();
      await pool.query(
        `INSERT INTO kit.outbox (id, subject, envelope)
         SELECT gen_random_uuid(), subject, envelope FROM (SELECT * FROM kit.outbox LIMIT 1) AS one, generate_series(1, $1)`,
        [rows],
      );
      relay.wake();
      await waitFor(async () => (await reads()).marked >= before.marked + rows, { what: 'marked rows' });
      return (await reads()).read - before.read;
    };
    // While a writing transaction is open in any database of the server, PostgreSQL keeps the index entries of rows marked since.
    // Tests in other files have such transactions, so one undisturbed round is waited for.
    const undisturbed = async (): Promise<number | undefined> => {
      const read = await readForRows();
      return read < 5 * rows ? read : undefined;
    };
    expect(await waitFor(undisturbed, { what: 'a round that reads each row a few times' })).toBeGreaterThanOrEqual(
      rows,
    );
  });

  it('creates its stream again when the server lost it', async () => {
    await storeEvent('a', 1);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the first event' });
    await bus.manager.streams.delete(stream.name);
    await storeEvent('a', 2);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the second event' });
    expect(await messagesInStream()).toEqual(['a 2']);
  });

  it('creates its stream again without an event to publish: no other service may create it', async () => {
    await storeEvent('a', 1);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the first event' });
    await bus.manager.streams.delete(stream.name);
    const again = await waitFor(async () => bus.manager.streams.info(stream.name), {
      what: 'the stream',
    });
    expect(again.state.messages).toBe(0);
  });
});
