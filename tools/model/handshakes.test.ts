import { describe, expect, it } from 'vitest';
import { explore, STUCK } from './explore.ts';
import { handshakes } from './handshakes.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Fix } from './world.ts';

type Scenario = keyof typeof SCENARIOS;

const STATES_MAX = 20_000;
// Most of a second each; longer on a busy machine.
const TIMEOUT_MS = 60_000;

const NAMES: readonly Scenario[] = [
  'closing',
  'closing and cancellation',
  'bid and cancellation',
  'award and cancellation',
  'award and two cancellations',
  'signing and cancellation',
  'signing and claim',
];

describe('the handshakes of architecture.md', () => {
  it.each(NAMES)('hold in every run of: %s', { timeout: TIMEOUT_MS }, (name) => {
    expect(explore(handshakes(SCENARIOS[name]), STATES_MAX).counterexample).toBeUndefined();
  });
});

const BID_AFTER_SEALING = 'a bid was accepted after the sealed set was answered';
const BID_AFTER_CANCELLATION = 'a bid was accepted after the cancellation';
const AWARD_AFTER_CANCELLATION = 'an award was decided after the cancellation';
const SIGNED_AND_CANCELLED = 'a contract is signed and its tender cancelled';
const COMPLETE_AND_BLOCKED = 'a complete tender has a blocking complaint';

/** Each rule with the runs that break without it. */
const WITHOUT: Readonly<Record<Fix, readonly (readonly [Scenario, string])[]>> = {
  'ask again': [
    ['closing', STUCK],
    ['closing and cancellation', STUCK],
    ['bid and cancellation', STUCK],
    ['award and cancellation', STUCK],
  ],
  'follow the owner': [['award and cancellation', STUCK]],
  'seal by the clock of bids': [['closing', 'a bid on time was refused']],
  'read the phase under the lock': [['closing', BID_AFTER_SEALING]],
  'freeze before a cancellation': [
    ['bid and cancellation', BID_AFTER_CANCELLATION],
    ['award and cancellation', AWARD_AFTER_CANCELLATION],
    ['signing and cancellation', SIGNED_AND_CANCELLED],
  ],
  'read the freeze': [
    ['bid and cancellation', BID_AFTER_CANCELLATION],
    ['award and cancellation', AWARD_AFTER_CANCELLATION],
    ['signing and claim', COMPLETE_AND_BLOCKED],
  ],
  'compare the facts with the freeze': [
    ['bid and cancellation', BID_AFTER_CANCELLATION],
    ['award and cancellation', AWARD_AFTER_CANCELLATION],
  ],
  'number the freezes': [['award and two cancellations', AWARD_AFTER_CANCELLATION]],
  'wait for awards before a cancellation': [['signing and cancellation', SIGNED_AND_CANCELLED]],
  'ask for the outcome of a freeze': [
    ['award and cancellation', STUCK],
    ['signing and claim', STUCK],
  ],
  'close a freeze before its outcome': [
    ['award and cancellation', AWARD_AFTER_CANCELLATION],
    ['signing and claim', COMPLETE_AND_BLOCKED],
  ],
  'hold complaints while signing': [['signing and claim', COMPLETE_AND_BLOCKED]],
  'read complaints while they are held': [['signing and claim', COMPLETE_AND_BLOCKED]],
  'wait for the signed contract': [['signing and claim', COMPLETE_AND_BLOCKED]],
  'apply each version of awards once': [['signing and claim', 'a complete tender shows no signed contract']],
};

// Safe cast: the keys of the record.
const CASES = (Object.keys(WITHOUT) as Fix[]).flatMap((rule) =>
  WITHOUT[rule].map(([scenario, reason]) => [reason, rule, scenario] as const),
);

describe('the model', () => {
  it.each(CASES)('finds "%s" when "%s" is removed, in: %s', { timeout: TIMEOUT_MS }, (reason, rule, scenario) => {
    const { counterexample } = explore(handshakes(SCENARIOS[scenario], rule), STATES_MAX);
    expect(counterexample?.reason).toBe(reason);
    expect(counterexample?.run).not.toEqual([]);
  });

  it('reports the shortest run: a bid that was read before the cancellation and stored after it', () => {
    const { counterexample } = explore(
      handshakes(SCENARIOS['bid and cancellation'], 'freeze before a cancellation'),
      STATES_MAX,
    );
    expect(counterexample?.run).toEqual(['bid 1 is read', 'cancel 1 is stored', 'bid 1 is accepted']);
  });
});
