import type { Description } from '@procurement/contracts/problems';
import { typeName } from '@procurement/contracts/reading/faults';
import { isObject, type EarlyGeneration, type JsonObject } from './codec.ts';
import { readParty } from './party.ts';
import { agreed, CONFLICT, same } from './same.ts';
import { memberOf, typeOf, type Member, type TypeName } from './v0.1.tables.ts';
import { unitText } from './v0.1.unit.ts';

/** Faults by the name that the response generation uses. */
export type Faults = Readonly<Record<string, Description>>;

export type Spelling = { readonly value: JsonObject } | { readonly faults: Faults };

/** What a body is read with: the generation that a refusal speaks, and what is stored at this place. */
export interface SpellContext {
  readonly early: EarlyGeneration;
  readonly stored?: unknown;
}

/**
 * A body of segment 0.1 under canonical names, whichever of its known names it used (generations.md 5.3): those of both
 * generations, canonical ones, and names of the releases before. What the service sets is left out. Three things keep a form
 * of their own, since only the stored object tells what they mean: `deliveryDate` of a tender, `unit` (a text) and
 * `valuePerUnit` of an item. Values of the wrong kind are passed on: the service refuses them.
 */
export function spelled(type: TypeName, sent: JsonObject, context: SpellContext): Spelling {
  const form = plain(type, sent, context);
  if ('faults' in form) return form;
  // Entries, so that a member called __proto__ is one like any other, and an unknown one.
  const faults: [string, Description][] = [];
  const given = new Map<Member, unknown[]>();
  for (const [key, value] of Object.entries(form.value)) {
    const member = memberCalled(type, key);
    if (member === undefined) faults.push([key, 'Rogue field']);
    else if (member !== null && member.served !== true) give(given, type, member, value);
  }
  const read: [string, unknown][] = [];
  for (const [member, values] of given) {
    const result = memberValue(member, values, context);
    if ('value' in result) read.push([member.name, result.value]);
    else faults.push([member[context.early] ?? member.name, result.fault]);
  }
  return faults.length > 0 ? { faults: Object.fromEntries(faults) } : { value: Object.fromEntries(read) };
}

/** The value of a unit is a matter of `valuePerUnit` alone, wherever it was said. */
function give(given: Map<Member, unknown[]>, type: TypeName, member: Member, sent: unknown): void {
  let value = sent;
  const perUnit = memberOf('Item', 'valuePerUnit');
  if (type === 'Item' && member.name === 'unit' && isObject(sent) && Object.hasOwn(sent, 'value') && perUnit) {
    const { value: priced, ...unit } = sent;
    value = unit;
    given.set(perUnit, [...(given.get(perUnit) ?? []), priced]);
  }
  given.set(member, [...(given.get(member) ?? []), value]);
}

type ValueReading = { readonly value: unknown } | { readonly fault: Description };

function memberValue(member: Member, values: readonly unknown[], { early, stored }: SpellContext): ValueReading {
  const before = isObject(stored) ? stored[member.name] : undefined;
  const context: SpellContext = { early, stored: before };
  const read: unknown[] = [];
  for (const value of values) {
    const one = member.of === undefined ? { value } : typedValue(member, member.of, value, context);
    if ('fault' in one) return one;
    read.push(one.value);
  }
  const counts =
    member.of === 'Unit' ? agreedUnit(read) : agreed(read, stored === undefined ? undefined : { value: before });
  return counts ?? { fault: [...CONFLICT] };
}

function typedValue(member: Member, of: TypeName, sent: unknown, context: SpellContext): ValueReading {
  if (sent === null) return { value: null };
  if (of === 'Unit' && !isObject(sent)) {
    if (typeof sent === 'string') return { value: sent };
    return { fault: [`Couldn't interpret '${JSON.stringify(sent).slice(0, 100)}' as string.`] };
  }
  if (of === 'DeliveryDate' && !isObject(sent)) {
    return { fault: [`Please use a mapping for this field or Period instance instead of ${typeName(sent)}.`] };
  }
  if (member.list !== true || !Array.isArray(sent))
    return isObject(sent) ? objectValue(of, sent, context) : { value: sent };
  const before: readonly unknown[] = Array.isArray(context.stored) ? context.stored : [];
  const elements: unknown[] = [];
  for (const [at, element] of sent.entries()) {
    const one = isObject(element) ? objectValue(of, element, { ...context, stored: before[at] }) : { value: element };
    // Of a list its first failing element is told, unwrapped (http.md 4.4).
    if ('fault' in one) return one;
    elements.push(one.value);
  }
  return { value: elements };
}

function objectValue(of: TypeName, sent: JsonObject, context: SpellContext): ValueReading {
  const spelling = spelled(of, sent, context);
  return 'faults' in spelling ? { fault: spelling.faults } : spelling;
}

/** Text and object may be sent side by side, when they name the same unit. The object says more. */
function agreedUnit(values: readonly unknown[]): { value: unknown } | undefined {
  const [first, second] = values;
  if (values.length < 2 || same(first, second)) return { value: first };
  if (unitText(first) !== unitText(second)) return undefined;
  return { value: isObject(first) ? first : second };
}

/** The object with its members where a canonical one has them: out of `id`, out of a flat entry. */
function plain(type: TypeName, sent: JsonObject, { stored }: SpellContext): Spelling {
  if (type === 'AuctionBid') return { value: unflattened(sent) };
  if (type !== 'Party' && type !== 'ProcuringEntity') return { value: sent };
  const reading = readParty(sent, { scheme: false, stored });
  if ('fault' in reading) return { faults: reading.fault.description };
  return { value: isObject(reading.party) ? reading.party : sent };
}

/** An entry of auction results that holds its amount itself, as the earliest generation writes it. */
function unflattened(sent: JsonObject): JsonObject {
  const { amount, currency, valueAddedTaxIncluded, ...entry } = sent;
  if (amount === undefined && currency === undefined) return sent;
  const flat = { amount, currency, valueAddedTaxIncluded };
  const value = Object.fromEntries(Object.entries(flat).filter(([, part]) => part !== undefined));
  return Object.hasOwn(entry, 'value') ? { ...entry, totalValue: value } : { ...entry, value };
}

const NAMES = new Map<TypeName, ReadonlyMap<string, Member | null>>();

/** What a name means in a type: a member, null for one that is passed over, undefined for one that nobody knows. */
function memberCalled(type: TypeName, name: string): Member | null | undefined {
  const known = NAMES.get(type) ?? namesOf(type);
  NAMES.set(type, known);
  return known.get(name);
}

function namesOf(type: TypeName): ReadonlyMap<string, Member | null> {
  const { members, old = {}, folded } = typeOf(type);
  const names = new Map<string, Member | null>();
  if (folded !== true) {
    for (const member of members) {
      for (const wire of [member.middle, member.earliest]) if (wire !== undefined) names.set(wire, member);
    }
  }
  for (const [name, means] of Object.entries(old))
    names.set(name, means === null ? null : (memberOf(type, means) ?? null));
  for (const member of members) names.set(member.name, member);
  return names;
}
