import { describe, expect, it } from 'vitest';
import { explore, STUCK, type Model } from './explore.ts';

/** Counts from 0; `fault` skips one number, which is never repeated. */
function counting(options: { readonly violates?: number; readonly lastOfFault?: number } = {}): Model<number> {
  const { violates, lastOfFault = 0 } = options;
  return {
    initial: 0,
    formatKey: String,
    steps: (count) => [
      ...(count < 5 ? [{ name: 'one', next: count + 1, isFair: true }] : []),
      ...(count < lastOfFault ? [{ name: 'fault', next: count + 10, isFair: false }] : []),
    ],
    findViolation: (count) => (count === violates ? `reached ${count}` : undefined),
    isDone: (count) => count === 5,
  };
}

describe('explore', () => {
  it('visits every state once', () => {
    expect(explore(counting(), 10)).toEqual({ states: 6 });
  });

  it('reports the shortest run to a violation', () => {
    const { counterexample } = explore(counting({ violates: 2 }), 10);
    expect(counterexample).toEqual({ reason: 'reached 2', run: ['one', 'one'] });
  });

  it('reports a state from which fair steps reach no end', () => {
    const { counterexample } = explore(counting({ lastOfFault: 1 }), 10);
    expect(counterexample).toEqual({ reason: STUCK, run: ['fault'] });
  });

  it('throws when it cannot visit all states', () => {
    expect(() => explore(counting(), 3)).toThrow('more than 3 states');
  });
});
