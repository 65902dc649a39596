import type { Method, RouteContract } from '@procurement/contracts/api/route';
import type { Generation01 } from '../codec.ts';

/**
 * How paths of segment 0.1 differ (generations.md 6): bids are called bidders there, and the earliest generation can only add
 * to the collections below a tender. What the segment does not have at all says `segments` of the contract.
 */
const BIDS = '/tenders/:tender_id/bids';
const BIDDERS = '/tenders/:tender_id/bidders';

/** Methods that the earliest generation has at a path, where they are fewer than those of the middle one. */
const EARLIEST_METHODS: Readonly<Record<string, readonly Method[]>> = {
  [BIDDERS]: ['POST'],
  [`${BIDDERS}/:bid_id`]: [],
  [`${BIDDERS}/:bid_id/documents`]: ['POST'],
  [`${BIDDERS}/:bid_id/documents/:document_id`]: [],
  '/tenders/:tender_id/awards': ['POST'],
};

/** The path of a contract as clients of segment 0.1 write it. */
export function toPath01(path: string): string {
  return isOrBelow(path, BIDS) ? BIDDERS + path.slice(BIDS.length) : path;
}

/** The contract as segment 0.1 describes it. */
export function toContract01<C extends Pick<RouteContract, 'path' | 'spore'>>(contract: C): C {
  const path = toPath01(contract.path);
  return path === contract.path ? contract : { ...contract, path, spore: contract.spore.replace('bid', 'bidder') };
}

/** Whether a generation of segment 0.1 has a method at a path that the segment has. */
export function hasMethodOn01(path: string, method: Method, generation01: Generation01): boolean {
  return generation01 === 'middle' || EARLIEST_METHODS[path] === undefined || EARLIEST_METHODS[path].includes(method);
}

/** A requested path of segment 0.1, without its segment, as services know it. */
export function toServicePath(requested: string): string {
  return requested.replace(/^(\/tenders\/[^/]+\/)bidders(?=\/|$)/, '$1bids');
}

function isOrBelow(path: string, collection: string): boolean {
  return path === collection || path.startsWith(`${collection}/`);
}
