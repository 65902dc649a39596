import type { Description } from '@procurement/contracts/problems/problems';
import { typeName } from '@procurement/contracts/reading/error-messages';
import { FAULTS_MAX, isDecodableList } from './bounds.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { OBJECT_START, makeMemberSearch, type MemberRange } from '../json/json-scanner.ts';
import { writeMember, memberPrefix, type ValueRewriter } from '../json/json-rewriter.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from './resolve-duplicates.ts';

// Organizations in the form `{id: {name, scheme, uid, uri}, address}`, with no other member (rulings R8): parties on
// 2.3, 0 and 0.1, procuring entities on 0.1. A request may use this form, the canonical one, or a mixture
// (generations.md 3.5, 5.3).

/** Wire name inside `id`, and the canonical place of the value. */
export const ID_MEMBERS = [
  { wire: 'name', at: 'party', canonical: 'name' },
  { wire: 'scheme', at: 'identifier', canonical: 'scheme' },
  { wire: 'uid', at: 'identifier', canonical: 'id' },
  { wire: 'uri', at: 'identifier', canonical: 'uri' },
] as const;

export const SCHEME_DEFAULT = 'UA-EDR';
/** Older name of the scheme `UA-EDR` (generations.md 4, scheme). */
const LEGACY_SCHEME_URL = 'https://ns.openprocurement.org/ua/edrpou';

const findParts = makeMemberSearch({ name: 0, identifier: { scheme: 1, id: 2, uri: 3 }, address: 4 });
const [ID, UID, ADDRESS] = [memberPrefix('id'), memberPrefix('uid'), memberPrefix('address')];

/** Encodes a canonical organization. `addressEncoder`: for a segment that shows a part of the address. */
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
  /** Description of the failing element under wire names (http.md 4.4). */
  readonly description: { readonly id: Description };
}

export type PartyDecodeResult = { readonly party: unknown } | { readonly fault: PartyFault };

export interface PartyDecodeOptions {
  /** Whether a missing scheme gets the default. */
  readonly fillScheme: boolean;
  /** The stored party: decides between two names of one value. */
  readonly stored?: unknown;
}

/**
 * Decodes a party of a request to canonical shape. Refuses an `id` that is no object, an unknown name inside it, and
 * one value sent under two names that differ. The service checks everything else.
 */
export function decodeParty(sent: unknown, { fillScheme, stored }: PartyDecodeOptions): PartyDecodeResult {
  if (!isJsonObject(sent) || !Object.hasOwn(sent, 'id')) return { party: sent };
  const { id: idSent, ...rest } = sent;
  // `id: null` removes every member of it.
  const id = idSent === null ? Object.fromEntries(ID_MEMBERS.map(({ wire }) => [wire, null])) : idSent;
  if (!isJsonObject(id)) return { fault: { description: { id: [notAnObjectText(id)] } } };
  const unknown = Object.keys(id)
    .filter((name) => !ID_MEMBERS.some((row) => row.wire === name))
    .slice(0, FAULTS_MAX);
  if (unknown.length > 0) {
    return { fault: { description: { id: Object.fromEntries(unknown.map((name) => [name, 'Rogue field'])) } } };
  }
  const identifierSent = rest['identifier'] ?? undefined;
  if (identifierSent !== undefined && !isJsonObject(identifierSent)) return { party: rest };
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
  if (!isJsonObject(stored)) return undefined;
  const container = row.at === 'party' ? stored : stored['identifier'];
  return { value: isJsonObject(container) ? container[row.canonical] : undefined };
}

function notAnObjectText(given: unknown): string {
  return `Please use a mapping for this field or Identifier instance instead of ${typeName(given)}.`;
}

/** Converts the older name of the state register; any other scheme passes unchanged. */
export function canonicalScheme(scheme: unknown): unknown {
  return scheme === LEGACY_SCHEME_URL ? SCHEME_DEFAULT : scheme;
}

/** Decodes a list of parties; reports the first fault only, not wrapped in a list (http.md 4.4, pass 1). */
export function decodeParties(
  sent: readonly unknown[],
  fillScheme: boolean,
  stored: unknown,
): { readonly parties: readonly unknown[] } | { readonly fault: PartyFault } {
  if (!isDecodableList(sent)) return { parties: sent };
  const storedParties: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const parties: unknown[] = [];
  for (const [at, party] of sent.entries()) {
    const result = decodeParty(party, { fillScheme, stored: storedParties[at] });
    if ('fault' in result) return result;
    parties.push(result.party);
  }
  return { parties };
}

/**
 * Adds the default scheme to a canonical organization without one. Passes a value that is no organization unchanged.
 */
export function withDefaultScheme(organization: unknown): unknown {
  if (!isJsonObject(organization)) return organization;
  const identifier = organization['identifier'] ?? {};
  if (!isJsonObject(identifier) || (identifier['scheme'] ?? null) !== null) return organization;
  return { ...organization, identifier: { ...identifier, scheme: SCHEME_DEFAULT } } satisfies JsonObject;
}
