import type { Deps } from '../deps.ts';
import { lockAwarding } from '../store/load-awardings.ts';

/**
 * Freezes the awards and contracts of a tender under the lock of their decisions, while tenders cancels it, and lifts the
 * freeze again (decision 0060). Tenders must know the awards of the version in the response before it decides.
 */
export function respondFreeze({ freeze }: Pick<Deps, 'freeze'>): (request: unknown) => Promise<unknown> {
  return async (request) => freeze.respond(request, async (tx, id) => (await lockAwarding(tx, id)).state.version);
}
