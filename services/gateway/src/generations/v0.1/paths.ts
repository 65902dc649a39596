import type { Method, RouteContract } from '@procurement/contracts/api/route';
import type { Generation01 } from '../codec.ts';

// Paths of segment 0.1 (generations.md 6): `bidders` stands for `bids`, and the earliest generation has fewer methods
// below a tender. Routes that the segment lacks altogether are excluded by `segments` of their contracts.

const BIDS = '/tenders/:tender_id/bids';
const BIDDERS = '/tenders/:tender_id/bidders';

/** Methods of the earliest generation, for paths where it has fewer than the middle one. It reads what it has posted (rulings R39). */
const EARLIEST_METHODS: Readonly<Record<string, readonly Method[]>> = {
  [BIDDERS]: ['POST'],
  [`${BIDDERS}/:bid_id`]: ['GET'],
  [`${BIDDERS}/:bid_id/documents`]: ['POST'],
  [`${BIDDERS}/:bid_id/documents/:document_id`]: ['GET'],
  '/tenders/:tender_id/awards': ['POST'],
};

/** Public path on segment 0.1 for the path of a contract. */
export function toPath01(path: string): string {
  return isOrBelow(path, BIDS) ? BIDDERS + path.slice(BIDS.length) : path;
}

/** The contract with the path and SPORE name of segment 0.1. */
export function toContract01<C extends Pick<RouteContract, 'path' | 'spore'>>(contract: C): C {
  const path = toPath01(contract.path);
  return path === contract.path ? contract : { ...contract, path, spore: contract.spore.replace('bid', 'bidder') };
}

/** Whether a generation of segment 0.1 has a method at a path of the segment. */
export function hasMethodOn01(path: string, method: Method, generation01: Generation01): boolean {
  return generation01 === 'middle' || EARLIEST_METHODS[path] === undefined || EARLIEST_METHODS[path].includes(method);
}

/** Path at the service for a public path of segment 0.1 without the segment. */
export function toServicePath(requested: string): string {
  return requested.replace(/^(\/tenders\/[^/]+\/)bidders(?=\/|$)/, '$1bids');
}

function isOrBelow(path: string, collection: string): boolean {
  return path === collection || path.startsWith(`${collection}/`);
}
