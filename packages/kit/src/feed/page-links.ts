import type { FeedOffsets, FeedQuery } from './feed-query.ts';

/** `next_page` and `prev_page` of one answer (http.md 1.1). */
export interface PageLinks {
  readonly next_page: PageLink;
  readonly prev_page?: PageLink;
}

export interface PageLink {
  readonly offset: string;
  readonly path: string;
  readonly uri: string;
}

/** The first and the last position of a page. A page without rows has none. */
export interface PageBounds {
  readonly first: bigint;
  readonly last: bigint;
}

/** The address of a feed, and how its offsets are written. */
export interface FeedAddress {
  /** Without the segment: `/tenders`. */
  readonly path: string;
  readonly publicBaseUrl: string;
  readonly offsets: FeedOffsets;
}

/**
 * The links of a page. `prev_page` reverses the direction with the same parameters; it exists when `descending` or `offset` was
 * sent.
 */
export function pageLinks(
  query: FeedQuery,
  bounds: PageBounds | undefined,
  { path: feedPath, publicBaseUrl, offsets }: FeedAddress,
): PageLinks {
  const offsetText = (stamp: bigint): string => offsets.print(stamp, query.form);
  const link = (offset: string, descending: boolean): PageLink => {
    const path = `/api/2.5${feedPath}?${linkQuery(query.linkParameters, offset, descending)}`;
    return { offset, path, uri: publicBaseUrl + path };
  };
  const next = link(bounds === undefined ? query.offsetText : offsetText(bounds.last), query.descending);
  if (!query.descending && query.offsetText === '') return { next_page: next };
  const turnAroundOffset =
    query.offsetText !== '' || bounds === undefined ? query.offsetText : offsetText(bounds.first);
  return { next_page: next, prev_page: link(turnAroundOffset, !query.descending) };
}

function linkQuery(linkParameters: ReadonlyMap<string, string>, offset: string, descending: boolean): string {
  const parameters = new Map(linkParameters);
  parameters.delete('descending');
  if (descending) parameters.set('descending', '1');
  parameters.set('offset', offset);
  const pairs = [...parameters].sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
