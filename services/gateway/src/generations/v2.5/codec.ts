import { rewriteDocumentUrls, type SegmentUrlBase } from '../segment-urls.ts';
import type { Codec } from '../codec.ts';
import { rewriteFeedPage } from '../feed-page.ts';
import { resourceOf } from '../resource.ts';

/**
 * The canonical generation. On its own segment everything passes through untouched; under an alias (2.4) only the
 * addresses are turned, since an alias is kept as sent in links and document addresses.
 */
export function codec25(urlBase: SegmentUrlBase): Codec {
  const isCanonicalSegment = urlBase.segment === '2.5';
  return {
    segment: '2.5',
    passesRequestThrough: () => true,
    needsStored: () => false,
    decodeRequest: (_route, data) => ({ data }),
    decodeQuery: (_route, query) => query,
    passesResponseThrough: () => isCanonicalSegment,
    encodeResponse: ({ route, query }, text) => {
      if (isCanonicalSegment) return text;
      const rewritten = rewriteDocumentUrls(text, urlBase);
      return resourceOf(route) === 'feed'
        ? rewriteFeedPage(rewritten, urlBase, { query, rows: (list) => list })
        : rewritten;
    },
  };
}
