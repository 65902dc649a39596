import type { Deps } from '../deps.ts';
import { lockHandOff } from '../store/hand-off.store.ts';

/** Freezes the auctions of a tender under the lock of their writes, while tenders cancels it, and lifts the freeze again (decision 0060). */
export function respondFence({ fence }: Pick<Deps, 'fence'>): (request: unknown) => Promise<unknown> {
  return async (request) =>
    fence.respond(request, async (tx, id) => {
      await lockHandOff(tx, id);
      // No cancellation depends on the state of auctions.
      return 0;
    });
}
