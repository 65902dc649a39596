import { describe, expect, it } from 'vitest';
import { makeProgress } from './stalled-consumer.ts';

describe('progress of a durable', () => {
  it('is missing while its oldest event is not applied, or its state is not known', () => {
    let now = 0;
    const progress = makeProgress(() => now);
    const at = (ms: number, state?: { readonly lag: number; readonly ackFloorSeq: number }): number => {
      now = ms;
      progress.observe(state);
      return progress.stuckMs();
    };
    expect(at(1_000, { lag: 0, ackFloorSeq: 5 })).toBe(0);
    expect(at(2_000, { lag: 3, ackFloorSeq: 5 })).toBe(0);
    // Others are applied.
    expect(at(3_000, { lag: 1, ackFloorSeq: 5 })).toBe(1_000);
    expect(at(4_000)).toBe(2_000);
    expect(at(5_000, { lag: 9, ackFloorSeq: 5 })).toBe(3_000);
    expect(at(6_000, { lag: 8, ackFloorSeq: 6 })).toBe(0);
    expect(at(7_000)).toBe(1_000);
    expect(at(8_000, { lag: 0, ackFloorSeq: 6 })).toBe(0);
  });
});
