import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FeedMode } from './feed.store.ts';

/** The parameters of a feed request, with defaults applied (http.md 1.2). */
export interface FeedQuery {
  readonly descending: boolean;
  readonly mode: FeedMode;
  readonly form: OffsetForm;
  readonly limit: number;
  /** The names of `opt_fields` without `id` and `dateModified`, which every row has. */
  readonly fields: readonly string[];
  /** Rows are whole objects, and `fields` is empty: `opt_expand` on segment 2.5 (register.md 8.6). */
  readonly expand: boolean;
  /** Exclusive bound: a position in microseconds since 1970 UTC. */
  readonly after?: bigint;
  /** The offset as sent: repeated on an empty page. */
  readonly offsetText: string;
  /** The parameters that links repeat: those that the client sent, in alphabetical order, without `offset`. */
  readonly linkParameters: ReadonlyMap<string, string>;
}

/** What decides about the texts of offsets (rulings R24). */
export interface OffsetForm {
  /** `feed=changes` was sent. */
  readonly changes: boolean;
  /** Offsets are decimal in every feed, as on segment 2.5. */
  readonly decimal: boolean;
}

/** How positions are written as offsets (http.md 1.3). */
export interface FeedOffsets {
  print(stamp: bigint, form: OffsetForm): string;
  /** Undefined for a text that names no position. */
  read(text: string, form: OffsetForm): bigint | undefined;
}

export const LIMIT_DEFAULT = 100;
export const LIMIT_MAX = 1_000;
/** Tenders have the most members of all objects with a feed: their names together have about 1,200 characters. */
export const OPT_FIELDS_CHARACTERS_MAX = 2_000;

/** The canonical segment; the gateway forwards requests on 2.4 as 2.5. */
const DECIMAL_SEGMENT = '2.5';

/** What the reading of the parameters depends on: the caller's segment, and the feed. */
export interface FeedReading {
  /** Segment of the request. */
  readonly segment: string;
  readonly isSandbox: boolean;
  /** Names that the row of the feed has. Any other needs the view of the object and limits the page to 100 rows (http.md 1.4). */
  readonly fastFields: ReadonlySet<string>;
  readonly offsets: FeedOffsets;
}

/**
 * Parses the parameters of a request on a segment. An empty value equals an absent one. Refusals: 400 `feed.limit`, 404
 * `feed.offset`, 422 `feed.opt-fields`.
 */
export function readFeedQuery(
  parameters: URLSearchParams,
  { segment, isSandbox, fastFields, offsets }: FeedReading,
): { query: FeedQuery } | { refused: Problem } {
  const value = (name: string): string => parameters.getAll(name).at(-1) ?? '';
  if (value('opt_fields').length > OPT_FIELDS_CHARACTERS_MAX) {
    return { refused: problem('feed.opt-fields', { max: String(OPT_FIELDS_CHARACTERS_MAX) }) };
  }
  const decimal = segment === DECIMAL_SEGMENT;
  const expand = decimal && value('opt_expand') === '1';
  const fields = expand ? [] : namesIn(value('opt_fields'));
  const limitMax = !expand && fields.every((name) => fastFields.has(name)) ? LIMIT_MAX : LIMIT_DEFAULT;
  const limit = value('limit') === '' ? LIMIT_DEFAULT : readLimit(value('limit'));
  if (limit === undefined) return { refused: problem('feed.limit', { max: String(LIMIT_MAX) }) };
  const form = { changes: value('feed') === 'changes', decimal };
  const offsetText = value('offset');
  const after = offsetText === '' ? undefined : offsets.read(offsetText, form);
  if (offsetText !== '' && after === undefined) return { refused: problem('feed.offset') };
  const query = {
    descending: value('descending') !== '',
    // A newcomer finds the test tender of interface.md in the list (rulings R38).
    mode: MODES[value('mode')] ?? (isSandbox && !decimal ? 'all' : 'real'),
    form,
    limit: Math.min(limit, limitMax),
    fields,
    expand,
    offsetText,
    linkParameters: buildLinkParameters(value, expand),
  };
  return { query: after === undefined ? query : { ...query, after } };
}

function namesIn(list: string): readonly string[] {
  return list.split(',').filter((name) => name !== '' && name !== 'id' && name !== 'dateModified');
}

const MODES: Readonly<Record<string, FeedMode | undefined>> = Object.assign(Object.create(null), {
  test: 'test',
  _all_: 'all',
});

/** A number above the maximum means the maximum, whatever its length. */
function readLimit(text: string): number | undefined {
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

function buildLinkParameters(value: (name: string) => string, expand: boolean): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (value('descending') !== '') parameters.set('descending', '1');
  if (value('feed') === 'changes' || value('feed') === 'dateModified') parameters.set('feed', value('feed'));
  if (value('limit') !== '') parameters.set('limit', value('limit'));
  if (MODES[value('mode')] !== undefined) parameters.set('mode', value('mode'));
  if (expand) parameters.set('opt_expand', '1');
  if (value('opt_fields') !== '') parameters.set('opt_fields', value('opt_fields'));
  return parameters;
}
