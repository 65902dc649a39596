import { describe, expect, it } from 'vitest';
import { readRun, writeRun, type Run } from './run.ts';

const id = (digit: string): string => digit.repeat(32);
const RUN: Run = {
  run: id('a'),
  at: '2026-11-25T02:00:00.000Z',
  step: 4,
  tender: { id: id('b'), token: id('c'), number: 'UA-2026-11-25-000001' },
  bids: [
    { id: id('d'), token: id('e') },
    { id: id('f'), token: id('0') },
  ],
  award: id('1'),
};
const encodeRun = (run: unknown): string => Buffer.from(JSON.stringify(run)).toString('base64url');

describe('the run in the form', () => {
  it('is read as it was written, and is far below 4 kB', () => {
    expect(readRun(writeRun(RUN))).toEqual(RUN);
    expect(writeRun(RUN).length).toBeLessThan(1000);
  });

  it.each([
    ['no JSON', 'bm90IGpzb24'],
    ['nothing', ''],
    ['a member that it does not have', encodeRun({ ...RUN, key: 'administrator' })],
    ['an id that is a path', encodeRun({ ...RUN, tender: { ...RUN.tender, id: '../../sandbox' } })],
    ['a token with a line of its own', encodeRun({ ...RUN, tender: { ...RUN.tender, token: `${id('c')}\n` } })],
    ['capital letters', encodeRun({ ...RUN, run: id('A') })],
    ['a step that there is not', encodeRun({ ...RUN, step: 11 })],
    ['a step without its tender', encodeRun({ ...RUN, tender: undefined })],
    ['bids that were not made', encodeRun({ ...RUN, bids: [] })],
    ['an instant in words', encodeRun({ ...RUN, at: 'today' })],
    ['more than 4 kB', encodeRun({ ...RUN, award: 'a'.repeat(4096) })],
  ])('is refused with %s', (_what, text) => {
    expect(readRun(text)).toBeUndefined();
  });
});
