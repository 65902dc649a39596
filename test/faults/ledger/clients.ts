import { createClient, type ProcurementClient } from '@procurement/client';

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** So many attempts take longer than a fault holds and its parts start again. */
const ATTEMPTS_MAX = 300;
const DELAY_MS_MAX = 500;
/** Time limit of one attempt: a stalled connection is given up. */
const TIMEOUT_MS = 10_000;

/** A client that repeats until it has an answer, as a patient broker does, or until the run gives up. */
export function patientClient(
  fetch: Fetch,
  { key, hasGivenUp }: { readonly key?: string; hasGivenUp(): boolean },
): ProcurementClient {
  return createClient({
    // `fetch` chooses the gateway.
    url: 'http://gateway.invalid',
    ...(key === undefined ? {} : { key }),
    fetch,
    timeoutMs: TIMEOUT_MS,
    uploadTimeoutMs: TIMEOUT_MS,
    retry: { attemptsMax: ATTEMPTS_MAX, firstDelayMs: 50 },
    // Clients wait for a shorter time than brokers do, because a run is short.
    wait: async (ms) => {
      if (hasGivenUp()) throw new Error('not answered before the end of the run');
      await new Promise((resolve) => setTimeout(resolve, Math.min(ms, DELAY_MS_MAX)));
    },
  });
}
