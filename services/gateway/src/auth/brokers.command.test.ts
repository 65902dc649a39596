import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import type { Broker } from './broker.ts';
import { brokersCommand } from './brokers.command.ts';
import type { BrokerStore } from './brokers.store.ts';

function run() {
  const keys = new Map<string, Broker>();
  const printed: string[] = [];
  const brokers: BrokerStore = {
    addKey: async (broker, keyHash) => {
      if (keys.has(keyHash)) return false;
      keys.set(keyHash, broker);
      return true;
    },
    revoke: async (name, keyHash) => {
      const revoked = [...keys].filter(([hash, broker]) => broker.name === name && (keyHash ?? hash) === hash);
      for (const [hash] of revoked) keys.delete(hash);
      return revoked.length;
    },
    list: async () => [...keys.values()].map((broker) => ({ ...broker, keys: 1, revoked: 0 })),
    levelsOf: async (name) => [...keys.values()].find((broker) => broker.name === name)?.levels,
  };
  const ids = { next: () => 'i', nextToken: () => 'generated', nextUuid: () => 'u' };
  const command = async (...args: string[]) =>
    brokersCommand(args, { brokers, ids, print: (line) => printed.push(line) });
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
    [['add', 'a', '--x']],
    [['list', 'a']],
  ])('prints the usage for the arguments %j', async (args) => {
    const { keys, printed, command } = run();
    expect(await command(...args)).toBe(2);
    expect([printed[0]?.startsWith('usage:'), keys.size]).toEqual([true, 0]);
  });
});
