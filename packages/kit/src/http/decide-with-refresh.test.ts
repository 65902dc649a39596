import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { describe, expect, it } from 'vitest';
import { decideWithRefresh } from './decide-with-refresh.ts';

const stale = problem('request.forbidden');
const unrelated = problem('request.content-type');

/** Facts that are a number: a decision accepts those of at least `accepted`. Counts refreshes and decisions. */
function numberedFacts(facts: number, newer: number | undefined, accepted: number, refused: Problem = stale) {
  const calls = { refreshes: 0, decisions: 0 };
  const source = {
    facts,
    async refresh() {
      calls.refreshes += 1;
      return newer;
    },
  };
  const decide = async (given: number) => {
    calls.decisions += 1;
    return given >= accepted ? { given } : { refused };
  };
  const run = async () => decideWithRefresh(source, ({ code }) => code === stale.code, decide);
  return { calls, run };
}

describe('decideWithRefresh', () => {
  it('refreshes nothing when the first decision accepts', async () => {
    const { calls, run } = numberedFacts(1, 2, 1);
    expect(await run()).toEqual({ given: 1 });
    expect(calls).toEqual({ refreshes: 0, decisions: 1 });
  });

  it('decides again by newer facts before it refuses', async () => {
    const { calls, run } = numberedFacts(1, 2, 2);
    expect(await run()).toEqual({ given: 2 });
    expect(calls).toEqual({ refreshes: 1, decisions: 2 });
  });

  it('throws the second refusal when newer facts are refused as well', async () => {
    const { calls, run } = numberedFacts(1, 2, 3);
    await expect(run()).rejects.toMatchObject({ problem: stale });
    expect(calls).toEqual({ refreshes: 1, decisions: 2 });
  });

  it('throws the first refusal when nothing is newer', async () => {
    const { calls, run } = numberedFacts(1, undefined, 2);
    await expect(run()).rejects.toMatchObject({ problem: stale });
    expect(calls).toEqual({ refreshes: 1, decisions: 1 });
  });

  it('throws a refusal that does not depend on the facts without refreshing them', async () => {
    const { calls, run } = numberedFacts(1, 2, 2, unrelated);
    await expect(run()).rejects.toMatchObject({ problem: unrelated });
    expect(calls).toEqual({ refreshes: 0, decisions: 1 });
  });
});
