import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import type { Broker } from './broker.ts';
import { brokersCommand } from './brokers.command.ts';
import type { BrokerStore } from './brokers.store.ts';
import { planImport } from './plan-import.ts';
import { refusedKeys } from './sandbox-keys.ts';

interface RunOptions {
  readonly refusedKeys?: readonly string[];
  readonly file?: string;
}

function run({ refusedKeys = [], file = '[brokers]\nold.system = old-key,12\n' }: RunOptions = {}) {
  const keys = new Map<string, Broker>();
  const printed: string[] = [];
  const brokers: BrokerStore = {
    addKey: async (broker, keyHash) => {
      if (keys.has(keyHash)) return false;
      keys.set(keyHash, broker);
      return true;
    },
    revoke: async (name, keyHash = '') => {
      const revoked = [...keys].filter(([hash, broker]) => broker.name === name && hash.startsWith(keyHash));
      for (const [hash] of revoked) keys.delete(hash);
      return revoked.length;
    },
    rotate: async (name, keyHash, revokesOthers) => {
      const broker = await brokers.find(name);
      if (broker === undefined) return undefined;
      const revoked = revokesOthers ? await brokers.revoke(name) : 0;
      keys.set(keyHash, broker);
      return revoked;
    },
    change: async (name, values) => {
      const own = [...keys].filter(([, broker]) => broker.name === name);
      for (const [hash, broker] of own) keys.set(hash, { ...broker, ...values });
      return own.length > 0;
    },
    importKeys: async (imported, { dryRun }) => {
      const plan = planImport(imported, { brokers: [], keys: [] });
      if (!dryRun) for (const { broker, keyHash } of imported) keys.set(keyHash, broker);
      return plan;
    },
    list: async () => [...keys.values()].map((broker) => ({ ...broker, keys: 1, revoked: 0 })),
    find: async (name) => [...keys.values()].find((broker) => broker.name === name),
    keysOf: async (name) =>
      [...keys]
        .filter(([, broker]) => broker.name === name)
        .map(([keyHash]) => ({ keyHash, createdAt: new Date(0), revokedAt: null })),
    accessOf: async (name) => {
      const found = [...keys.values()].find((broker) => broker.name === name);
      return found === undefined ? undefined : { levels: found.levels, hasKey: true };
    },
  };
  const ids = { next: () => 'i', nextToken: () => 'generated', nextUuid: () => 'u' };
  const readInput = async (): Promise<string> => file;
  const command = async (...args: string[]) =>
    brokersCommand(args, { brokers, refusedKeys, ids, readInput, print: (line) => printed.push(line) });
  return { keys, printed, command };
}

describe('brokersCommand add', () => {
  it('generates a key, prints it once and stores its hash', async () => {
    const { keys, printed, command } = run();
    expect(await command('add', 'prom.ua')).toBe(0);
    expect(printed).toEqual(['prom.ua: the key is generated (shown this once)']);
    expect([...keys]).toEqual([[sha256Hex('generated'), { name: 'prom.ua', group: 'brokers', levels: '1234' }]]);
  });

  it('accepts group, levels and key', async () => {
    const { keys, printed, command } = run();
    expect(await command('add', 'robot', '--group', 'bots', '--key', 'secret')).toBe(0);
    expect(keys.get(sha256Hex('secret'))).toEqual({ name: 'robot', group: 'bots', levels: '' });
    expect(printed.join()).not.toContain('secret');
    expect(await command('add', 'robot', '--key', 'secret')).toBe(1);
  });

  it('gives a broker that exists another key, and never other rights', async () => {
    const { keys, printed, command } = run();
    await command('add', 'robot', '--group', 'bots', '--key', 'a');
    expect(await command('add', 'robot')).toBe(0);
    expect(keys.get(sha256Hex('generated'))).toEqual({ name: 'robot', group: 'bots', levels: '' });
    expect(await command('add', 'robot', '--group', 'Administrator', '--key', 'b')).toBe(1);
    expect(printed.at(-1)).toContain('brokers set');
    expect(keys.size).toBe(2);
  });
});

describe('brokersCommand rotate', () => {
  it('prints a new key once, and leaves the old ones or revokes them', async () => {
    const { keys, printed, command } = run();
    await command('add', 'one', '--key', 'a');
    expect(await command('rotate', 'one')).toBe(0);
    expect(printed).toContain('one: the key is generated (shown this once)');
    expect(keys.size).toBe(2);
    expect(await command('rotate', 'one', '--revoke-others')).toBe(0);
    expect([...keys.keys()]).toEqual([sha256Hex('generated')]);
    expect(await command('rotate', 'nobody')).toBe(1);
  });
});

