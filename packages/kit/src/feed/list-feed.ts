import { answerWith, type ReadRoute } from '../http/answer-reads.ts';
import { ProblemError } from '../runtime/problem-error.ts';
import { encodeUtf8 } from '../runtime/utf8.ts';
import { readFeedQuery, type FeedQuery } from './feed-query.ts';
import type { FeedRow, FeedStore } from './feed.store.ts';
import { pageLinks, type FeedAddress, type PageBounds } from './page-links.ts';

/** A feed that is served: where its rows are, and what is its own. */
export interface ServedFeed extends FeedAddress {
  readonly feed: FeedStore;
  /** See `FeedReading.fastFields`. */
  readonly fastFields: ReadonlySet<string>;
  readonly isSandbox: boolean;
  /** Writes a value as answers print it. */
  toText(value: unknown): string;
}

/** Serves a page of the feed (http.md 1). The database joins a page without `opt_fields`; it is never parsed here. */
export function listFeed(served: ServedFeed): ReadRoute {
  return {
    path: served.path,
    answer: async (request) => {
      const { url, identity } = request;
      const queryStart = url.indexOf('?');
      const parameters = new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1));
      const reading = readFeedQuery(parameters, { ...served, segment: identity.segment });
      if ('refused' in reading) throw new ProblemError(reading.refused);
      const { query } = reading;
      const page = await readPage(served, query);
      const links = pageLinks(query, page.bounds, served);
      // Appends the members of the links: their JSON without the opening brace.
      return answerWith(request, encodeUtf8(`{"data":[${page.rows}],${JSON.stringify(links).slice(1)}`));
    },
  };
}

interface Page {
  readonly rows: string;
  readonly bounds?: PageBounds;
}

async function readPage(served: ServedFeed, query: FeedQuery): Promise<Page> {
  if (query.expand) return joined(await served.feed.objects(query), ({ body }) => unwrapData(body));
  return query.fields.length === 0 ? served.feed.page(query) : pageWithFields(served, query);
}

/** The object in its public text, byte for byte. Who publishes it writes this envelope. */
function unwrapData(body: string): string {
  return body.slice('{"data":'.length, -1);
}

async function pageWithFields({ feed, fastFields, toText }: ServedFeed, query: FeedQuery): Promise<Page> {
  const withBody = query.fields.some((name) => !fastFields.has(name));
  const rows = await feed.rows(query, withBody);
  return joined(rows, (row) => toText(entryWithFields(row, query.fields)));
}

function joined<R extends { readonly stamp: bigint }>(rows: readonly R[], textOf: (row: R) => string): Page {
  const [first, last] = [rows[0], rows.at(-1)];
  const text = rows.map(textOf).join(',');
  return first === undefined || last === undefined
    ? { rows: text }
    : { rows: text, bounds: { first: first.stamp, last: last.stamp } };
}

function entryWithFields(row: FeedRow, fields: readonly string[]): Record<string, unknown> {
  const visible = visibleMembers(row);
  const entry: Record<string, unknown> = { id: row.id, dateModified: row.dateModified };
  for (const name of fields) {
    if (name === 'public_modified') entry[name] = Number(row.stamp) / 1_000_000;
    else if (Object.hasOwn(visible, name)) entry[name] = visible[name];
  }
  return entry;
}

/** Safe casts: who publishes an object writes both texts as JSON objects. */
function visibleMembers(row: FeedRow): Readonly<Record<string, unknown>> {
  const fast = JSON.parse(row.fastFields) as Record<string, unknown>;
  return row.body === undefined
    ? fast
    : { ...(JSON.parse(row.body) as { data: Record<string, unknown> }).data, ...fast };
}
