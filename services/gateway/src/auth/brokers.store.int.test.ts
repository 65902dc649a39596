import { userInfo } from 'node:os';
import { readAudit } from '@procurement/testing/audit';
import { streams } from '@procurement/contracts/events/subjects';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { openInfrastructure } from '@procurement/kit/service/infrastructure';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { makeEvent } from '@procurement/testing/event';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IDENTITY_SETTINGS } from '../../test-support/fake-service.ts';
import { config, type Config } from '../config.ts';
import { brokerAccess, checkHealth } from '../deps.ts';
import { subscribeBrokerEvents } from './broker-events.ts';
import { brokersCommand } from './brokers.command.ts';
import { refusedKeys, SANDBOX_BROKERS, seedSandboxKeys } from './sandbox-keys.ts';
import { findKey } from '../../test-support/find-key.ts';

const log = makeLog('gateway', 'silent');
const broker = { name: 'prom.ua', group: 'brokers', levels: '1234' } as const;

let database: TestDatabase;
let bus: TestBus;
// Two replicas of the gateway on one database, each with its own subscription.
let one: Replica;
let other: Replica;
const subscriptions: { stop(): void }[] = [];

type Replica = Awaited<ReturnType<typeof startReplica>>;

async function startReplica(settings: Config) {
  const metrics = makeMetrics('gateway');
  const infrastructure = await openInfrastructure({
    name: 'gateway',
    config: settings,
    ownStream: streams.brokers,
    log,
    metrics,
  });
  const access = brokerAccess({ ...infrastructure, log, refusedKeys: refusedKeys(settings) });
  return {
    ...access,
    bus: infrastructure.bus,
    checks: async () => checkHealth(infrastructure),
    close: async () => {
      await infrastructure.close();
    },
  };
}

beforeAll(async () => {
  database = await freshDatabase('gateway');
  bus = await freshBus();
  one = await startReplica(buildConfig('on'));
  other = await startReplica(buildConfig('on'));
  for (const { bus: connected, keys } of [one, other]) subscriptions.push(subscribeBrokerEvents(connected, keys, log));
});

function buildConfig(SANDBOX_MODE: 'on' | 'off'): Config {
  const addresses = { DATABASE_URL: database.url, NATS_URL: bus.urlOf('gateway') };
  return config({ ...addresses, ...IDENTITY_SETTINGS, SANDBOX_MODE });
}

afterAll(async () => {
  for (const subscription of subscriptions) subscription.stop();
  await Promise.all([one.close(), other.close()]);
  await database.drop();
  await bus.stop();
});

