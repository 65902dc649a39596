/** What is waited for, and how long. */
export interface Patience {
  /** Completes the sentence "waited for ...": said when it does not come. */
  readonly what: string;
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /** Default 10: pause between two looks. */
  readonly everyMs?: number;
}

/**
 * Asks until the condition gives something other than undefined, null or false, and gives that. A throw counts as "not yet".
 * Fails with what was waited for and what was seen last.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 10_000, everyMs = 10 }: Patience,
): Promise<Exclude<T, undefined | null | false>> {
  const giveUpAt = performance.now() + timeoutMs;
  let seen: unknown;
  for (;;) {
    try {
      const found = await condition();
      if (isThere(found)) return found;
      seen = found;
    } catch (error) {
      seen = error;
    }
    if (performance.now() >= giveUpAt) break;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`waited ${timeoutMs} ms for ${what}; seen last: ${String(seen)}`, { cause: seen });
}

function isThere<T>(found: T): found is Exclude<T, undefined | null | false> {
  return found !== undefined && found !== null && found !== false;
}
