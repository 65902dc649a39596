import { isObject } from './codec.ts';

/**
 * Parties (tenderers of a bid, suppliers of an award) on segments 2.3 and 0: `{id: {name, scheme, uid, uri}, address}`,
 * exactly that (rulings R8). Requests may use that spelling or the canonical one, also mixed (generations.md 3.5, 5.3).
 */

/** Wire name inside `id`, and where the value lives canonically. */
const FOLDED = [
  { wire: 'name', at: 'party' },
  { wire: 'scheme', at: 'identifier', canonical: 'scheme' },
  { wire: 'uid', at: 'identifier', canonical: 'id' },
  { wire: 'uri', at: 'identifier', canonical: 'uri' },
] as const;

const SCHEME_DEFAULT = 'UA-EDR';
const SCHEME_ADDRESS = 'https://ns.openprocurement.org/ua/edrpou';

/** A canonical party as old clients see it. What is absent stays absent. */
export function shownParty(party: unknown): unknown {
  if (!isObject(party)) return party;
  const identifier = isObject(party['identifier']) ? party['identifier'] : {};
  const id: Record<string, unknown> = {};
  for (const row of FOLDED) {
    const value = row.at === 'party' ? party[row.wire] : identifier[row.canonical];
    if (value !== undefined) id[row.wire] = value;
  }
  const shown: Record<string, unknown> = {};
  if (Object.keys(id).length > 0) shown['id'] = id;
  if (party['address'] !== undefined) shown['address'] = party['address'];
  return shown;
}

export interface PartyFault {
  /** The description tree of the failing element, in the wire's spelling (http.md 4.4). */
  readonly description: { readonly id: Readonly<Record<string, string | readonly string[]>> };
}

export type PartyReading = { readonly party: unknown } | { readonly fault: PartyFault };

/**
 * A party of a request in canonical shape. `id` that is no object is not ours to judge: the service refuses it. Refused
 * here: unknown names inside `id`, and one value under both names that differs.
 */
export function readParty(sent: unknown, defaults: { readonly scheme: boolean }): PartyReading {
  if (!isObject(sent)) return { party: sent };
  const { id, ...rest } = sent;
  if (!isObject(id)) return { party: sent };
  const unknown = Object.keys(id).find((name) => !FOLDED.some((row) => row.wire === name));
  if (unknown !== undefined) return { fault: { description: { id: { [unknown]: 'Rogue field' } } } };
  const identifierSent = rest['identifier'];
  if (identifierSent !== undefined && !isObject(identifierSent)) return { party: rest };
  const identifier: Record<string, unknown> = { ...identifierSent };
  const party: Record<string, unknown> = { ...rest };
  for (const row of FOLDED) {
    if (!Object.hasOwn(id, row.wire)) continue;
    const value = row.wire === 'scheme' ? canonicalScheme(id[row.wire]) : id[row.wire];
    const [home, name] = row.at === 'party' ? [party, row.wire] : [identifier, row.canonical];
    if (Object.hasOwn(home, name) && !sameText(home[name], value)) {
      return { fault: { description: { id: { [row.wire]: ['Conflicting values'] } } } };
    }
    home[name] = value;
  }
  if (defaults.scheme && !Object.hasOwn(identifier, 'scheme')) identifier['scheme'] = SCHEME_DEFAULT;
  return { party: Object.keys(identifier).length > 0 ? { ...party, identifier } : party };
}

/** The old address form of the state register means its code. */
function canonicalScheme(scheme: unknown): unknown {
  return scheme === SCHEME_ADDRESS ? SCHEME_DEFAULT : scheme;
}

function sameText(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
