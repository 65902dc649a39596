import { deepEqual } from '@procurement/domain/equality';
import type { Description } from '@procurement/contracts/problems/problems';
import { typeName } from '@procurement/contracts/reading/error-messages';
import { FAULTS_MAX, isDecodableList } from '../bounds.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Generation01 } from '../codec.ts';
import { decodeParty } from '../party.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from '../resolve-duplicates.ts';
import { findMember, typeMappingOf, type MemberMapping, type TypeName } from './member-table.ts';
import { unitText } from './unit.ts';

/** Descriptions by the wire name of the response generation. */
export type Faults = Readonly<Record<string, Description>>;

export type DecodeBodyResult = { readonly value: JsonObject } | { readonly faults: Faults };

export interface DecodeBodyContext {
  /** Generation of the response: a refusal uses its names. */
  readonly generation01: Generation01;
  /** The stored value of the object that is decoded. */
  readonly stored?: unknown;
}

/**
 * First step of decoding: gives every member of a body its canonical name (generations.md 5.3). It accepts the names of
 * both generations, canonical names and names of earlier releases, and leaves out members that the service sets. Three
 * members keep their wire form, because their meaning depends on the stored object: `deliveryDate` of a tender, `unit`
 * (a text) and `valuePerUnit` of an item; apply-change.ts and apply-tender-change.ts convert them. A value of a wrong
 * type passes unchanged: the service refuses it.
 */
export function decodeBody(type: TypeName, sent: JsonObject, context: DecodeBodyContext): DecodeBodyResult {
  const canonicalForm = decodeForm(type, sent, context);
  if ('faults' in canonicalForm) return canonicalForm;
  // Entries, not an object: a member named __proto__ must become an unknown member like any other.
  const faults: [string, Description][] = [];
  const valuesByMember = new Map<MemberMapping, unknown[]>();
  for (const [key, value] of Object.entries(canonicalForm.value)) {
    const member = memberByAnyName(type, key);
    if (faults.length >= FAULTS_MAX) break;
    if (member === undefined) faults.push([key, 'Rogue field']);
    else if (member !== null && member.readOnly !== true) addValue(valuesByMember, type, member, value);
  }
  const decoded: [string, unknown][] = [];
  for (const [member, values] of valuesByMember) {
    const result = decodeMember(member, values, context);
    if ('value' in result) decoded.push([member.name, result.value]);
    else faults.push([member[context.generation01] ?? member.name, result.fault]);
  }
  return faults.length > 0 ? { faults: Object.fromEntries(faults) } : { value: Object.fromEntries(decoded) };
}

/** Collects the values sent for a member. `value` inside a unit counts as `valuePerUnit` (generations.md 4, unit). */
function addValue(
  valuesByMember: Map<MemberMapping, unknown[]>,
  type: TypeName,
  member: MemberMapping,
  sent: unknown,
): void {
  if (type === 'Item' && member.name === 'unit' && isJsonObject(sent) && Object.hasOwn(sent, 'value')) {
    const { value: price, ...unit } = sent;
    const pricePerUnit = findMember('Item', 'valuePerUnit');
    if (pricePerUnit !== undefined) appendValue(valuesByMember, pricePerUnit, price);
    appendValue(valuesByMember, member, unit);
  } else appendValue(valuesByMember, member, sent);
}

function appendValue(valuesByMember: Map<MemberMapping, unknown[]>, member: MemberMapping, value: unknown): void {
  const values = valuesByMember.get(member);
  if (values === undefined) valuesByMember.set(member, [value]);
  else values.push(value);
}

type ValueDecodeResult = { readonly value: unknown } | { readonly fault: Description };

function decodeMember(
  member: MemberMapping,
  values: readonly unknown[],
  { generation01, stored }: DecodeBodyContext,
): ValueDecodeResult {
  const storedValue = isJsonObject(stored) ? stored[member.name] : undefined;
  const context: DecodeBodyContext = { generation01, stored: storedValue };
  const decoded: unknown[] = [];
  for (const value of values) {
    const result =
      member.valueType === undefined ? { value } : decodeTypedValue(member, member.valueType, value, context);
    if ('fault' in result) return result;
    decoded.push(result.value);
  }
  const resolved =
    member.valueType === 'Unit'
      ? resolveUnit(decoded)
      : resolveDuplicates(decoded, stored === undefined ? undefined : { value: storedValue });
  return resolved ?? { fault: [...CONFLICT_DESCRIPTION] };
}

