import { describe, expect, it } from 'vitest';
import { ASK_AGAIN_SECONDS } from './flow-waits.ts';

describe('ASK_AGAIN_SECONDS', () => {
  it('asks first after 10 s, then ever later, and 15 times in an hour', () => {
    expect([...ASK_AGAIN_SECONDS].sort((a, b) => a - b)).toEqual(ASK_AGAIN_SECONDS);
    expect(ASK_AGAIN_SECONDS[0]).toBe(10);
    const last = ASK_AGAIN_SECONDS.at(-1) ?? 0;
    let repetitions = 0;
    for (let at = 0; ; repetitions += 1) {
      at += ASK_AGAIN_SECONDS[repetitions] ?? last;
      if (at > 3_600) break;
    }
    expect(repetitions).toBe(15);
  });
});
