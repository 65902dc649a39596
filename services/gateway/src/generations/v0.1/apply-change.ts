import { mergePatch } from '@procurement/domain/merge';
import { isDecodableList } from '../bounds.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { dropHiddenOnIdentityChange } from '../identity-change.ts';
import { withDefaultScheme } from '../party.ts';
import { matchElements } from './match-elements.ts';
import { isShown, findMember, typeMappingOf, type MemberMapping, type TypeName } from './member-table.ts';
import { applyUnitChange } from './unit.ts';

/** `patch` changes the members sent; `put` also removes, inside the objects sent, shown members that were not sent. */
export type Operation = 'create' | 'patch' | 'put';

/**
 * The canonical object after a change on segment 0.1; `sent` has canonical names (decode.ts). Hidden members are kept
 * while their object exists (generations.md 5.2). At the top level absence never clears a member and null is ignored,
 * because the two generations of the segment show different members.
 */
export function applyChange(
  type: TypeName,
  operation: Operation,
  stored: JsonObject | undefined,
  sent: JsonObject,
  level: 'top' | 'inside',
): JsonObject {
  const { members, identity } = typeMappingOf(type);
  const before = stored ?? {};
  const next = new Map<string, unknown>(Object.entries(before));
  if (operation === 'put' && level === 'inside') {
    for (const member of members) if (isClearedByAbsence(type, member, sent)) next.delete(member.name);
  }
  for (const [name, value] of Object.entries(sent)) {
    if (value !== null) next.set(name, applyToValue(findMember(type, name), operation, before[name], value));
    else if (level === 'inside') next.delete(name);
  }
  if (type === 'Item') setUnit(next, operation, before['unit'], sent);
  const changed = Object.fromEntries(next);
  const isNew = stored === undefined || operation !== 'patch';
  const withScheme = isNew && (type === 'Party' || type === 'ProcuringEntity') ? withPartyScheme(changed) : changed;
  return identity === undefined || stored === undefined
    ? withScheme
    : dropHiddenOnIdentityChange(identity, stored, withScheme, sent);
}

function isClearedByAbsence(type: TypeName, member: MemberMapping, sent: JsonObject): boolean {
  if (!isShown(member) || member.readOnly === true || Object.hasOwn(sent, member.name)) return false;
  return !(type === 'StartedPeriod' && member.name === 'startDate');
}

function withPartyScheme(organization: JsonObject): JsonObject {
  const completed = withDefaultScheme(organization);
  return isJsonObject(completed) ? completed : organization;
}

function applyToValue(
  member: MemberMapping | undefined,
  operation: Operation,
  stored: unknown,
  sent: unknown,
): unknown {
  if (member?.valueType === undefined) {
    // A value without a type has its canonical form in a request, and merges as in the service. A scalar replaces.
    if (typeof sent !== 'object') return sent;
    return operation === 'patch' ? mergePatch({ value: stored }, { value: sent })['value'] : sent;
  }
  if (member.list === true) return Array.isArray(sent) ? applyToList(member.valueType, operation, stored, sent) : sent;
  if (!isJsonObject(sent)) return sent;
  const { valueType } = member;
  // An object that loses all its shown members keeps its hidden ones, unless its identity changed.
  return applyChange(valueType, operation, isJsonObject(stored) ? stored : undefined, sent, 'inside');
}

function applyToList(
  valueType: TypeName,
  operation: Operation,
  stored: unknown,
  sent: readonly unknown[],
): readonly unknown[] {
  if (!isDecodableList(sent)) return sent;
  const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const matched = matchElements(valueType, before, sent);
  return sent.map((element, at) => {
    if (!isJsonObject(element)) return element;
    const match = matched[at];
    const old = match === undefined ? undefined : before[match];
    return applyChange(valueType, operation, isJsonObject(old) ? old : undefined, element, 'inside');
  });
}

/** The canonical `unit` holds the unit and the price of one; on the wire these are two members. */
function setUnit(next: Map<string, unknown>, operation: Operation, stored: unknown, sent: JsonObject): void {
  const price = sent['valuePerUnit'];
  next.delete('valuePerUnit');
  const unit = applyUnitChange(stored, { unit: sent['unit'], replaces: operation === 'put' });
  const old = isJsonObject(stored) ? stored['value'] : undefined;
  const isRemoved = price === null || (price === undefined && operation === 'put');
  const value = isRemoved
    ? undefined
    : isJsonObject(price)
      ? applyChange('Value', operation, isJsonObject(old) ? old : undefined, price, 'inside')
      : (price ?? old);
  if (unit === undefined && value === undefined) next.delete('unit');
  else next.set('unit', value === undefined ? unit : { ...unit, value });
}
