import { toJsonText } from '@procurement/domain/json-text';
import { listFeed } from '@procurement/kit/feed/list-feed';
import type { ReadRoute } from '@procurement/kit/http/answer-reads';
import type { Deps } from '../deps.ts';
import { FEED_MEMBERS } from '../domain/tender.view.ts';
import { feedOffsets } from './feed-offsets.ts';

/** Names served from the row of the feed (http.md 1.4). */
export const FAST_FIELDS: ReadonlySet<string> = new Set([...FEED_MEMBERS, 'dateCreated', 'public_modified']);

/** `GET /tenders`: a page of the feed (http.md 1). */
export function listTenders({ feed, feedSecrets, config, settings }: Deps): ReadRoute {
  return listFeed({
    feed,
    path: '/tenders',
    fastFields: FAST_FIELDS,
    offsets: feedOffsets(feedSecrets),
    publicBaseUrl: config.PUBLIC_BASE_URL,
    isSandbox: settings.sandbox,
    toText: toJsonText,
  });
}