describe('brokersCommand set', () => {
  it('changes group and levels', async () => {
    const { keys, command } = run();
    await command('add', 'one', '--key', 'a');
    expect(await command('set', 'one', '--levels', '12t')).toBe(0);
    expect(keys.get(sha256Hex('a'))).toEqual({ name: 'one', group: 'brokers', levels: '12t' });
    expect(await command('set', 'nobody', '--levels', '1')).toBe(1);
    expect(await command('set', 'one')).toBe(2);
  });
});

describe('brokersCommand import', () => {
  it('adds the keys of a file, and with --dry-run prints them without their keys', async () => {
    const { keys, printed, command } = run();
    expect(await command('import', '-', '--format', 'ini', '--dry-run')).toBe(0);
    expect([printed, keys.size]).toEqual([
      ['old.system\tbrokers\t12', '1 keys would be added, 0 were there before'],
      0,
    ]);
    expect(await command('import', '-', '--format', 'ini')).toBe(0);
    expect(keys.get(sha256Hex('old-key'))).toEqual({ name: 'old.system', group: 'brokers', levels: '12' });
    expect(await command('import', '-')).toBe(2);
    expect(await command('import', '-', '--format', 'csv')).toBe(2);
  });
});

describe('brokersCommand without sandbox mode', () => {
  const options = { refusedKeys: refusedKeys({ SANDBOX_MODE: false }), file: '[brokers]\na = b\nbroker1 = broker1\n' };

  it('adds and imports no key that equals one of a sandbox', async () => {
    const { keys, printed, command } = run(options);
    expect(await command('add', 'robot', '--key', 'administrator')).toBe(1);
    expect(await command('import', '-', '--format', 'ini')).toBe(1);
    expect([keys.size, printed.at(-1)]).toEqual([0, expect.stringContaining('SANDBOX_MODE is off')]);
  });

  it('says of a stored key of a sandbox that it is refused', async () => {
    const { keys, printed, command } = run(options);
    keys.set(sha256Hex('broker1'), { name: 'broker1', group: 'brokers', levels: '1234' });
    expect(await command('keys', 'broker1')).toBe(0);
    expect(printed.at(-1)).toContain('refused: a key of the sandbox');
  });
});

describe('brokersCommand revoke', () => {
  it('revokes all keys of a broker, or one', async () => {
    const { keys, command } = run();
    for (const key of ['a', 'b', 'c']) await command('add', 'one', '--key', key);
    expect(await command('revoke', 'one', '--key', 'b')).toBe(0);
    expect(keys.size).toBe(2);
    expect(await command('revoke', 'one')).toBe(0);
    expect([keys.size, await command('revoke', 'one')]).toEqual([0, 1]);
  });

  it('revokes the key with an id of the list of keys', async () => {
    const { keys, printed, command } = run();
    for (const key of ['a', 'b']) await command('add', 'one', '--key', key);
    expect(await command('keys', 'one')).toBe(0);
    const id = sha256Hex('b').slice(0, 8);
    expect(printed.at(-1)).toBe(`${id}\t1970-01-01T00:00:00.000Z\tin force`);
    expect(await command('revoke', 'one', '--id', id)).toBe(0);
    expect([...keys.keys()]).toEqual([sha256Hex('a')]);
    expect(await command('revoke', 'one', '--id', '%')).toBe(2);
  });
});

describe('brokersCommand', () => {
  it('list prints one line per broker', async () => {
    const { printed, command } = run();
    await command('add', 'one', '--key', 'a');
    expect(await command('list')).toBe(0);
    expect(printed.at(-1)).toBe('one\tbrokers\t1234\t1 in force\t0 revoked');
  });

  it.each([
    [[]],
    [['add']],
    [['add', 'a b']],
    [['add', 'a', 'b']],
    [['add', 'a', '--group', 'kings']],
    [['drop', 'a']],
    [['add', 'a', '--levels', 'A;']],
    [['add', 'a', '--levels', '12q']],
    [['set', 'a', '--levels', '0']],
    [['rotate']],
    [['add', 'a', '--x']],
    [['list', 'a']],
  ])('prints the usage for the arguments %j', async (args) => {
    const { keys, printed, command } = run();
    expect(await command(...args)).toBe(2);
    expect([printed.join('\n'), keys.size]).toEqual([expect.stringContaining('Usage: brokers'), 0]);
  });
});
