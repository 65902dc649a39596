import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { urlInSegment, pathInSegment, type SegmentUrlBase } from './segment-urls.ts';

const LINKS_PREFIX = ',"next_page":{';

/** What a generation changes in a page of the feed. */
export interface FeedPageRewrite {
  /** The query of the request, without the question mark. */
  readonly query: string;
  /** Rewrites the text of the list of rows. */
  readonly rows: (list: string) => string;
  /** Rewrites the query parameters of a link, each still URL-encoded: `name=value`. */
  readonly parameters?: (pairs: readonly string[]) => readonly string[];
}

/**
 * Rewrites a feed page: its rows, and its links for the request's segment. Parses only the links. They follow the rows,
 * and `LINKS_PREFIX` cannot occur inside a row, because quotes inside a string are escaped.
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
  if (!isJsonObject(links)) return text;
  const rewrittenLinks = Object.fromEntries(
    Object.entries(links).map(([name, link]) => [
      name,
      isJsonObject(link) ? rewriteLink(link, urlBase, rewrite) : link,
    ]),
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

/** `seconds.fraction`: a feed offset of segment 2.5. */
const SECONDS_OFFSET = /^(\d{9,11})\.(\d{6})$/;

/**
 * Feed offset of the older segments: an offset made by the service becomes the same instant in ISO 8601; an offset that
 * repeats the client's own stays as sent.
 */
function encodeOffset(canonicalOffset: string, query: string): string {
  const match = SECONDS_OFFSET.exec(canonicalOffset);
  if (match === null || canonicalOffset === new URLSearchParams(query).getAll('offset').at(-1)) return canonicalOffset;
  // Seconds and six digits of the fraction: microseconds since 1970, the unit of Instant.
  return formatServerDate(Number(`${match[1]}${match[2]}`) as Instant);
}
