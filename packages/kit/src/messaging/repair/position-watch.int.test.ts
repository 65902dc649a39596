import type pg from 'pg';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectedBus } from '../../../test-support/connected-bus.ts';
import { makePool } from '../../database/pool.ts';
import { makeMetrics } from '../../runtime/metrics.ts';
import { ensureStream } from '../streams.ts';
import type { Bus } from '../bus.ts';
import { ensureConsumer } from '../consume/ensure-consumer.ts';
import { watchPosition, type PositionWatch } from './position-watch.ts';
import type { Subscription } from '../consume/subscription.ts';

const { log, bus } = connectedBus();
const stream = { name: 'things', subjects: ['things.>'] };
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('awards');
  await ensureStream(bus(), stream, 1);
});

afterAll(async () => database.drop());

/** A bus whose description of the stream waits for `release`, after it was read. */
function slowBus(): { readonly slow: Bus; readonly read: Promise<void>; release(): void } {
  let release = (): void => undefined;
  let isRead = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const read = new Promise<void>((resolve) => (isRead = resolve));
  const { manager } = bus();
  const info = async (name: string): Promise<unknown> => {
    const found = await manager.streams.info(name);
    isRead();
    await released;
    return found;
  };
  const slow = { connected: () => true, connection: bus().connection, jetstream: bus().jetstream };
  const slowManager = { consumers: manager.consumers, streams: { info, getMessage: manager.streams.getMessage } };
  return { slow: { ...slow, manager: slowManager } as unknown as Bus, read, release };
}

function watch(durable: string, on: Bus, pool = database.pool, checkEveryMs = 60_000): PositionWatch {
  const subscription: Subscription = { stream, durable, filter: 'things.>', apply: async () => undefined };
  return watchPosition(subscription, { pool, bus: on, log, metrics: makeMetrics('test'), checkEveryMs });
}

describe('a check of the position', () => {
  it('holds no connection to the database while NATS does not respond', async () => {
    const pool = makePool({ url: database.url, name: 'test', connectionsMax: 1, log });
    const { slow, read, release } = slowBus();
    const checked = watch('test--slow', slow, pool).check();
    await read;
    expect(pool.totalCount - pool.idleCount).toBe(0);
    release();
    await checked;
    await pool.end();
  });

  it('is made again when another process has checked a later state meanwhile', async () => {
    const durable = 'test--raced';
    const consumer = { stream, durable, filter: 'things.>' };
    await ensureConsumer(bus(), consumer);
    await watch(durable, bus()).check();
    const { slow, read, release } = slowBus();
    const overtaken = watch(durable, slow);
    const checked = overtaken.check();
    await read;
    await bus().jetstream.publish('things.a.b', '{}');
    const messages = await (await bus().jetstream.consumers.get(stream.name, durable)).fetch({ max_messages: 1 });
    for await (const message of messages) await message.ackAck();
    const other = watch(durable, bus());
    await other.check();
    release();
    await checked;
    expect([overtaken.verifiedSeq(), overtaken.repair()]).toEqual([other.verifiedSeq(), other.repair()]);
  });

  it('is made again when the database was restored after it was read', async () => {
    const durable = 'test--restored';
    await ensureConsumer(bus(), { stream, durable, filter: 'things.>' });
    const first = watch(durable, bus());
    await first.check();
    const { seq } = await bus().jetstream.publish('things.a.c', '{}');
    const messages = await (await bus().jetstream.consumers.get(stream.name, durable)).fetch({ max_messages: 10 });
    for await (const message of messages) {
      await message.ackAck();
      if (message.info.pending === 0) break;
    }
    await first.raise({ streamCreatedAt: first.streamCreatedAt(), seq });
    await first.check();
    expect(first.repair()).toBeUndefined();
    const { pool } = database;
    // A backup of the same last check, in which less was applied.
    const restore = async (): Promise<void> => {
      await pool.query('UPDATE kit.consumer_position SET applied_seq = 0 WHERE durable = $1', [durable]);
      await pool.query('UPDATE kit.consumer_check SET verified_seq = 0 WHERE durable = $1', [durable]);
    };
    let isRestored = false;
    const connect = async (): Promise<pg.PoolClient> => {
      if (!isRestored) await restore();
      isRestored = true;
      return pool.connect();
    };
    // The transaction of the check connects; what it reads before does not.
    const restoring = { connect, query: pool.query.bind(pool) } as unknown as pg.Pool;
    const checking = watch(durable, bus(), restoring);
    await checking.check();
    expect([isRestored, checking.repair()?.kind]).toEqual([true, 'replay']);
  });

  it('stores nothing while nothing changes, and still finds what is lost then', async () => {
    const durable = 'test--idle';
    await ensureConsumer(bus(), { stream, durable, filter: 'things.>' });
    const { pool } = database;
    let reads = 0;
    const query = async (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
      if (statement.name === 'position-read') reads += 1;
      return pool.query(statement, values);
    };
    const counting = { connect: pool.connect.bind(pool), query } as unknown as pg.Pool;
    const idle = watch(durable, bus(), counting, 10);
    const lastCheck = async (): Promise<string> =>
      (await pool.query('SELECT checked_at::text AS at FROM kit.consumer_check WHERE durable = $1', [durable])).rows[0]
        .at;
    await idle.check();
    const first = await lastCheck();
    const running = idle.run();
    await waitFor(() => reads > 10, { what: 'several checks' });
    expect(await lastCheck()).toBe(first);
    // Of a stream that was longer.
    await pool.query('UPDATE kit.consumer_position SET applied_seq = 9999 WHERE durable = $1', [durable]);
    await waitFor(async () => (await lastCheck()) !== first, { what: 'the loss' });
    idle.stop();
    await running;
  });
});
