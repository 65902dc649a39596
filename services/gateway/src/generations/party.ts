import type { Description } from '@procurement/contracts/problems/problems';
import { typeName } from '@procurement/contracts/reading/error-messages';
import { isObject, type JsonObject } from './codec.ts';
import { OBJECT_START, makeMemberSearch, type MemberRange } from '../json/json-scanner.ts';
import { writeMember, memberPrefix, type ValueRewriter } from '../json/json-rewriter.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from './resolve-duplicates.ts';

/**
 * Organizations of the older generations: `{id: {name, scheme, uid, uri}, address}`, exactly that (rulings R8). Parties on
 * 2.3, 0 and 0.1, procuring entities on 0.1. Requests may use that spelling or the canonical one, also mixed
 * (generations.md 3.5, 5.3).
 */

/** Wire name inside `id`, and where the value lives canonically. */
export const ID_MEMBERS = [
  { wire: 'name', at: 'party', canonical: 'name' },
  { wire: 'scheme', at: 'identifier', canonical: 'scheme' },
  { wire: 'uid', at: 'identifier', canonical: 'id' },
  { wire: 'uri', at: 'identifier', canonical: 'uri' },
] as const;

export const SCHEME_DEFAULT = 'UA-EDR';
/** How the register was named before it had a code. */
const LEGACY_SCHEME_URL = 'https://ns.openprocurement.org/ua/edrpou';

const findParts = makeMemberSearch({ name: 0, identifier: { scheme: 1, id: 2, uri: 3 }, address: 4 });
const [ID, UID, ADDRESS] = [memberPrefix('id'), memberPrefix('uid'), memberPrefix('address')];

/** A canonical party as old clients see it, its address in a form of its own where that has one. What is absent stays absent. */
export function partyEncoder(addressEncoder?: ValueRewriter): ValueRewriter {
  return (out, at) => {
    const { text } = out;
    if (text.charCodeAt(at) !== OBJECT_START) return out.copyValue(at);
    const found: (MemberRange | undefined)[] = [];
    const end = findParts(text, at, found);
    const [name, scheme, id, uri, address] = found;
    out.copy(at, at + 1);
    out.hasMembers = false;
    if (name !== undefined || scheme !== undefined || id !== undefined || uri !== undefined) {
      out.writeName(ID);
      out.openObject();
      writeMember(out, name);
      writeMember(out, scheme);
      writeMember(out, id, UID);
      writeMember(out, uri);
      out.closeObject();
    }
    if (addressEncoder === undefined) writeMember(out, address);
    else if (address !== undefined) {
      out.writeName(ADDRESS);
      addressEncoder(out, address.value);
    }
    out.closeObject();
    return end;
  };
}

export interface PartyFault {
  /** The description tree of the failing element, in the wire's spelling (http.md 4.4). */
  readonly description: { readonly id: Description };
}

export type PartyDecodeResult = { readonly party: unknown } | { readonly fault: PartyFault };

/** `scheme`: whether a missing scheme is filled; `stored`: the party as it is now, which settles two names of one value. */
export interface PartyDecodeOptions {
  readonly fillScheme: boolean;
  readonly stored?: unknown;
}

/**
 * A party of a request in canonical shape. Refused here: `id` that is no object, unknown names inside it, and one value
 * under both names that differs. What else is wrong the service says.
 */
export function decodeParty(sent: unknown, { fillScheme, stored }: PartyDecodeOptions): PartyDecodeResult {
  if (!isObject(sent) || !Object.hasOwn(sent, 'id')) return { party: sent };
  const { id: idSent, ...rest } = sent;
  // Of an `id` that is removed, every member is.
  const id = idSent === null ? Object.fromEntries(ID_MEMBERS.map(({ wire }) => [wire, null])) : idSent;
  if (!isObject(id)) return { fault: { description: { id: [notAnObjectText(id)] } } };
  const unknown = Object.keys(id).filter((name) => !ID_MEMBERS.some((row) => row.wire === name));
  if (unknown.length > 0) {
    return { fault: { description: { id: Object.fromEntries(unknown.map((name) => [name, 'Rogue field'])) } } };
  }
  const identifierSent = rest['identifier'] ?? undefined;
  if (identifierSent !== undefined && !isObject(identifierSent)) return { party: rest };
  const identifier: Record<string, unknown> = { ...identifierSent };
  const party: Record<string, unknown> = { ...rest };
  for (const row of ID_MEMBERS) {
    if (!Object.hasOwn(id, row.wire)) continue;
    const value = row.wire === 'scheme' ? canonicalScheme(id[row.wire]) : id[row.wire];
    const target = row.at === 'party' ? party : identifier;
    const values = Object.hasOwn(target, row.canonical) ? [value, target[row.canonical]] : [value];
    const resolved = resolveDuplicates(values, storedValue(stored, row));
    if (resolved === undefined) return { fault: { description: { id: { [row.wire]: [...CONFLICT_DESCRIPTION] } } } };
    target[row.canonical] = resolved.value;
  }
  if (fillScheme && !Object.hasOwn(identifier, 'scheme')) identifier['scheme'] = SCHEME_DEFAULT;
  return { party: Object.keys(identifier).length > 0 ? { ...party, identifier } : party };
}

function storedValue(stored: unknown, row: (typeof ID_MEMBERS)[number]): { value: unknown } | undefined {
  if (!isObject(stored)) return undefined;
  const container = row.at === 'party' ? stored : stored['identifier'];
  return { value: isObject(container) ? container[row.canonical] : undefined };
}

function notAnObjectText(given: unknown): string {
  return `Please use a mapping for this field or Identifier instance instead of ${typeName(given)}.`;
}

/** The old address form of the state register means its code. */
export function canonicalScheme(scheme: unknown): unknown {
  return scheme === LEGACY_SCHEME_URL ? SCHEME_DEFAULT : scheme;
}

/** Reads a list of parties; of one that fails, only the first fault is told, unwrapped (http.md 4.4, pass 1). */
export function decodeParties(
  sent: readonly unknown[],
  fillScheme: boolean,
  stored: unknown,
): { readonly parties: readonly unknown[] } | { readonly fault: PartyFault } {
  const storedParties: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const parties: unknown[] = [];
  for (const [at, party] of sent.entries()) {
    const result = decodeParty(party, { fillScheme, stored: storedParties[at] });
    if ('fault' in result) return result;
    parties.push(result.party);
  }
  return { parties };
}

/** A canonical organization without scheme gets the usual one, if it is an organization at all. */
export function withDefaultScheme(organization: unknown): unknown {
  if (!isObject(organization)) return organization;
  const identifier = organization['identifier'] ?? {};
  if (!isObject(identifier) || (identifier['scheme'] ?? null) !== null) return organization;
  return { ...organization, identifier: { ...identifier, scheme: SCHEME_DEFAULT } } satisfies JsonObject;
}
