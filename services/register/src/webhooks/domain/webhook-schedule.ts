import { HOUR, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import { failureText, type AttemptOutcome, type WebhookHealth } from './webhook.ts';

/** Pauses after the first, second, ... failed attempt: 72 hours together (register.md 5.3). */
export const RETRY_PAUSES: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR + 24 * MINUTE,
];
/** Every pause is up to a fifth shorter or longer, so that the changes of an outage do not come back together. */
const SPREAD = 0.2;
const RETRY_AFTER_MAX_SECONDS = 3_600;

const FAILURES_TO_OPEN = 20;
export const PARKED_MAX = 1_000;
const CIRCUIT_PAUSE_MAX = 10 * MINUTE;
const CIRCUIT_OPEN_MAX = 72 * HOUR;

/** Pauses between challenges; after the last one the webhook is disabled. */
const VERIFICATION_PAUSES: readonly number[] = [MINUTE, 3 * MINUTE, 6 * MINUTE];

/** When to try again after `attempts` failed ones; undefined after the last one. `random`: from 0 to below 1. */
export function retryAt(
  now: number,
  attempts: number,
  random: number,
  { retryAfterSeconds = 0 }: Pick<AttemptOutcome, 'retryAfterSeconds'> = {},
): number | undefined {
  const pause = RETRY_PAUSES[attempts - 1];
  if (pause === undefined) return undefined;
  const atLeast = Math.min(retryAfterSeconds, RETRY_AFTER_MAX_SECONDS) * SECOND;
  return now + Math.max(spread(pause, random), atLeast);
}

/** Longer than any pause: a time that is further away was set by a clock that has been set back. */
const PAUSE_MAX = 25 * HOUR;

export function isDue(at: number | undefined, now: number): boolean {
  return at === undefined || at <= now || at > now + PAUSE_MAX;
}

function spread(pause: number, random: number): number {
  return Math.round(pause * (1 - SPREAD + 2 * SPREAD * random));
}

export interface HealthStep {
  readonly health: WebhookHealth;
  /** The webhook must be disabled. */
  readonly isOver: boolean;
}

/** How a receiver stands after an attempt. `parked`: changes that wait, with this one. */
export function healthAfter(
  health: WebhookHealth,
  outcome: AttemptOutcome,
  { now, parked, random }: { readonly now: number; readonly parked: number; readonly random: number },
): HealthStep {
  if (outcome.ok) return { health: { failures: 0, tries: 0, lastSuccess: now }, isOver: false };
  const failures = health.failures + 1;
  const { failingSince = now, lastSuccess } = health;
  const failing = {
    failures,
    failingSince,
    lastError: failureText(outcome),
    ...(lastSuccess === undefined ? {} : { lastSuccess }),
  };
  if (outcome.status === 410) return { health: { ...failing, tries: 0 }, isOver: true };
  const isOpen = health.circuitAt !== undefined;
  if (!isOpen && failures < FAILURES_TO_OPEN && parked < PARKED_MAX) {
    return { health: { ...failing, tries: 0 }, isOver: false };
  }
  const circuitAt = health.circuitAt ?? now;
  const tries = isOpen ? health.tries + 1 : 0;
  const pause = Math.min(RETRY_PAUSES[tries] ?? CIRCUIT_PAUSE_MAX, CIRCUIT_PAUSE_MAX);
  const nextAt = now + spread(pause, random);
  return { health: { ...failing, circuitAt, tries, nextAt }, isOver: now - circuitAt >= CIRCUIT_OPEN_MAX };
}

/** When to send a challenge again after `tries` that failed; undefined when it is over. */
export function verifyAgainAt(now: number, tries: number): number | undefined {
  const pause = VERIFICATION_PAUSES[tries - 1];
  return pause === undefined ? undefined : now + pause;
}
