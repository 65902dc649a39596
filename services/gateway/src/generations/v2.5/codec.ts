import { rewriteDocumentUrls, type SegmentUrlBase } from '../segment-urls.ts';
import type { Codec } from '../codec.ts';
import { rewriteFeedPage } from '../feed-page.ts';
import { resourceOf } from '../resource.ts';

/**
 * Codec of the canonical generation. On segment 2.5 everything passes unchanged; on the alias 2.4 only links and
 * document URLs are rewritten, because they keep the alias (generations.md 1).
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
