import type { Deps } from '../deps.ts';
import { lockBiddingsExclusive } from '../store/bidding-locks.ts';

/** Freezes the bidding of a tender under the lock of its closing, while tenders cancels it, and lifts the freeze again (decision 0060). */
export function respondFreeze({ freeze }: Pick<Deps, 'freeze'>): (request: unknown) => Promise<unknown> {
  return async (request) =>
    freeze.respond(request, async (tx, id) => {
      const [bidding] = await lockBiddingsExclusive(tx, [id]);
      return bidding?.version ?? 0;
    });
}
