import { withLocalDocuments, type Addresses } from './addresses.ts';
import type { Codec } from './codec.ts';
import { localFeedPage } from './feed-page.ts';
import { resourceOf } from './resource.ts';

/**
 * The canonical generation. On its own segment everything passes through untouched; under an alias (2.4) only the
 * addresses are turned, since an alias is kept as sent in links and document addresses.
 */
export function codec25(addresses: Addresses): Codec {
  const untouched = addresses.segment === '2.5';
  return {
    segment: '2.5',
    passesBody: () => true,
    needsStored: () => false,
    request: (_route, data) => ({ data }),
    query: (_route, query) => query,
    passThrough: () => untouched,
    response: ({ route, query }, text) => {
      if (untouched) return text;
      const local = withLocalDocuments(text, addresses);
      return resourceOf(route) === 'feed' ? localFeedPage(local, addresses, { query, rows: (list) => list }) : local;
    },
  };
}
