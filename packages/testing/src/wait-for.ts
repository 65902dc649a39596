export interface WaitOptions {
  /** Completes "waited for ..." in the error. */
  readonly what: string;
  /** Default 60,000: much longer than anything takes on a slow machine. */
  readonly timeoutMs?: number;
  /** Pause between two calls. Default 10. */
  readonly intervalMs?: number;
}

/**
 * Calls `condition` until it answers a value other than undefined, null and false, and answers that value. A throw counts as "not
 * yet". Throws after the timeout, with `what` and the last result.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 60_000, intervalMs = 10 }: WaitOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const deadlineMs = performance.now() + timeoutMs;
  let lastSeen: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (isPresent(value)) return value;
      lastSeen = value;
    } catch (error) {
      lastSeen = error;
    }
    if (performance.now() >= deadlineMs) break;
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  throw new Error(`waited ${timeoutMs} ms for ${what}; seen last: ${String(lastSeen)}`, { cause: lastSeen });
}

function isPresent<T>(value: T): value is Exclude<T, undefined | null | false> {
  return value !== undefined && value !== null && value !== false;
}
