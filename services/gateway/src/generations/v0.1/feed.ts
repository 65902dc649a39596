import type { SegmentUrlBase } from '../segment-urls.ts';
import type { Generation01 } from '../codec.ts';
import { rewriteFeedPage } from '../feed-page.ts';
import { rewriteEach, rewriteJson } from '../../json/json-rewriter.ts';
import { tenderEncoder } from './encode.ts';
import { typeMappingOf } from './member-table.ts';

/** Members of every row, requested or not. */
const ALWAYS_PRESENT = ['id', 'modified'] as const;

/** Parameters of a feed query that this segment changes. */
interface FeedQuery {
  /** Value of `generation`; undefined when absent or empty. */
  readonly generation?: string | undefined;
  /** Names in `opt_fields` that the generation shows. */
  readonly fields: readonly string[];
}

/**
 * Decodes the query of a feed page: `opt_fields` gets canonical names, without names that the generation does not show
 * (generations.md 3.12). Every other parameter passes unchanged.
 */
export function decodeFeedQuery(query: string, generation01: Generation01): string {
  if (!query.includes('opt_fields')) return query;
  const { fields } = parseFeedQuery(query, generation01);
  const canonical = new Set(fields.map((wire) => CANONICAL_NAMES[generation01].get(wire) ?? wire));
  const rest = query.split('&').filter((pair) => parameterName(pair) !== 'opt_fields');
  const optFields = canonical.size > 0 ? [`opt_fields=${encodeURIComponent([...canonical].join(','))}`] : [];
  return [...rest, ...optFields].join('&');
}

/** Encodes a feed page: rows and links get wire names, and the links keep the `generation` parameter of the request. */
export function encodeFeedPage(
  text: string,
  urlBase: SegmentUrlBase,
  generation01: Generation01,
  query: string,
): string {
  const feedQuery = parseFeedQuery(query, generation01);
  return rewriteFeedPage(text, urlBase, {
    query,
    rows: (list) =>
      query.includes('opt_fields') ? encodeRows(list, generation01, feedQuery.fields) : encodePlainRows(list),
    parameters: (pairs) => encodeParameters(pairs, feedQuery),
  });
}

/** Rows of id and date hold no free text, so the name can be replaced without scanning them. */
function encodePlainRows(list: string): string {
  return list.replaceAll('"dateModified":', '"modified":');
}

function encodeRows(list: string, generation01: Generation01, fields: readonly string[]): string {
  const presentNames = new Set([...ALWAYS_PRESENT, ...fields]);
  return rewriteJson(list, rewriteEach(tenderEncoder(generation01, (wire) => presentNames.has(wire))));
}

/** Sorts the parameters by name, as the service does (http.md 1.2). */
function encodeParameters(pairs: readonly string[], { generation, fields }: FeedQuery): readonly string[] {
  const kept = pairs.filter((pair) => parameterName(pair) !== 'opt_fields');
  return [
    ...kept,
    ...(generation === undefined ? [] : [`generation=${generation}`]),
    ...(fields.length === 0 ? [] : [`opt_fields=${encodeURIComponent(fields.join(','))}`]),
  ].sort((a, b) => (parameterName(a) < parameterName(b) ? -1 : 1));
}

function parameterName(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

function parseFeedQuery(query: string, generation01: Generation01): FeedQuery {
  const parameters = new URLSearchParams(query);
  const generation = parameters.getAll('generation').at(-1);
  const names = (parameters.getAll('opt_fields').at(-1) ?? '').split(',').map((name) => name.trim());
  const fields = [...new Set(names)].filter((name) => CANONICAL_NAMES[generation01].has(name));
  return { generation: generation === '' ? undefined : generation, fields };
}

/** Canonical name by wire name. `deliveryDate` is computed from the items. */
const CANONICAL_NAMES: Readonly<Record<Generation01, ReadonlyMap<string, string>>> = {
  middle: canonicalByWireName('middle'),
  earliest: canonicalByWireName('earliest'),
};

function canonicalByWireName(generation01: Generation01): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const member of typeMappingOf('Tender').members) {
    const wire = member[generation01];
    if (wire !== undefined) names.set(wire, wire === 'deliveryDate' ? 'items' : member.name);
  }
  return names;
}
