import { ConnectionError, isProblem } from './problem.ts';
import type { TransportSettings } from './transport.ts';

/** Time between two calls, after the request itself has been repeated. */
const FAILURE_WAIT_MS = 10_000;

/** Calls again, without limit, after failures that pass (no answer, 429 and 5xx) until there is an answer. Throws the others. */
export async function waitOverFailures<T>(
  call: () => Promise<T>,
  wait: TransportSettings['wait'],
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const passes =
        error instanceof ConnectionError || isProblem(error, 'unavailable') || isProblem(error, 'too-many');
      if (!passes) throw error;
      await wait(isProblem(error) ? (error.retryAfterMs ?? FAILURE_WAIT_MS) : FAILURE_WAIT_MS, signal);
    }
  }
}
