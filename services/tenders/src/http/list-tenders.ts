import { toJsonText } from '@procurement/domain/json-text';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { FeedRow } from '../store/feed.store.ts';
import { FAST_FIELDS, readFeedQuery, type FeedQuery } from './feed-query.ts';
import { pageLinks, type PageBounds } from './page-links.ts';

/** `GET /tenders`: a page of the feed (http.md 1). The database joins a page without `opt_fields`; it is never parsed here. */
export function listTenders(deps: Deps): Handler {
  return async (request, reply) => {
    const queryStart = request.url.indexOf('?');
    const parameters = new URLSearchParams(queryStart < 0 ? '' : request.url.slice(queryStart + 1));
    const reader = { segment: request.identity.segment, isSandbox: deps.settings.sandbox };
    const reading = readFeedQuery(parameters, reader, deps.feedSecrets);
    if ('refused' in reading) throw new ProblemError(reading.refused);
    const { query } = reading;
    const page = await pageOf(deps, query);
    const links = pageLinks(query, page.bounds, deps.config.PUBLIC_BASE_URL, deps.feedSecrets);
    // Appends the members of the links: their JSON without the opening brace.
    return sendJson(reply, 200, `{"data":[${page.rows}],${JSON.stringify(links).slice(1)}`);
  };
}

interface Page {
  readonly rows: string;
  readonly bounds?: PageBounds;
}

async function pageOf(deps: Deps, query: FeedQuery): Promise<Page> {
  if (query.expand) return joined(await deps.feed.tenders(query), ({ body }) => dataOf(body));
  return query.fields.length === 0 ? deps.feed.page(query) : pageWithFields(deps, query);
}

/** The tender in its public text, byte for byte. `rowOf` in `tender.row.ts` writes the envelope. */
function dataOf(body: string): string {
  return body.slice('{"data":'.length, -1);
}

async function pageWithFields(deps: Deps, query: FeedQuery): Promise<Page> {
  const withBody = query.fields.some((name) => !FAST_FIELDS.has(name));
  const rows = await deps.feed.rows(query, withBody);
  return joined(rows, (row) => toJsonText(entryWithFields(row, query.fields)));
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

/** Safe casts: `rowOf` in `tender.row.ts` writes both texts as JSON objects. */
function visibleMembers(row: FeedRow): Readonly<Record<string, unknown>> {
  const fast = JSON.parse(row.fastFields) as Record<string, unknown>;
  return row.body === undefined
    ? fast
    : { ...(JSON.parse(row.body) as { data: Record<string, unknown> }).data, ...fast };
}
