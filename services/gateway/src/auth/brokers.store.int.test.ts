import { streams } from '@procurement/contracts/events/subjects';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IDENTITY_SECRET } from '../../test-support/fake-service.ts';
import { config } from '../config.ts';
import { openInfrastructure, type Infrastructure } from '../deps.ts';
import { subscribeBrokerEvents } from './broker-events.ts';
import { brokersCommand } from './brokers.command.ts';
import { SANDBOX_BROKERS, seedSandboxKeys } from './sandbox-keys.ts';

const log = makeLog('gateway', 'silent');
const broker = { name: 'prom.ua', group: 'brokers', levels: '1234' } as const;

let database: TestDatabase;
let bus: TestBus;
// Two replicas of the gateway on one database: each follows by itself.
let one: Infrastructure;
let other: Infrastructure;
const subscriptions: { stop(): void }[] = [];

beforeAll(async () => {
  database = await freshDatabase('gateway');
  bus = await freshBus();
  const settings = config({ DATABASE_URL: database.url, NATS_URL: bus.url, IDENTITY_SECRET });
  one = await openInfrastructure(settings, log, makeMetrics('gateway'));
  other = await openInfrastructure(settings, log, makeMetrics('gateway'));
  for (const { bus: connected, keys } of [one, other]) subscriptions.push(subscribeBrokerEvents(connected, keys, log));
});
afterAll(async () => {
  for (const follower of subscriptions) follower.stop();
  await Promise.all([one.close(), other.close()]);
  await database.drop();
  await bus.stop();
});

describe('broker keys on a real database and bus', () => {
  it('are known to every replica at once, and refused by every replica at once', async () => {
    const hash = sha256Hex('first key');
    // Both replicas have just learned that nobody has this key.
    expect([await one.keys.find(hash), await other.keys.find(hash)]).toEqual([undefined, undefined]);
    expect(await one.brokers.addKey(broker, hash)).toBe(true);
    for (const { keys } of [one, other]) {
      expect(await waitFor(() => keys.find(hash), { what: 'the registered key' })).toEqual(broker);
    }
    expect(await other.brokers.revoke(broker.name)).toBe(1);
    for (const { keys } of [one, other]) {
      await waitFor(async () => (await keys.find(hash)) === undefined, { what: 'the revoked key to be gone' });
    }
    for (const { keys } of [one, other]) {
      await keys.refresh();
      expect(keys.find(hash)).toBeUndefined();
    }
  });

  it('never come back once revoked, and several are in force at a time', async () => {
    const hashes = ['a', 'b', 'c'].map(sha256Hex);
    for (const hash of hashes) expect(await one.brokers.addKey(broker, hash)).toBe(true);
    expect(await one.brokers.addKey(broker, hashes[0] ?? '')).toBe(false);
    expect(await one.brokers.revoke(broker.name, hashes[1])).toBe(1);
    expect(await one.brokers.addKey(broker, hashes[1] ?? '')).toBe(false);
    expect(await one.brokers.revoke('nobody')).toBe(0);
    const listed = (await one.brokers.list()).find(({ name }) => name === broker.name);
    expect(listed).toEqual({ ...broker, keys: 2, revoked: 2 });
    await other.keys.refresh();
    expect(hashes.map((hash) => other.keys.find(hash))).toEqual([broker, undefined, broker]);
  });

  it('are stored as hashes, and announced in one transaction with the row', async () => {
    const { rows } = await database.pool.query<{ subject: string; envelope: string }>(
      'SELECT subject, envelope FROM outbox ORDER BY position',
    );
    const { rows: keys } = await database.pool.query<{ n: number }>(
      'SELECT (count(*) + count(revoked_at))::int AS n FROM broker_key',
    );
    expect(rows.length).toBe(keys[0]?.n);
    expect(new Set(rows.map(({ subject }) => subject))).toEqual(
      new Set(['brokers.broker-registered.prom.ua', 'brokers.broker-revoked.prom.ua']),
    );
    expect(JSON.stringify(rows)).not.toContain('first key');
    await waitFor(async () => (await one.checks()).outbox?.waiting === 0, { what: 'the outbox to be published' });
    const { state } = await one.bus.manager.streams.info(streams.brokers.name);
    expect(state.messages).toBe(rows.length);
  });

  it('of the sandbox may be seeded by several replicas at once, again and again', async () => {
    await Promise.all([one, other, one].map(async ({ brokers }) => seedSandboxKeys(brokers)));
    await seedSandboxKeys(other.brokers);
    const listed = await one.brokers.list();
    for (const { name, group, levels } of SANDBOX_BROKERS) {
      expect(listed).toContainEqual({ name, group, levels, keys: 1, revoked: 0 });
    }
    await one.keys.refresh();
    expect(one.keys.find(sha256Hex('broker1'))).toMatchObject({ name: 'broker1', group: 'brokers' });
  });

  it('are managed by the command, as an operator types it', async () => {
    const printed: string[] = [];
    const ids = { next: () => '', nextToken: () => 'minted', nextUuid: () => '' };
    const command = async (...args: string[]) =>
      brokersCommand(args, { brokers: one.brokers, ids, print: (line) => printed.push(line) });
    expect(await command('add', 'new.broker', '--levels', '12')).toBe(0);
    expect(await other.keys.find(sha256Hex('minted'))).toEqual({ name: 'new.broker', group: 'brokers', levels: '12' });
    expect(await command('revoke', 'new.broker')).toBe(0);
    await waitFor(() => other.keys.find(sha256Hex('minted')) === undefined, { what: 'the key to be gone' });
  });

  it('stay known while database and bus are away', async () => {
    const hash = sha256Hex('broker1');
    expect(await one.keys.find(hash)).toBeDefined();
    await bus.kill();
    await waitFor(async () => (await one.checks()).stream === 'fail', { what: 'the lost bus to be noticed' });
    expect((await one.checks()).database).toBe('ok');
    expect(one.keys.find(hash)).toMatchObject({ name: 'broker1' });
    await bus.restart();
    // Both: a replica that is not back yet misses the event, and learns of it from the table with its next refresh.
    for (const replica of [one, other]) {
      await waitFor(async () => (await replica.checks()).stream === 'ok', { what: 'the bus to be back' });
      await replica.bus.connection.flush();
    }
    await one.brokers.revoke('broker1');
    await waitFor(() => other.keys.find(hash) === undefined, { what: 'a revocation after the bus came back' });
  });
});
