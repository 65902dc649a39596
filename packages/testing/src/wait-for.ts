/** What is waited for, and how long. */
export interface WaitOptions {
  /** Completes the sentence "waited for ...": said when it does not come. */
  readonly what: string;
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /** Default 10: pause between two looks. */
  readonly intervalMs?: number;
}

/**
 * Asks until the condition gives something other than undefined, null or false, and gives that. A throw counts as "not yet".
 * Fails with what was waited for and what was seen last.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 10_000, intervalMs = 10 }: WaitOptions,
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
