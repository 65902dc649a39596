import { HOUR, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { healthAfter, isDue, RETRY_PAUSES, retryAt, verifyAgainAt } from './webhook-schedule.ts';
import type { AttemptOutcome, WebhookHealth } from './webhook.ts';

const FAILED: AttemptOutcome = { ok: false, status: 500, milliseconds: 1 };
const OK: AttemptOutcome = { ok: true, status: 200, milliseconds: 1 };
const NEW: WebhookHealth = { failures: 0, tries: 0 };

function after(health: WebhookHealth, outcome: AttemptOutcome, now = 0, parked = 1) {
  return healthAfter(health, outcome, { now, parked, random: 0.5 });
}

function failing(count: number): WebhookHealth {
  let health = NEW;
  for (let n = 0; n < count; n += 1) ({ health } = after(health, FAILED));
  return health;
}

describe('retryAt', () => {
  it('takes 72 hours in all, then gives up', () => {
    expect(RETRY_PAUSES.reduce((sum, pause) => sum + pause, 0)).toBe(72 * HOUR + 5 * SECOND);
    expect(retryAt(0, RETRY_PAUSES.length, 0.5)).toBe(20 * HOUR + 24 * MINUTE);
    expect(retryAt(0, RETRY_PAUSES.length + 1, 0.5)).toBeUndefined();
  });

  it('spreads by a fifth, and waits as long as the receiver asks, for an hour at most', () => {
    expect([retryAt(0, 1, 0), retryAt(0, 1, 0.999_999_9)]).toEqual([4 * SECOND, 6 * SECOND]);
    expect(retryAt(0, 1, 0, { retryAfterSeconds: 90 })).toBe(90 * SECOND);
    expect(retryAt(0, 1, 0, { retryAfterSeconds: 90_000 })).toBe(HOUR);
  });
});

describe('healthAfter', () => {
  it('opens the circuit after 20 failures without a success, and closes it by one success', () => {
    expect(failing(19).circuitAt).toBeUndefined();
    expect(failing(20)).toMatchObject({ circuitAt: 0, tries: 0, nextAt: 5 * SECOND, lastError: '500' });
    expect(after(failing(25), OK, 7).health).toEqual({ failures: 0, tries: 0, lastSuccess: 7 });
  });

  it('opens it with 1,000 changes parked', () => {
    expect(after(NEW, FAILED, 0, 1_000).health.circuitAt).toBe(0);
  });

  it('tries at most 10 minutes apart while it is open, and gives up after 72 hours', () => {
    const open = failing(40);
    expect((after(open, FAILED, HOUR).health.nextAt ?? 0) - HOUR).toBeLessThanOrEqual(12 * MINUTE);
    expect(after(open, FAILED, 71 * HOUR).isOver).toBe(false);
    expect(after(open, FAILED, 72 * HOUR).isOver).toBe(true);
  });

  it('gives up at once on 410', () => {
    expect(after(NEW, { ...FAILED, status: 410 }).isOver).toBe(true);
  });
});

describe('isDue', () => {
  it('takes a time beyond every pause for one of a clock that was set back', () => {
    expect([isDue(undefined, 0), isDue(1, 1), isDue(2, 1), isDue(26 * HOUR, 0)]).toEqual([true, true, false, true]);
  });
});

describe('verifyAgainAt', () => {
  it('sends three more challenges in ten minutes', () => {
    expect([1, 2, 3, 4].map((tries) => verifyAgainAt(0, tries))).toEqual([MINUTE, 3 * MINUTE, 6 * MINUTE, undefined]);
  });
});
