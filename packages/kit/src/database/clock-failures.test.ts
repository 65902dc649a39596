import type { Instant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { selectBatch, DUE_BYTES_MAX, retryMicros, type DueRow } from './clock-failures.ts';

// An instant is a whole number of microseconds.
const row = (id: string, bytes: number): DueRow => ({ id, bytes, dueAt: 0 as Instant });
const batchIds = (rows: readonly DueRow[]): readonly string[] => selectBatch(rows).map(({ id }) => id);
const third = Math.floor(DUE_BYTES_MAX / 3);

describe('selectBatch', () => {
  it.each<[string, readonly DueRow[], readonly string[]]>([
    ['nothing', [], []],
    ['rows below the limit together', [row('a', third), row('b', third), row('c', third)], ['a', 'b', 'c']],
    ['the earliest up to the limit', [row('a', third), row('b', 2 * third + 9), row('c', 1)], ['a']],
    ['a large row after all others', [row('a', DUE_BYTES_MAX + 1), row('b', 1)], ['b']],
    ['a large row alone', [row('a', DUE_BYTES_MAX + 1), row('b', DUE_BYTES_MAX + 1)], ['a']],
  ])('takes %s', (_what, rows, ids) => {
    expect(batchIds(rows)).toEqual(ids);
  });
});

describe('retryMicros', () => {
  it('doubles from 1 s up to 5 minutes', () => {
    expect([1, 2, 3, 9, 10, 5_000].map(retryMicros)).toEqual([1e6, 2e6, 4e6, 256e6, 300e6, 300e6]);
  });
});
