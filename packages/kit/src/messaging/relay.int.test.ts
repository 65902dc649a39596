import type { Envelope } from '@procurement/contracts/events/envelope';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBus, type Bus } from './bus.ts';
import { secureIds } from '../runtime/ids.ts';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics, type Metrics } from '../runtime/metrics.ts';
import { makeOutbox, type Outbox } from './outbox.ts';
import { startRelay, type Relay } from './relay.ts';
import { makeAppliedAcks } from './applied-acks.ts';

const stream = { name: 'things', subjects: ['things.>'] };
const log = makeLog('test', 'silent' as 'fatal');

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
  const { url: databaseUrl, pool } = database;
  relay = startRelay({ service: 'test', stream, streamReplicas: 1, databaseUrl, pool, bus, log, metrics });
  const appliedAcks = makeAppliedAcks(bus, secureIds.next());
  outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => relay.wake() });
});

afterEach(async () => {
  await relay.stop();
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

async function storeEvent(subjectId: string, version: number, data: unknown = {}): Promise<void> {
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
  await outbox.append(tx, [outbox.row(event)]);
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
  const { rows } = await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM outbox WHERE ${where}`);
  return rows[0]?.n ?? 0;
}

const countUnsent = async (): Promise<number> => countRows('sent_at IS NULL');

describe('startRelay', () => {
  it('publishes all other rows when one can never be published, and counts it as waiting', async () => {
    // Larger than the server's limit for a message (8 MB).
    await storeEvent('huge', 1, 'x'.repeat(9_000_000));
    await storeEvent('huge', 2);
    for (let n = 1; n <= 300; n += 1) await storeEvent(`a${n % 7}`, n);
    await waitFor(async () => (await countUnsent()) === 2, { what: 'all rows but the huge one and the one after it' });
    expect((await messagesInStream()).filter((line) => line.startsWith('huge'))).toEqual([]);
    expect((await relay.backlog()).waiting).toBe(2);
    expect(await metrics.registry.metrics()).toMatch(/outbox_waiting\{service="test"\} 2/);
    await database.pool.query(`UPDATE outbox SET sent_at = now() WHERE length(envelope) > 1000000`);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the row after the huge one' });
  });

  it('creates its stream again when the server lost it', async () => {
    await storeEvent('a', 1);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the first event' });
    await bus.manager.streams.delete(stream.name);
    await storeEvent('a', 2);
    await waitFor(async () => (await countUnsent()) === 0, { what: 'the second event' });
    expect(await messagesInStream()).toEqual(['a 2']);
  });
});
