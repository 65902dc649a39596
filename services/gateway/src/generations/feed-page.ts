import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { isObject, type JsonObject } from './codec.ts';
import { urlInSegment, pathInSegment, type SegmentUrlBase } from './segment-urls.ts';

const LINKS_PREFIX = ',"next_page":{';

/** How a generation differs in a page of the feed. */
export interface FeedPageRewrite {
  /** The query of the request, without the question mark. */
  readonly query: string;
  /** Maps the text of the list. */
  readonly rows: (list: string) => string;
  /** Maps one parameter (still encoded) of the links, or leaves it out; what is added comes with it. */
  readonly parameters?: (pairs: readonly string[]) => readonly string[];
}

/**
 * A feed page with its links in the request's segment. Only the links are parsed: they stand behind the rows, and the
 * text that begins them cannot occur inside a row (in a string its quotes would be escaped).
 */
export function rewriteFeedPage(text: string, urlBase: SegmentUrlBase, rewrite: FeedPageRewrite): string {
  const at = text.lastIndexOf(LINKS_PREFIX);
  const dataPrefix = '{"data":';
  if (at < 0 || !text.startsWith(dataPrefix)) return text;
  let links: unknown;
  try {
    links = JSON.parse(`{${text.slice(at + 1)}`);
  } catch {
    return text;
  }
  if (!isObject(links)) return text;
  const rewrittenLinks = Object.fromEntries(
    Object.entries(links).map(([name, link]) => [name, isObject(link) ? rewriteLink(link, urlBase, rewrite) : link]),
  );
  return `${dataPrefix}${rewrite.rows(text.slice(dataPrefix.length, at))},${JSON.stringify(rewrittenLinks).slice(1)}`;
}

function rewriteLink(link: JsonObject, urlBase: SegmentUrlBase, { query, parameters }: FeedPageRewrite): JsonObject {
  const canonicalOffset = String(link['offset']);
  const encodedOffset =
    urlBase.segment === '2.5' || urlBase.segment === '2.4' ? canonicalOffset : encodeOffset(canonicalOffset, query);
  const rewriteUrl = (url: string): string => {
    const urlWithOffset =
      encodedOffset === canonicalOffset
        ? url
        : url.replace(/([?&]offset=)[^&]*/, (_all, name: string) => name + encodeURIComponent(encodedOffset));
    const queryStart = urlWithOffset.indexOf('?');
    if (parameters === undefined || queryStart < 0) return urlWithOffset;
    return `${urlWithOffset.slice(0, queryStart)}?${parameters(urlWithOffset.slice(queryStart + 1).split('&')).join('&')}`;
  };
  return {
    offset: encodedOffset,
    path: rewriteUrl(pathInSegment(String(link['path']), urlBase)),
    uri: rewriteUrl(urlInSegment(String(link['uri']), urlBase)),
  };
}

/** `seconds.fraction`, as segment 2.5 writes a place in the feed. */
const SECONDS_OFFSET = /^(\d{9,11})\.(\d{6})$/;

/**
 * A place in the feed as the older segments write it: an offset that a service wrote becomes the same instant in ISO; one
 * that repeats what the client sent stays as sent.
 */
function encodeOffset(canonicalOffset: string, query: string): string {
  const match = SECONDS_OFFSET.exec(canonicalOffset);
  if (match === null || canonicalOffset === new URLSearchParams(query).getAll('offset').at(-1)) return canonicalOffset;
  // Whole microseconds since 1970: what an Instant is.
  return formatServerDate(Number(`${match[1]}${match[2]}`) as Instant);
}