function decodeTypedValue(
  member: MemberMapping,
  valueType: TypeName,
  sent: unknown,
  context: DecodeBodyContext,
): ValueDecodeResult {
  if (sent === null) return { value: null };
  if (valueType === 'Unit' && !isJsonObject(sent)) {
    if (typeof sent === 'string') return { value: sent };
    return { fault: [`Couldn't interpret '${JSON.stringify(sent).slice(0, 100)}' as string.`] };
  }
  if (valueType === 'DeliveryDate' && !isJsonObject(sent)) {
    return { fault: [`Please use a mapping for this field or Period instance instead of ${typeName(sent)}.`] };
  }
  if (Array.isArray(sent) && !isDecodableList(sent)) return { value: sent };
  if (member.list !== true || !Array.isArray(sent))
    return isJsonObject(sent) ? decodeObject(valueType, sent, context) : { value: sent };
  const before: readonly unknown[] = Array.isArray(context.stored) ? context.stored : [];
  const elements: unknown[] = [];
  for (const [at, element] of sent.entries()) {
    const result = isJsonObject(element)
      ? decodeObject(valueType, element, { ...context, stored: before[at] })
      : { value: element };
    // Only the first failing element of a list is reported, not wrapped in a list (http.md 4.4).
    if ('fault' in result) return result;
    elements.push(result.value);
  }
  return { value: elements };
}

function decodeObject(valueType: TypeName, sent: JsonObject, context: DecodeBodyContext): ValueDecodeResult {
  const decoded = decodeBody(valueType, sent, context);
  return 'faults' in decoded ? { fault: decoded.faults } : decoded;
}

/**
 * A text and an object may be sent together when they name the same unit; the object has more members, so it counts.
 */
function resolveUnit(values: readonly unknown[]): { value: unknown } | undefined {
  const [first, second] = values;
  if (values.length < 2 || deepEqual(first, second)) return { value: first };
  if (unitText(first) !== unitText(second)) return undefined;
  return { value: isJsonObject(first) ? first : second };
}

/** Moves members to their canonical places: out of the `id` of an organization, out of a flat auction bid. */
function decodeForm(type: TypeName, sent: JsonObject, { stored }: DecodeBodyContext): DecodeBodyResult {
  if (type === 'AuctionBid') return { value: decodeFlatBid(sent) };
  if (type !== 'Party' && type !== 'ProcuringEntity') return { value: sent };
  const result = decodeParty(sent, { fillScheme: false, stored });
  if ('fault' in result) return { faults: result.fault.description };
  return { value: isJsonObject(result.party) ? result.party : sent };
}

/** Decodes an auction bid of the earliest generation, which holds the amount itself. */
function decodeFlatBid(sent: JsonObject): JsonObject {
  const { amount, currency, valueAddedTaxIncluded, ...entry } = sent;
  if (amount === undefined && currency === undefined) return sent;
  const flat = { amount, currency, valueAddedTaxIncluded };
  const value = Object.fromEntries(Object.entries(flat).filter(([, part]) => part !== undefined));
  return Object.hasOwn(entry, 'value') ? { ...entry, totalValue: value } : { ...entry, value };
}

const MEMBERS_BY_NAME = new Map<TypeName, ReadonlyMap<string, MemberMapping | null>>();

/** The member that a wire name means: null for an ignored name, undefined for an unknown one. */
function memberByAnyName(type: TypeName, name: string): MemberMapping | null | undefined {
  const membersOfType = MEMBERS_BY_NAME.get(type) ?? membersByName(type);
  MEMBERS_BY_NAME.set(type, membersOfType);
  return membersOfType.get(name);
}

function membersByName(type: TypeName): ReadonlyMap<string, MemberMapping | null> {
  const { members, legacyNames = {}, foldedIntoId } = typeMappingOf(type);
  const names = new Map<string, MemberMapping | null>();
  if (foldedIntoId !== true) {
    for (const member of members) {
      for (const wire of [member.middle, member.earliest]) if (wire !== undefined) names.set(wire, member);
    }
  }
  for (const [name, canonicalName] of Object.entries(legacyNames))
    names.set(name, canonicalName === null ? null : (findMember(type, canonicalName) ?? null));
  for (const member of members) names.set(member.name, member);
  return names;
}
