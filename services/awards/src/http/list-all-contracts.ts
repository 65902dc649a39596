import { readDecimalOffset, readOffset, secondsText } from '@procurement/domain/feed-offset';
import { toJsonText } from '@procurement/domain/json-text';
import type { FeedOffsets } from '@procurement/kit/feed/feed-query';
import { listFeed } from '@procurement/kit/feed/list-feed';
import { answerAlone } from '@procurement/kit/http/answer-reads';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { CONTRACT_FEED_MEMBERS } from '../domain/contract-feed.view.ts';

/** Names served from the row of the feed (contracting.md 3). */
const FAST_FIELDS: ReadonlySet<string> = new Set([...CONTRACT_FEED_MEMBERS, 'public_modified']);

/** Decimal offsets in both feeds: there are no contracts on segments that have others (rulings R24). */
const OFFSETS: FeedOffsets = {
  print: secondsText,
  read: (text, { changes }) => readDecimalOffset(text) ?? (changes ? undefined : readOffset(text)),
};

/** `GET /contracts`: a page of the feed of contracts (contracting.md 3). */
export function listAllContracts({ contracts, config, settings }: Deps): Handler {
  return answerAlone(
    listFeed({
      feed: contracts.feed,
      path: '/contracts',
      fastFields: FAST_FIELDS,
      offsets: OFFSETS,
      publicBaseUrl: config.PUBLIC_BASE_URL,
      isSandbox: settings.sandbox,
      toText: toJsonText,
    }),
  );
}
