import type { Deps } from '../deps.ts';
import { readFactsVersion } from '../store/load-tenders.ts';

/**
 * Freezes complaints about a tender under its lock, while awards signs a contract, and lifts the freeze again (decision 0060).
 * Awards signs by facts of the version in the response.
 */
export function respondComplaintsFreeze({
  complaintsFreeze,
}: Pick<Deps, 'complaintsFreeze'>): (request: unknown) => Promise<unknown> {
  return async (request) =>
    complaintsFreeze.respond(request, async (tx, id) => readFactsVersion(tx, id, { lock: true }));
}
