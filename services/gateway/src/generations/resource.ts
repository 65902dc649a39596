import type { RouteContract } from '@procurement/contracts/api/route';

/** What the `data` of a route is, which decides how it is mapped. */
export type Resource = 'feed' | 'tender' | 'bid' | 'award' | 'auction' | 'document' | 'other';

/**
 * Read from the path, because every route of a path holds the same resource and the contracts name them for people. The
 * last collection in the path decides: `/tenders/:tender_id/bids/:bid_id/documents` holds documents.
 */
export function resourceOf(route: RouteContract): Resource {
  if (route.path === '/tenders') return route.method === 'GET' ? 'feed' : 'tender';
  const last = route.path.split('/').findLast((part) => part !== '' && !part.startsWith(':'));
  return COLLECTIONS[last ?? ''] ?? 'other';
}

const COLLECTIONS: Readonly<Record<string, Resource>> = {
  tenders: 'tender',
  bids: 'bid',
  awards: 'award',
  auction: 'auction',
  documents: 'document',
};
