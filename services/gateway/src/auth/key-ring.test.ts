import { describe, expect, it } from 'vitest';
import type { Broker } from './broker.ts';
import { findKey } from '../../test-support/find-key.ts';
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
  return { keys, lookups: () => lookups, pass: (ms: number) => (time += ms) };
}

describe('makeKeyRing', () => {
  it('finds refreshed keys without a look-up', async () => {
    const { keys, lookups } = makeRing(new Map([['a', broker]]));
    await keys.refresh();
    expect(keys.find('a')).toEqual(broker);
    expect(lookups()).toBe(0);
  });

  it('looks an unknown key up once until its time is over', async () => {
    const rows = new Map<string, Broker>();
    const { keys, lookups, pass } = makeRing(rows);
    expect(lookups()).toBe(0);
    expect(await findKey(keys, 'a')).toBeUndefined();
    expect(keys.find('a')).toBeUndefined();
    expect(lookups()).toBe(1);
    rows.set('a', broker);
    pass(1_001);
    expect(await findKey(keys, 'a')).toEqual(broker);
    expect(lookups()).toBe(2);
  });

  it('refuses a revoked key at once and after a refresh that still contains it', async () => {
    const rows = new Map([['a', broker]]);
    const { keys } = makeRing(rows);
    await keys.refresh();
    rows.delete('a');
    await keys.reread('a');
    expect(keys.find('a')).toBeUndefined();
    // A read that started before the revocation.
    rows.set('a', broker);
    await keys.refresh();
    expect(keys.find('a')).toBeUndefined();
    await keys.reread('a');
    expect(keys.find('a')).toBeUndefined();
  });

  it('accepts a registered key at once, also when it was cached as unknown or a running refresh misses it', async () => {
    let release: (rows: ReadonlyMap<string, Broker>) => void = () => undefined;
    const rows = new Map<string, Broker>();
    const { keys } = makeRing(rows, { all: async () => new Promise((resolve) => (release = resolve)) });
    expect(await findKey(keys, 'a')).toBeUndefined();
    const refreshing = keys.refresh();
    rows.set('a', broker);
    await keys.reread('a');
    release(new Map());
    await refreshing;
    expect(keys.find('a')).toEqual(broker);
  });

  it('keeps its keys when a refresh fails', async () => {
    let isDown = false;
    const rows = new Map([['a', broker]]);
    const { keys } = makeRing(rows, {
      all: async () => (isDown ? Promise.reject(new Error('database down')) : new Map(rows)),
    });
    await keys.refresh();
    isDown = true;
    await expect(keys.refresh()).rejects.toThrow('database down');
    expect(keys.find('a')).toEqual(broker);
    const failing = makeRing(rows, { find: async () => Promise.reject(new Error('database down')) }).keys;
    await failing.refresh();
    await expect(failing.reread('a')).rejects.toThrow('database down');
    expect(failing.find('a')).toEqual(broker);
  });

  it('issue 14 S9: reads a key once for all who ask at the same time, and few keys at a time', async () => {
    const asked: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const find = async (keyHash: string): Promise<undefined> => {
      asked.push(keyHash);
      await released;
    };
    const { keys } = makeRing(new Map(), { find });
    const running = ['a', 'a', 'b', 'c', 'd'].map(async (keyHash) => findKey(keys, keyHash));
    await expect(findKey(keys, 'e')).rejects.toThrow('already');
    release();
    expect(await Promise.all(running)).toEqual(running.map(() => undefined));
    expect(asked).toEqual(['a', 'b', 'c', 'd']);
    expect(await findKey(keys, 'e')).toBeUndefined();
  });

  it('bounds the cache of unknown keys', async () => {
    const { keys, lookups } = makeRing(new Map());
    for (const guess of ['a', 'b', 'c', 'd']) await findKey(keys, guess);
    expect(await findKey(keys, 'a')).toBeUndefined();
    expect(lookups()).toBe(5);
  });
});
