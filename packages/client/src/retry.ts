export interface RetryPolicy {
  /** 1: never repeat. */
  readonly attemptsMax: number;
  /** Doubled after each failure. */
  readonly firstDelayMs: number;
  readonly delayMsMax: number;
  /** A longer `Retry-After` is not waited for: the refusal is thrown with it. */
  readonly retryAfterMsMax: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  attemptsMax: 6,
  firstDelayMs: 250,
  delayMsMax: 20_000,
  retryAfterMsMax: 120_000,
};

/** Refused before anything happened: every request may be repeated. */
const REFUSED: ReadonlySet<number> = new Set([409, 429]);
/** It may have happened: only requests whose repetition has no further effect are repeated. */
const UNKNOWN: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** A failed attempt. Without a status there was no answer. */
export interface Failure {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
}

/** Whether the request may have had its effect although it failed. */
export function isOutcomeUnknown({ status }: Failure): boolean {
  return status === undefined || UNKNOWN.has(status);
}

/**
 * How long to wait before the next attempt; undefined: do not repeat. `Retry-After` wins over the growing delay.
 * @param chance of 0 to 1: spreads clients that failed at the same moment.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  failure: Failure,
  request: { readonly attempts: number; readonly isRepeatable: boolean },
  chance: number,
): number | undefined {
  const mayRepeat = isOutcomeUnknown(failure) ? request.isRepeatable : REFUSED.has(failure.status ?? 0);
  if (!mayRepeat || request.attempts >= policy.attemptsMax) return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > policy.retryAfterMsMax) return undefined;
  const grownMs = Math.min(policy.delayMsMax, policy.firstDelayMs * 2 ** (request.attempts - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(grownMs * (0.5 + chance / 2)));
}

/** `Retry-After` in milliseconds. A date is compared with the `Date` of the same answer, so the clock here does not matter. */
export function parseRetryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const waitMs = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
