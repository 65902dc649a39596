/** Base of the URLs in one response. Services write all URLs for segment 2.5. */
export interface SegmentUrlBase {
  /** Scheme and host, without a trailing slash. */
  readonly base: string;
  /** Segment as the client wrote it, possibly an alias (generations.md 1). */
  readonly segment: string;
}

/** Segments whose paths have `bidders` for `bids`. */
const SEGMENTS_WITH_BIDDERS: ReadonlySet<string> = new Set(['0.1', '0.2']);

/** A URL of segment 2.5 in the request's segment. Any other URL passes unchanged. */
export function urlInSegment(url: string, urlBase: SegmentUrlBase): string {
  const canonicalPrefix = `${urlBase.base}/api/2.5/`;
  if (!url.startsWith(canonicalPrefix)) return url;
  return `${urlBase.base}/api/${urlBase.segment}/${restInSegment(url.slice(canonicalPrefix.length), urlBase)}`;
}

/** A path of segment 2.5 in the request's segment. */
export function pathInSegment(path: string, urlBase: SegmentUrlBase): string {
  const canonicalPrefix = '/api/2.5/';
  if (!path.startsWith(canonicalPrefix)) return path;
  return `/api/${urlBase.segment}/${restInSegment(path.slice(canonicalPrefix.length), urlBase)}`;
}

/** The part of a path after the segment. */
function restInSegment(rest: string, { segment }: SegmentUrlBase): string {
  return SEGMENTS_WITH_BIDDERS.has(segment) ? rest.replace(/^(tenders\/[^/?]+\/)bids(?=[/?]|$)/, '$1bidders') : rest;
}

/**
 * Rewrites the URL of every document in a JSON text to the request's segment, at any depth. Works on the text:
 * `"url":"` followed by our base URL is a member of an object, because inside a string the quotes would be escaped.
 *
 * Decision: only URLs of documents (`tenders/...documents/...`) are rewritten. The web page of an organization is a
 * member `url` too, and stays as the client wrote it (docs/decisions/0013-json-is-edited-as-text.md).
 */
export function rewriteDocumentUrls(text: string, urlBase: SegmentUrlBase): string {
  const canonicalPrefix = `"url":"${urlBase.base}/api/2.5/tenders/`;
  let at = text.indexOf(canonicalPrefix);
  if (at < 0) return text;
  const parts: string[] = [];
  let copiedTo = 0;
  while (at >= 0) {
    const start = at + '"url":"'.length;
    const end = text.indexOf('"', start);
    const url = text.slice(start, end);
    if (DOCUMENT_URL.test(url)) {
      parts.push(text.slice(copiedTo, start), urlInSegment(url, urlBase));
      copiedTo = end;
    }
    at = text.indexOf(canonicalPrefix, end);
  }
  if (copiedTo === 0) return text;
  parts.push(text.slice(copiedTo));
  return parts.join('');
}

const DOCUMENT_URL = /\/documents\/[^/?\\]+(?:\?|$)/;
