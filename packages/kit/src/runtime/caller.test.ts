import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseDeadline, remainingMs } from './caller.ts';

const remainingMsByHeader = (header: string | readonly string[] | undefined): number =>
  remainingMs({ deadlineMs: parseDeadline(header) });

describe('parseDeadline', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['30000', 29_000],
    ['1500', 500],
    ['200', 1],
    ['3600000', 59_000],
    [undefined, 9_000],
    ['soon', 9_000],
    [['1', '2'], 9_000],
  ])('of the header %j leaves %i ms', (header, ms) => {
    expect(remainingMsByHeader(header)).toBe(ms);
  });
});
