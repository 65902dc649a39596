import { waitFor } from '@procurement/testing/wait-for';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TextPlace } from '../revisions/history.store.ts';
import { makeSharedTexts, type HeldTexts, type SharedTexts, type WantedText } from './shared-texts.ts';

type Texts = ReadonlyMap<bigint, string>;

let shared: SharedTexts;
/** Reads that were begun, and how each is answered. */
let reads: { readonly positions: readonly bigint[]; readonly answer: () => void; readonly fail: () => void }[];

beforeEach(() => {
  reads = [];
  const read = async (places: readonly TextPlace[]): Promise<Texts> =>
    new Promise((resolve, reject) => {
      const positions = places.map(({ position }) => position);
      const texts = new Map(positions.map((position) => [position, `{"data":{"n":${position}}}`]));
      reads.push({ positions, answer: () => resolve(texts), fail: () => reject(new Error('no database')) });
    });
  shared = makeSharedTexts({ read, bytesMax: 100, readsMax: 2 });
});

const wanted = (position: bigint, bytes: number): WantedText => ({ tender: 'a', rev: 1, position, bytes });
const hold = (...texts: readonly WantedText[]): Promise<HeldTexts | undefined> => shared.hold(texts, () => true);
const listReads = (): readonly (readonly bigint[])[] => reads.map(({ positions }) => positions);

/** What was settled of some promises, after all that can happen has happened. */
async function settled(promises: readonly Promise<unknown>[]): Promise<readonly boolean[]> {
  const states = promises.map(() => false);
  promises.forEach((promise, n) => void promise.then(() => (states[n] = true)));
  await new Promise((resolve) => setImmediate(resolve));
  return states;
}

describe('makeSharedTexts', () => {
  it('gives one text, without its envelope, to all who want it at the same time', async () => {
    const [one, other] = [hold(wanted(1n, 60)), hold(wanted(1n, 60))];
    reads[0]?.answer();
    const [first, second] = await Promise.all([one, other]);
    expect(first?.of(1n).toString()).toBe('{"n":1}');
    expect(second?.of(1n)).toBe(first?.of(1n));
    expect([listReads(), shared.bytes]).toEqual([[[1n]], 60]);
    first?.release();
    expect(shared.bytes).toBe(60);
    second?.release();
    expect(shared.bytes).toBe(0);
  });

  it('reads no more than its bytes at once, in the order of those who wait', async () => {
    const first = hold(wanted(1n, 60));
    const [large, small] = [hold(wanted(2n, 60)), hold(wanted(3n, 10))];
    reads[0]?.answer();
    expect(await settled([first, large, small])).toEqual([true, false, false]);
    expect(listReads()).toEqual([[1n]]);
    (await first)?.release();
    expect(listReads()).toEqual([[1n], [2n], [3n]]);
    expect(shared.bytes).toBe(70);
    reads.forEach(({ answer }) => answer());
    await Promise.all([large, small]);
  });

  it('lets those pass whose texts are all there', async () => {
    const first = hold(wanted(1n, 60));
    const waiting = hold(wanted(2n, 60));
    const passing = hold(wanted(1n, 60));
    reads[0]?.answer();
    expect(await settled([first, waiting, passing])).toEqual([true, false, true]);
  });

  it('admits what is larger than all it may hold when nothing else is held', async () => {
    const first = hold(wanted(1n, 10));
    const large = hold(wanted(2n, 1_000));
    reads[0]?.answer();
    expect(await settled([first, large])).toEqual([true, false]);
    (await first)?.release();
    reads[1]?.answer();
    expect((await large)?.of(2n).toString()).toBe('{"n":2}');
  });

  it('bounds the reads at once', async () => {
    const all = [hold(wanted(1n, 1)), hold(wanted(2n, 1)), hold(wanted(3n, 1))];
    expect(listReads()).toEqual([[1n], [2n]]);
    reads[0]?.answer();
    await waitFor(() => reads.length === 3, { what: 'the third read' });
    reads.forEach(({ answer }) => answer());
    await Promise.all(all);
  });

  it('holds nothing after a read that failed, and reads again for the next', async () => {
    const failing = [hold(wanted(1n, 60)), hold(wanted(1n, 60))];
    reads[0]?.fail();
    for (const one of failing) await expect(one).rejects.toThrow('no database');
    expect(shared.bytes).toBe(0);
    const next = hold(wanted(1n, 60));
    reads[1]?.answer();
    expect((await next)?.of(1n).toString()).toBe('{"n":1}');
  });

  it('reads nothing for who has gone while it waited', async () => {
    let isOpen = true;
    const first = hold(wanted(1n, 100));
    const gone = shared.hold([wanted(2n, 100)], () => isOpen);
    isOpen = false;
    reads[0]?.answer();
    (await first)?.release();
    expect(await gone).toBeUndefined();
    expect([listReads(), shared.bytes]).toEqual([[[1n]], 0]);
  });

  it('needs no room for nothing', async () => {
    void hold(wanted(1n, 1_000));
    expect(await settled([hold()])).toEqual([true]);
  });
});
