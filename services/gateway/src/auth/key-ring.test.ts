import { describe, expect, it } from 'vitest';
import type { Broker } from './broker.ts';
import { makeKeyRing, type KeySource } from './key-ring.ts';

const broker: Broker = { name: 'broker1', group: 'brokers', levels: '1234' };

function makeRing(rows: Map<string, Broker>, source: Partial<KeySource> = {}) {
  let lookups = 0;
  let time = 0;
  const keys = makeKeyRing({
    source: {
      all: async () => new Map(rows),
      find: async (keyHash) => {
        lookups += 1;
        return rows.get(keyHash);
      },
      ...source,
    },
    unknownMs: 1_000,
    unknownMax: 3,
    nowMs: () => time,
  });
  return { keys, asked: () => lookups, pass: (ms: number) => (time += ms) };
}

describe('the key ring', () => {
  it('answers what it has read without asking again', async () => {
    const { keys, asked } = makeRing(new Map([['a', broker]]));
    await keys.refresh();
    expect(keys.find('a')).toEqual(broker);
    expect(asked()).toBe(0);
  });

  it('asks once for a key it does not know, and remembers for a while that nobody has it', async () => {
    const rows = new Map<string, Broker>();
    const { keys, asked, pass } = makeRing(rows);
    expect(await keys.find('a')).toBeUndefined();
    expect(keys.find('a')).toBeUndefined();
    expect(asked()).toBe(1);
    rows.set('a', broker);
    pass(1_001);
    expect(await keys.find('a')).toEqual(broker);
    expect(asked()).toBe(2);
  });

  it('refuses a revoked key at once, whatever the database still says', async () => {
    const { keys } = makeRing(new Map([['a', broker]]));
    await keys.refresh();
    keys.revoke(['a']);
    expect(keys.find('a')).toBeUndefined();
    await keys.refresh();
    expect(keys.find('a')).toBeUndefined();
    keys.add('a', broker);
    expect(keys.find('a')).toBeUndefined();
  });

  it('takes a registered key at once, also one that was unknown a moment ago or is missed by a running refresh', async () => {
    let release: (rows: ReadonlyMap<string, Broker>) => void = () => undefined;
    const { keys } = makeRing(new Map(), { all: async () => new Promise((resolve) => (release = resolve)) });
    expect(await keys.find('a')).toBeUndefined();
    const refreshing = keys.refresh();
    keys.add('a', broker);
    release(new Map());
    await refreshing;
    expect(keys.find('a')).toEqual(broker);
  });

  it('keeps what it knows when the database is away', async () => {
    let away = false;
    const rows = new Map([['a', broker]]);
    const { keys } = makeRing(rows, { all: async () => (away ? Promise.reject(new Error('away')) : new Map(rows)) });
    await keys.refresh();
    away = true;
    await expect(keys.refresh()).rejects.toThrow('away');
    expect(keys.find('a')).toEqual(broker);
  });

  it('does not grow with the keys that strangers try', async () => {
    const { keys, asked } = makeRing(new Map());
    for (const guess of ['a', 'b', 'c', 'd']) await keys.find(guess);
    expect(await keys.find('a')).toBeUndefined();
    expect(asked()).toBe(5);
  });
});
