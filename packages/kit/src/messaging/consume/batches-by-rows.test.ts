import { describe, expect, it } from 'vitest';
import { batchesByRows } from './batches-by-rows.ts';

const deliveries = (subjects: string) => subjects.split('').map((subject) => ({ event: { subject } }));
const batches = (subjects: string, bytes: Readonly<Record<string, number>>): readonly string[] =>
  batchesByRows(deliveries(subjects), new Map(Object.entries(bytes)), 10).map((batch) =>
    batch.map(({ event }) => event.subject).join(''),
  );

describe('batchesByRows', () => {
  it('keeps the order and splits where the rows would exceed the bound', () => {
    expect(batches('abcd', { a: 4, b: 6, c: 1, d: 9 })).toEqual(['ab', 'cd']);
    expect(batches('abcd', { a: 4, b: 7, c: 3, d: 1 })).toEqual(['a', 'bc', 'd']);
  });

  it('counts a row once in a batch, and again in the next', () => {
    expect(batches('aaaabaa', { a: 6, b: 5 })).toEqual(['aaaa', 'b', 'aa']);
  });

  it('gives a row above the bound a batch of its own', () => {
    expect(batches('axxb', { a: 1, x: 50, b: 1 })).toEqual(['a', 'xx', 'b']);
  });

  it('counts unknown rows as none', () => {
    expect(batches('abc', {})).toEqual(['abc']);
    expect(batches('', {})).toEqual([]);
  });
});
