/** Addresses of one public door in one segment. Services write all of theirs in segment 2.5. */
export interface Addresses {
  /** Scheme and host, without a slash at the end. */
  readonly base: string;
  /** As the client wrote it: an alias keeps its spelling (generations.md 1). */
  readonly segment: string;
}

/** Segments in which bids are called bidders, in paths too. */
const WITH_BIDDERS: ReadonlySet<string> = new Set(['0.1', '0.2']);

/** The address in the request's segment. Addresses outside the API stay as they are. */
export function localAddress(address: string, addresses: Addresses): string {
  const canonical = `${addresses.base}/api/2.5/`;
  if (!address.startsWith(canonical)) return address;
  return `${addresses.base}/api/${addresses.segment}/${localRest(address.slice(canonical.length), addresses)}`;
}

/** The same for a path. */
export function localPath(path: string, addresses: Addresses): string {
  const canonical = '/api/2.5/';
  if (!path.startsWith(canonical)) return path;
  return `/api/${addresses.segment}/${localRest(path.slice(canonical.length), addresses)}`;
}

/** What stands behind the segment; the collection of bids in the words of the segment. */
function localRest(rest: string, { segment }: Addresses): string {
  return WITH_BIDDERS.has(segment) ? rest.replace(/^(tenders\/[^/?]+\/)bids(?=[/?]|$)/, '$1bidders') : rest;
}

/**
 * A JSON text in which every document, wherever it is nested, has its address in the request's segment. Done on the text:
 * `"url":"` followed by an address of ours is a member of an object, since inside a string its quotes would be escaped.
 *
 * Decision: only addresses of the form that documents have (`tenders/...documents/...`) are turned, so that a web page of an
 * organization, which is a member `url` as well, stays as it was written.
 */
export function withLocalDocuments(text: string, addresses: Addresses): string {
  const canonical = `"url":"${addresses.base}/api/2.5/tenders/`;
  let at = text.indexOf(canonical);
  if (at < 0) return text;
  const parts: string[] = [];
  let done = 0;
  while (at >= 0) {
    const start = at + '"url":"'.length;
    const end = text.indexOf('"', start);
    const address = text.slice(start, end);
    if (DOCUMENT.test(address)) {
      parts.push(text.slice(done, start), localAddress(address, addresses));
      done = end;
    }
    at = text.indexOf(canonical, end);
  }
  if (done === 0) return text;
  parts.push(text.slice(done));
  return parts.join('');
}

const DOCUMENT = /\/documents\/[^/?\\]+(?:\?|$)/;
