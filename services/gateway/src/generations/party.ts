import type { Description } from '@procurement/contracts/problems';
import { typeName } from '@procurement/contracts/reading/faults';
import { isObject, type JsonObject } from './codec.ts';
import { OBJECT, searchFor, type Member } from './data-text.ts';
import { putMember, wire, type Form } from './forms.ts';
import { agreed, CONFLICT } from './same.ts';

/**
 * Organizations of the older generations: `{id: {name, scheme, uid, uri}, address}`, exactly that (rulings R8). Parties on
 * 2.3, 0 and 0.1, procuring entities on 0.1. Requests may use that spelling or the canonical one, also mixed
 * (generations.md 3.5, 5.3).
 */

/** Wire name inside `id`, and where the value lives canonically. */
export const FOLDED = [
  { wire: 'name', at: 'party', canonical: 'name' },
  { wire: 'scheme', at: 'identifier', canonical: 'scheme' },
  { wire: 'uid', at: 'identifier', canonical: 'id' },
  { wire: 'uri', at: 'identifier', canonical: 'uri' },
] as const;

export const SCHEME_DEFAULT = 'UA-EDR';
/** How the register was named before it had a code. */
const SCHEME_ADDRESS = 'https://ns.openprocurement.org/ua/edrpou';

const parts = searchFor({ name: 0, identifier: { scheme: 1, id: 2, uri: 3 }, address: 4 });
const [ID, UID, ADDRESS] = [wire('id'), wire('uid'), wire('address')];

/** A canonical party as old clients see it, its address in a form of its own where that has one. What is absent stays absent. */
export function partyForm(addressForm?: Form): Form {
  return (out, at) => {
    const { text } = out;
    if (text.charCodeAt(at) !== OBJECT) return out.keepValue(at);
    const found: (Member | undefined)[] = [];
    const end = parts(text, at, found);
    const [name, scheme, id, uri, address] = found;
    out.keep(at, at + 1);
    out.follows = false;
    if (name !== undefined || scheme !== undefined || id !== undefined || uri !== undefined) {
      out.putName(ID);
      out.open();
      putMember(out, name);
      putMember(out, scheme);
      putMember(out, id, UID);
      putMember(out, uri);
      out.close();
    }
    if (addressForm === undefined) putMember(out, address);
    else if (address !== undefined) {
      out.putName(ADDRESS);
      addressForm(out, address.value);
    }
    out.close();
    return end;
  };
}

export interface PartyFault {
  /** The description tree of the failing element, in the wire's spelling (http.md 4.4). */
  readonly description: { readonly id: Description };
}

export type PartyReading = { readonly party: unknown } | { readonly fault: PartyFault };

/** `scheme`: whether a missing scheme is filled; `stored`: the party as it is now, which settles two names of one value. */
export interface PartyContext {
  readonly scheme: boolean;
  readonly stored?: unknown;
}

/**
 * A party of a request in canonical shape. Refused here: `id` that is no object, unknown names inside it, and one value
 * under both names that differs. What else is wrong the service says.
 */
export function readParty(sent: unknown, { scheme, stored }: PartyContext): PartyReading {
  if (!isObject(sent) || !Object.hasOwn(sent, 'id')) return { party: sent };
  const { id: given, ...rest } = sent;
  // Of an `id` that is removed, every member is.
  const id = given === null ? Object.fromEntries(FOLDED.map(({ wire }) => [wire, null])) : given;
  if (!isObject(id)) return { fault: { description: { id: [notAnObject(id)] } } };
  const unknown = Object.keys(id).filter((name) => !FOLDED.some((row) => row.wire === name));
  if (unknown.length > 0) {
    return { fault: { description: { id: Object.fromEntries(unknown.map((name) => [name, 'Rogue field'])) } } };
  }
  const identifierSent = rest['identifier'] ?? undefined;
  if (identifierSent !== undefined && !isObject(identifierSent)) return { party: rest };
  const identifier: Record<string, unknown> = { ...identifierSent };
  const party: Record<string, unknown> = { ...rest };
  for (const row of FOLDED) {
    if (!Object.hasOwn(id, row.wire)) continue;
    const value = row.wire === 'scheme' ? canonicalScheme(id[row.wire]) : id[row.wire];
    const home = row.at === 'party' ? party : identifier;
    const both = Object.hasOwn(home, row.canonical) ? [value, home[row.canonical]] : [value];
    const counts = agreed(both, storedAt(stored, row));
    if (counts === undefined) return { fault: { description: { id: { [row.wire]: [...CONFLICT] } } } };
    home[row.canonical] = counts.value;
  }
  if (scheme && !Object.hasOwn(identifier, 'scheme')) identifier['scheme'] = SCHEME_DEFAULT;
  return { party: Object.keys(identifier).length > 0 ? { ...party, identifier } : party };
}

function storedAt(stored: unknown, row: (typeof FOLDED)[number]): { value: unknown } | undefined {
  if (!isObject(stored)) return undefined;
  const home = row.at === 'party' ? stored : stored['identifier'];
  return { value: isObject(home) ? home[row.canonical] : undefined };
}

function notAnObject(given: unknown): string {
  return `Please use a mapping for this field or Identifier instance instead of ${typeName(given)}.`;
}

/** The old address form of the state register means its code. */
export function canonicalScheme(scheme: unknown): unknown {
  return scheme === SCHEME_ADDRESS ? SCHEME_DEFAULT : scheme;
}

/** Reads a list of parties; of one that fails, only the first fault is told, unwrapped (http.md 4.4, pass 1). */
export function readParties(
  sent: readonly unknown[],
  scheme: boolean,
  stored: unknown,
): { readonly parties: readonly unknown[] } | { readonly fault: PartyFault } {
  const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const parties: unknown[] = [];
  for (const [at, one] of sent.entries()) {
    const reading = readParty(one, { scheme, stored: before[at] });
    if ('fault' in reading) return reading;
    parties.push(reading.party);
  }
  return { parties };
}

/** A canonical organization without scheme gets the usual one, if it is an organization at all. */
export function withScheme(organization: unknown): unknown {
  if (!isObject(organization)) return organization;
  const identifier = organization['identifier'] ?? {};
  if (!isObject(identifier) || (identifier['scheme'] ?? null) !== null) return organization;
  return { ...organization, identifier: { ...identifier, scheme: SCHEME_DEFAULT } } satisfies JsonObject;
}
