import type { Addresses } from './addresses.ts';
import type { EarlyGeneration } from './codec.ts';
import { localFeedPage } from './feed-page.ts';
import { each, inForm } from './forms.ts';
import { earlyTenderForm } from './v0.1.show.ts';
import { typeOf } from './v0.1.tables.ts';

/** Always in a row, asked for or not. */
const ALWAYS = ['id', 'modified'] as const;

/** What the query of a page asks of its rows. */
interface Asked {
  /** As the client wrote it, still encoded; undefined when it asks for no generation. */
  readonly generation?: string | undefined;
  /** Wire names that the generation shows, of those that the client asked for. */
  readonly fields: readonly string[];
}

/**
 * The query of a feed page as the service understands it: `opt_fields` in canonical names, without those that the generation
 * does not show (generations.md 3.12). Every other parameter stays as it is.
 */
export function canonicalFeedQuery(query: string, early: EarlyGeneration): string {
  if (!query.includes('opt_fields')) return query;
  const { fields } = asked(query, early);
  const canonical = new Set(fields.map((wire) => CANONICAL[early].get(wire) ?? wire));
  const rest = query.split('&').filter((pair) => nameOf(pair) !== 'opt_fields');
  const wish = canonical.size > 0 ? [`opt_fields=${encodeURIComponent([...canonical].join(','))}`] : [];
  return [...rest, ...wish].join('&');
}

/** A page of the feed: rows and links in the words of the generation, which stays the one that was asked for. */
export function earlyFeedPage(text: string, addresses: Addresses, early: EarlyGeneration, query: string): string {
  const wish = asked(query, early);
  return localFeedPage(text, addresses, {
    query,
    rows: (list) => (query.includes('opt_fields') ? rowsWith(list, early, wish.fields) : plainRows(list)),
    parameters: (pairs) => localParameters(pairs, wish),
  });
}

/** Rows of id and date only: no text in them can hold the name, so it is replaced without reading them. */
function plainRows(list: string): string {
  return list.replaceAll('"dateModified":', '"modified":');
}

function rowsWith(list: string, early: EarlyGeneration, fields: readonly string[]): string {
  const wanted = new Set([...ALWAYS, ...fields]);
  return inForm(list, each(earlyTenderForm(early, (wire) => wanted.has(wire))));
}

/** In alphabetical order, as the service writes them (http.md 1.2). */
function localParameters(pairs: readonly string[], { generation, fields }: Asked): readonly string[] {
  const kept = pairs.filter((pair) => nameOf(pair) !== 'opt_fields');
  return [
    ...kept,
    ...(generation === undefined ? [] : [`generation=${generation}`]),
    ...(fields.length === 0 ? [] : [`opt_fields=${encodeURIComponent(fields.join(','))}`]),
  ].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

function asked(query: string, early: EarlyGeneration): Asked {
  const parameters = new URLSearchParams(query);
  const generation = parameters.getAll('generation').at(-1);
  const names = (parameters.getAll('opt_fields').at(-1) ?? '').split(',').map((name) => name.trim());
  const fields = [...new Set(names)].filter((name) => CANONICAL[early].has(name));
  return { generation: generation === '' ? undefined : generation, fields };
}

/** Canonical name by wire name. The date of delivery is made of items. */
const CANONICAL: Readonly<Record<EarlyGeneration, ReadonlyMap<string, string>>> = {
  middle: wireNames('middle'),
  earliest: wireNames('earliest'),
};

function wireNames(early: EarlyGeneration): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const member of typeOf('Tender').members) {
    const wire = member[early];
    if (wire !== undefined) names.set(wire, wire === 'deliveryDate' ? 'items' : member.name);
  }
  return names;
}