describe('broker keys of two replicas', () => {
  it('are accepted by every replica at once, and refused by every replica at once after revocation', async () => {
    const hash = sha256Hex('first key');
    // Both replicas cache that the key is unknown.
    expect([await findKey(one.keys, hash), await findKey(other.keys, hash)]).toEqual([undefined, undefined]);
    expect(await one.brokers.addKey(broker, hash)).toBe(true);
    for (const { keys } of [one, other]) {
      expect(await waitFor(async () => findKey(keys, hash), { what: 'the registered key' })).toEqual(broker);
    }
    expect(await other.brokers.revoke(broker.name)).toBe(1);
    for (const { keys } of [one, other]) {
      await waitFor(async () => (await findKey(keys, hash)) === undefined, { what: 'the revocation of the key' });
    }
    for (const { keys } of [one, other]) {
      await keys.refresh();
      expect(await findKey(keys, hash)).toBeUndefined();
    }
  });

  it('stay revoked, and a broker may have several in force', async () => {
    const hashes = ['a', 'b', 'c'].map(sha256Hex);
    for (const hash of hashes) expect(await one.brokers.addKey(broker, hash)).toBe(true);
    expect(await one.brokers.addKey(broker, hashes[0] ?? '')).toBe(false);
    expect(await one.brokers.revoke(broker.name, hashes[1])).toBe(1);
    expect(await one.brokers.addKey(broker, hashes[1] ?? '')).toBe(false);
    expect(await one.brokers.revoke('absent')).toBe(0);
    const listed = (await one.brokers.list()).find(({ name }) => name === broker.name);
    expect(listed).toEqual({ ...broker, keys: 2, revoked: 2 });
    await other.keys.refresh();
    const found = hashes.map(async (hash) => findKey(other.keys, hash));
    expect(await Promise.all(found)).toEqual([broker, undefined, broker]);
  });

  it('are stored as hashes, with their events in the same transaction', async () => {
    const { rows } = await database.pool.query<{ subject: string; envelope: string }>(
      'SELECT subject, envelope FROM kit.outbox ORDER BY position',
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

  it('take no right from an event: the table counts', async () => {
    const [known, unknown] = [sha256Hex('known key'), sha256Hex('forged key')];
    const real = { ...broker, name: 'real' };
    await one.brokers.addKey(real, known);
    await waitFor(async () => findKey(other.keys, known), { what: 'the registered key' });
    const forge = (type: string, data: object): void => {
      const event = makeEvent({
        source: 'brokers',
        type,
        subject: 'x',
        time: '2026-05-04T10:15:00+03:00',
        version: 1,
        data,
      });
      other.bus.connection.publish(`brokers.${type.replace('.', '-')}.x`, JSON.stringify(event));
    };
    forge('broker.registered', { name: 'x', group: 'admins', levels: '', keyHash: unknown });
    forge('broker.registered', { name: 'x', group: 'admins', levels: '', keyHash: known });
    forge('broker.revoked', { ...real, keyHash: known });
    // Its own event comes after the forged ones.
    const last = { ...broker, name: 'last' };
    await one.brokers.addKey(last, sha256Hex('last key'));
    // From memory: the event was applied.
    await waitFor(() => typeof other.keys.find(sha256Hex('last key')) === 'object', { what: 'the last key' });
    expect([await findKey(other.keys, known), await findKey(other.keys, unknown)]).toEqual([real, undefined]);
  });

  it('of the sandbox may be seeded by several replicas at once, and repeatedly', async () => {
    await Promise.all([one, other, one].map(async ({ brokers }) => seedSandboxKeys(brokers)));
    await seedSandboxKeys(other.brokers);
    const listed = await one.brokers.list();
    for (const { name, group, levels } of SANDBOX_BROKERS) {
      expect(listed).toContainEqual({ name, group, levels, keys: 1, revoked: 0 });
    }
    await one.keys.refresh();
    expect(one.keys.find(sha256Hex('broker1'))).toMatchObject({ name: 'broker1', group: 'brokers' });
  });

  it('of the sandbox are refused by a gateway that starts on its database without sandbox mode', async () => {
    const hashes = SANDBOX_BROKERS.map(({ name }) => sha256Hex(name));
    await seedSandboxKeys(one.brokers);
    await one.brokers.addKey(broker, sha256Hex('key of a real broker'));
    const real = await startReplica(buildConfig('off'));
    try {
      await real.keys.refresh();
      for (const hash of hashes) {
        expect(real.keys.find(hash)).toBeTypeOf('function');
        await real.keys.reread(hash);
        expect(await findKey(real.keys, hash)).toBeUndefined();
      }
      // Also when nothing but the database is asked.
      const fresh = await startReplica(buildConfig('off'));
      for (const hash of hashes) expect(await findKey(fresh.keys, hash)).toBeUndefined();
      await fresh.close();
      expect(real.keys.find(sha256Hex('key of a real broker'))).toEqual(broker);
      const listed = (await real.brokers.list()).find(({ name }) => name === 'administrator');
      expect(listed).toMatchObject({ keys: 0, revoked: 0 });
      expect([await real.brokers.accessOf('broker1'), await one.brokers.accessOf('broker1')]).toEqual([
        { levels: '1234', hasKey: false },
        { levels: '1234', hasKey: true },
      ]);
    } finally {
      await real.close();
    }
  });

  it('are managed by the brokers command', async () => {
    const printed: string[] = [];
    const ids = { next: () => '', nextToken: () => 'generated', nextUuid: () => '' };
    const command = async (...args: string[]) =>
      brokersCommand(args, {
        brokers: one.brokers,
        refusedKeys: [],
        ids,
        readInput: async () => '',
        print: (line) => printed.push(line),
      });
    expect(await command('add', 'new.broker', '--levels', '12')).toBe(0);
    expect(await findKey(other.keys, sha256Hex('generated'))).toEqual({
      name: 'new.broker',
      group: 'brokers',
      levels: '12',
    });
    expect(await command('revoke', 'new.broker')).toBe(0);
    expect(await command('revoke', 'new.broker')).toBe(1);
    const rows = await readAudit(database.pool, 'new.broker');
    expect(rows.map(({ route, method, outcome }) => [route, method, outcome])).toEqual([
      ['brokers add', 'COMMAND', 'changed'],
      ['brokers revoke', 'COMMAND', 'changed'],
    ]);
    expect([rows[0]?.beforeHash, rows[1]?.beforeHash, rows[0]?.actor]).toEqual([
      null,
      rows[0]?.afterHash,
      userInfo().username,
    ]);
    await waitFor(() => other.keys.find(sha256Hex('generated')) === undefined, { what: 'the revocation of the key' });
  });

  it('are rotated: the broker keeps its rights, and its other keys end in the same transaction', async () => {
    const [old, next] = [sha256Hex('old key'), sha256Hex('next key')];
    const rotated = { name: 'rotated', group: 'bots', levels: 't' } as const;
    expect(await one.brokers.rotate('rotated', next, true)).toBeUndefined();
    await one.brokers.addKey(rotated, old);
    expect(await one.brokers.rotate('rotated', old, true)).toBeUndefined();
    expect(await one.brokers.rotate('rotated', next, true)).toBe(1);
    await waitFor(async () => (await findKey(other.keys, old)) === undefined, { what: 'the end of the old key' });
    expect(await findKey(other.keys, next)).toEqual(rotated);
    expect(
      (await one.brokers.keysOf('rotated')).map(({ keyHash, revokedAt }) => [keyHash, revokedAt === null]),
    ).toEqual([
      [next, true],
      [old, false],
    ]);
    expect(await one.brokers.revoke('rotated', next.slice(0, 8))).toBe(1);
  });

  it('get other rights with the next refresh, and the change is recorded', async () => {
    const hash = sha256Hex('key with rights');
    await one.brokers.addKey({ name: 'promoted', group: 'brokers', levels: '1' }, hash);
    expect(await one.brokers.change('promoted', { levels: '12' })).toBe(true);
    expect(await one.brokers.change('promoted', { levels: '12' })).toBe(false);
    expect(await one.brokers.change('absent', { levels: '12' })).toBe(false);
    await other.keys.refresh();
    expect(await findKey(other.keys, hash)).toEqual({ name: 'promoted', group: 'brokers', levels: '12' });
    expect((await readAudit(database.pool, 'promoted')).map(({ route }) => route)).toEqual([
      'brokers add',
      'brokers set',
    ]);
  });

  it('of a file are added all or none, and again without a change', async () => {
    const buildKey = (name: string, key: string) => ({
      broker: { name, group: 'brokers', levels: '1234' } as const,
      keyHash: sha256Hex(key),
    });
    const keys = [buildKey('old.one', 'o1'), buildKey('old.one', 'o2'), buildKey('old.two', 'o3')];
    const really = { dryRun: false };
    expect((await one.brokers.importKeys(keys, { dryRun: true })).added).toHaveLength(3);
    expect(await one.brokers.find('old.one')).toBeUndefined();
    expect(await one.brokers.importKeys(keys, really)).toMatchObject({ unchanged: 0, conflicts: [] });
    expect(await one.brokers.importKeys(keys, really)).toMatchObject({ added: [], unchanged: 3 });
    await waitFor(async () => findKey(other.keys, sha256Hex('o3')), { what: 'an imported key' });
    await one.brokers.revoke('old.two');
    const conflicting = [
      buildKey('new', 'n1'),
      buildKey('old.two', 'o3'),
      buildKey('new', 'o1'),
      { ...buildKey('old.one', 'o4'), broker: { name: 'old.one', group: 'Administrator', levels: '1234' } as const },
    ];
    expect((await one.brokers.importKeys(conflicting, really)).conflicts).toEqual([
      'old.two: a key of the file was revoked',
      'new: a key of the file belongs to old.one',
      'old.one: the group is brokers, in the file Administrator',
    ]);
    expect(await one.brokers.find('new')).toBeUndefined();
    expect((await readAudit(database.pool, 'old.one')).map(({ route }) => route)).toEqual([
      'brokers import',
      'brokers import',
    ]);
  });

  it('stay in memory while the bus is down', async () => {
    const hash = sha256Hex('broker1');
    expect(await findKey(one.keys, hash)).toBeDefined();
    await bus.kill();
    await waitFor(async () => (await one.checks()).stream === 'fail', { what: 'the failed check of the bus' });
    expect((await one.checks()).database).toBe('ok');
    expect(one.keys.find(hash)).toMatchObject({ name: 'broker1' });
    await bus.restart();
    // Both: a replica that is still disconnected misses the event and reads the table with its next refresh.
    for (const replica of [one, other]) {
      await waitFor(async () => (await replica.checks()).stream === 'ok', { what: 'the connection to the bus' });
      await replica.bus.connection.flush();
    }
    await one.brokers.revoke('broker1');
    await waitFor(() => other.keys.find(hash) === undefined, { what: 'a revocation after the bus came back' });
  });
});
