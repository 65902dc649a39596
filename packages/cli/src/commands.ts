import type { SearchTendersQuery } from '@procurement/client';
import { readBody } from './body.ts';
import { downloadTo } from './download.ts';
import { UsageError } from './failures.ts';
import { KINDS, type ObjectOptions } from './objects.ts';
import { printable, progressText } from './output.ts';
import { readIfThere, writePrivately } from './profiles.ts';
import { requestAt } from './request.ts';
import type { Format, Session } from './session.ts';
import { idsOf, showList, showObject } from './show.ts';

const TENDER = ['tender', KINDS['tender']?.columns ?? []] as const;
const FINAL: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

/** Prints each change until the tender has ended. */
export async function watchTender(session: Session, id: string, options: { readonly poll: number }): Promise<void> {
  const { client, signal } = session;
  for await (const tender of client.tender(id).watch({ pollMs: options.poll * 1_000, signal })) {
    const { dateModified, status, next_check: nextCheck = '' } = tender;
    if (session.format !== 'table') showObject(session, tender, TENDER);
    else session.output.print(`${dateModified}  ${status}  ${nextCheck}`.trimEnd());
    if (FINAL.has(status)) return;
  }
}

/** Sandbox only: moves the clock of a tender, to its next transition or by a duration. */
export async function moveClock(
  session: Session,
  id: string,
  { to, advance }: { readonly to?: 'next_check'; readonly advance?: string },
): Promise<void> {
  if ((to === undefined) === (advance === undefined)) throw new UsageError('one of --to next_check and --advance');
  const tender = await session.client.moveClock(id, to === undefined ? { advance: advance ?? '' } : { to });
  showObject(session, tender, TENDER);
}

export interface FollowOptions {
  readonly after?: string;
  readonly state?: string;
  readonly mode?: 'test' | '_all_';
  readonly fields?: string;
  readonly once?: boolean;
  readonly expand?: boolean;
}

/**
 * Prints the feed of tenders or of contracts. `state` makes it go on where the last run stopped: the position is stored after each entry is
 * printed.
 */
export async function followFeed(session: Session, options: FollowOptions, of: 'tender' | 'contract'): Promise<void> {
  const { client, output, signal } = session;
  const feed = of === 'tender' ? client : client.contracts;
  const { after, state, mode, fields, once = false } = options;
  const stored = state === undefined ? undefined : readIfThere(state)?.trim();
  const where = { signal, ...(mode === undefined ? {} : { mode }) };
  const start = stored ?? after ?? (once ? '' : await feed.feedEnd(where));
  const names = fields?.split(',') ?? [];
  let isEmpty = true;
  for await (const { entry, position } of feed.feed({ ...where, after: start, fields: names, follow: !once })) {
    const cells = [entry.dateModified, entry.id, ...names.map((name) => textOfMember(entry[name]))];
    output.print(session.format === 'json' ? JSON.stringify(entry) : printable(cells.join('  ')));
    if (state !== undefined) writePrivately(state, position);
    isEmpty = false;
  }
  if (isEmpty && session.format === 'table') output.note(`No ${of} has changed.`);
}

/** Prints every change as it happens. `state` makes it go on where the last run stopped. */
export async function followStream(
  session: Session,
  { after, state, mode, expand = false }: Pick<FollowOptions, 'after' | 'state' | 'mode' | 'expand'>,
): Promise<void> {
  const { client, output, signal, format } = session;
  const start = (state === undefined ? undefined : readIfThere(state)?.trim()) ?? after;
  const where = {
    signal,
    ...(mode === undefined ? {} : { mode }),
    ...(start === undefined ? {} : { after: start }),
    ...(expand ? { expand: '1' as const } : {}),
  };
  for await (const item of client.stream(where)) {
    if (item.event !== 'change') output.print(JSON.stringify(item));
    else if (format === 'json') output.print(JSON.stringify(item.change));
    else {
      const { dateModified, id, status, causes } = item.change;
      output.print(printable([dateModified, id, status, causes.join(',')].join('  ')));
    }
    if (state !== undefined) writePrivately(state, item.position);
  }
}

export async function listExports(session: Session): Promise<void> {
  const entries = await collectEntries(session.client.exports({}, { signal: session.signal }));
  showList(session, entries, ['name', 'created', 'lines', 'bytes'], 'There are no exports.');
}

/** Filters of `search`, by their names in the API: an option each. */
export const FILTERS = {
  mode: 'test: test tenders only; _all_: with them',
  status: 'statuses, separated by commas; active: every active.*',
  cpv: 'codes of items, or their first digits',
  buyer: 'ids of procuring entities',
  supplier: 'ids of suppliers of awards',
  region: 'delivery regions: UA-32, or names',
  amountFrom: 'least value',
  amountTo: 'greatest value',
  currency: 'currency of the values, UAH unless given',
  createdFrom: 'published at this date or time, or later',
  createdTo: 'published at this date or time, or earlier',
  at_least: 'wait until this change can be found: a dateModified',
  sort: 'relevance, -created, created, tenderEnd, -amount, amount, -modified',
} as const satisfies Partial<Record<keyof SearchTendersQuery, string>>;

/** Filters as the terminal has them: the API reads the numbers, and refuses what is no number. */
export type SearchOptions = Pick<SearchTendersQuery, keyof typeof FILTERS> & { readonly limit: number };

/** Prints the tenders that match, the first `limit` of them. */
export async function searchTenders(
  session: Session,
  words: readonly string[],
  { limit, ...filters }: SearchOptions,
): Promise<void> {
  const query = { ...(words.length === 0 ? {} : { q: words.join(' ') }), ...filters };
  const found = await collectEntries(session.client.search(query, { signal: session.signal }), limit);
  const columns = ['id', 'tenderID', 'status', 'value.amount', 'value.currency', 'title'];
  const more = filters.mode === undefined ? ' Test tenders are left out: --mode _all_ shows them.' : '';
  showList(session, found, columns, `No tender matches.${more}`);
}

async function collectEntries<T>(entries: AsyncIterable<T>, limit = Number.POSITIVE_INFINITY): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const entry of entries) {
    all.push(entry);
    if (all.length >= limit) break;
  }
  return all;
}

/** Brings the files of an export into a folder. A file that is there in part is completed; each is checked by its SHA-256. */
export async function downloadExport(session: Session, name: string, { to }: { readonly to: string }): Promise<void> {
  const { client, output, signal } = session;
  const item = client.export(name);
  const { files } = await item.manifest({ signal });
  for (const file of files) {
    const path = await downloadTo(to, file, {
      open: async (fromByte) => (await item.download(file, { fromByte, signal })).stream,
      progress: (bytes) => output.progress?.(progressText(file.name, bytes, file.bytes)),
    });
    output.print(session.format === 'json' ? JSON.stringify({ ...file, path }) : path);
  }
}

function textOfMember(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Any request of segment 2.5. Prints the answer as JSON, or the ids of its objects. */
export async function sendRequest(
  session: Session,
  [methodText, path, body]: readonly [string, string, string | undefined],
  options: ObjectOptions,
): Promise<void> {
  const method = METHODS.find((one) => one === methodText.toUpperCase());
  if (method === undefined) throw new UsageError(`methods: ${METHODS.join(', ')}`);
  const parts = body === undefined ? {} : await readBody(session, body);
  const { body: answer } = await requestAt(session, path, { method, options, ...parts });
  const texts: Readonly<Record<Format, () => string>> = {
    json: () => JSON.stringify(answer.data),
    table: () => JSON.stringify(answer.data, null, 2),
    id: () => idsOf(answer.data).join('\n'),
  };
  session.output.print(texts[session.format]());
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
