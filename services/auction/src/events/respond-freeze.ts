import type { Deps } from '../deps.ts';
import { lockHandOff } from '../store/hand-off.store.ts';

/** Freezes the auctions of a tender under the lock of their writes, while tenders cancels it, and lifts the freeze again (decision 0060). */
export function respondFreeze({ freeze }: Pick<Deps, 'freeze'>): (request: unknown) => Promise<unknown> {
  return async (request) =>
    freeze.respond(request, async (tx, id) => {
      await lockHandOff(tx, id);
      // No cancellation depends on the state of auctions.
      return 0;
    });
}
