/** Addresses of one public door in one segment. Services write all of theirs in segment 2.5. */
export interface SegmentUrlBase {
  /** Scheme and host, without a slash at the end. */
  readonly base: string;
  /** As the client wrote it: an alias keeps its spelling (generations.md 1). */
  readonly segment: string;
}

/** Segments in which bids are called bidders, in paths too. */
const SEGMENTS_WITH_BIDDERS: ReadonlySet<string> = new Set(['0.1', '0.2']);

/** The address in the request's segment. Addresses outside the API stay as they are. */
export function urlInSegment(url: string, urlBase: SegmentUrlBase): string {
  const canonicalPrefix = `${urlBase.base}/api/2.5/`;
  if (!url.startsWith(canonicalPrefix)) return url;
  return `${urlBase.base}/api/${urlBase.segment}/${restInSegment(url.slice(canonicalPrefix.length), urlBase)}`;
}

/** The same for a path. */
export function pathInSegment(path: string, urlBase: SegmentUrlBase): string {
  const canonicalPrefix = '/api/2.5/';
  if (!path.startsWith(canonicalPrefix)) return path;
  return `/api/${urlBase.segment}/${restInSegment(path.slice(canonicalPrefix.length), urlBase)}`;
}

/** What stands behind the segment; the collection of bids in the words of the segment. */
function restInSegment(rest: string, { segment }: SegmentUrlBase): string {
  return SEGMENTS_WITH_BIDDERS.has(segment) ? rest.replace(/^(tenders\/[^/?]+\/)bids(?=[/?]|$)/, '$1bidders') : rest;
}

/**
 * A JSON text in which every document, wherever it is nested, has its address in the request's segment. Done on the text:
 * `"url":"` followed by an address of ours is a member of an object, since inside a string its quotes would be escaped.
 *
 * Decision: only addresses of the form that documents have (`tenders/...documents/...`) are turned, so that a web page of an
 * organization, which is a member `url` as well, stays as it was written.
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
