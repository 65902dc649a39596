import type { FeedEntry } from './resources.golden.ts';
import type { ApiAnswer, RequestOptions, Send, TransportSettings } from './transport.ts';
import { waitOverFailures } from './wait-over-failures.ts';

export interface FeedOptions {
  /** A position that an earlier reading gave: the feed goes on after it. Default: from the first entry. */
  readonly after?: string;
  /** `test`: test tenders only; `_all_`: test tenders too. Default: no test tenders. */
  readonly mode?: 'test' | '_all_';
  /** Members of the object to add to each entry. */
  readonly fields?: readonly string[];
  /** Entries of one page, up to 1,000. */
  readonly pageSize?: number;
  /** Waits for changes at the end of the feed instead of ending. It waits without limit for failures to pass. */
  readonly follow?: boolean;
  /** Time between two looks at the end of the feed. Default 15 s. */
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

export interface FeedItem {
  readonly entry: FeedEntry;
  /** Store it after the entry was processed, and give it as `after` to go on with the next one. */
  readonly position: string;
}

const DEFAULT_POLL_MS = 15_000;
const PATHS = { tenders: '/api/2.5/tenders', contracts: '/api/2.5/contracts' } as const;

/** What a feed lists. */
export type Listed = keyof typeof PATHS;

type Wait = TransportSettings['wait'];

/**
 * All objects in the order of their last change. Misses none and repeats none that did not change again: the position of an entry is
 * its `dateModified`, which no other entry shares, and every later change has a later one (http.md 1.5).
 */
export async function* readFeed(
  send: Send,
  wait: Wait,
  of: Listed,
  options: FeedOptions = {},
): AsyncGenerator<FeedItem, void> {
  const { follow = false, pollMs = DEFAULT_POLL_MS, signal } = options;
  let offset = options.after ?? '';
  for (;;) {
    const answer = await pageAfter(send, wait, { path: PATHS[of], offset }, options);
    // The shape of the feed's contract.
    const entries = answer.body.data as readonly FeedEntry[];
    for (const entry of entries) yield { entry, position: entry.dateModified };
    offset = answer.body.next_page?.offset ?? offset;
    if (entries.length > 0) continue;
    if (!follow) return;
    await wait(pollMs, signal);
  }
}

/** The position after the newest entry, to read only what changes from now on. */
export async function feedEnd(
  send: Send,
  of: Listed,
  options: Pick<FeedOptions, 'mode' | 'signal'> = {},
): Promise<string> {
  const query = { descending: '1', limit: '1', ...buildQuery(options) };
  const { body } = await send({
    method: 'GET',
    path: PATHS[of],
    query,
    isAnonymous: true,
    options: requestOptions(options),
  });
  return body.prev_page?.offset ?? '';
}

async function pageAfter(
  send: Send,
  wait: Wait,
  { path, offset }: { readonly path: string; readonly offset: string },
  options: FeedOptions,
): Promise<ApiAnswer> {
  const query = { ...buildQuery(options), ...(offset === '' ? {} : { offset }) };
  const read = async (): Promise<ApiAnswer> =>
    send({ method: 'GET', path, query, isAnonymous: true, options: requestOptions(options) });
  return options.follow === true ? waitOverFailures(read, wait, options.signal) : read();
}

function buildQuery({ mode, fields = [], pageSize }: FeedOptions): Record<string, string> {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(fields.length === 0 ? {} : { opt_fields: fields.join(',') }),
    ...(pageSize === undefined ? {} : { limit: String(pageSize) }),
  };
}

function requestOptions({ signal }: Pick<FeedOptions, 'signal'>): RequestOptions {
  return signal === undefined ? {} : { signal };
}
