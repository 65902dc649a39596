import type { RouteContract } from '@procurement/contracts/api/route';

/** Kind of `data` that a route carries; decides how a codec maps it. */
export type Resource = 'feed' | 'tender' | 'bid' | 'award' | 'contract' | 'auction' | 'document' | 'other';

/** What of a route decides about its data. */
export type ResourceRoute = Pick<RouteContract, 'path' | 'method'>;

/**
 * Derived from the path: all requests of one path carry the same resource. The last collection decides:
 * `/tenders/:tender_id/bids/:bid_id/documents` carries documents.
 */
export function resourceOf(route: ResourceRoute): Resource {
  if (route.path === '/tenders') return route.method === 'GET' ? 'feed' : 'tender';
  if (route.path === '/contracts') return 'feed';
  const last = route.path.split('/').findLast((part) => part !== '' && !part.startsWith(':'));
  return COLLECTIONS[last ?? ''] ?? 'other';
}

/** Kind of `data` in a response: a report of auction results is answered with the tender (bids-awards-auction.md 2.5). */
export function responseResourceOf(route: ResourceRoute): Resource {
  const resource = resourceOf(route);
  return resource === 'auction' && route.method === 'POST' ? 'tender' : resource;
}

const COLLECTIONS: Readonly<Record<string, Resource>> = {
  tenders: 'tender',
  bids: 'bid',
  awards: 'award',
  contracts: 'contract',
  // A new token comes with the contract.
  credentials: 'contract',
  auction: 'auction',
  documents: 'document',
};
