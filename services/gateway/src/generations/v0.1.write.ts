import { mergePatch } from '@procurement/contracts/merge';
import { isObject, type JsonObject } from './codec.ts';
import { withIdentity } from './identity.ts';
import { withScheme } from './party.ts';
import { matches } from './v0.1.lists.ts';
import { isShown, memberOf, typeOf, type Member, type TypeName } from './v0.1.tables.ts';
import { changedUnit } from './v0.1.unit.ts';

/** PATCH changes the members sent; PUT clears, inside the objects sent, what is shown and was not sent. */
export type Change = 'create' | 'patch' | 'put';

/**
 * The canonical object after a change on segment 0.1; `sent` is spelled canonically (v0.1.spell.ts). Nothing that the
 * generation does not show is lost while its object lives (generations.md 5.2). At the top absence never clears and null is
 * passed over, since two generations share the segment.
 */
export function changedObject(
  type: TypeName,
  change: Change,
  stored: JsonObject | undefined,
  sent: JsonObject,
  place: 'top' | 'inside',
): JsonObject {
  const { members, identity } = typeOf(type);
  const before = stored ?? {};
  const next = new Map<string, unknown>(Object.entries(before));
  if (change === 'put' && place === 'inside') {
    for (const member of members) if (isClearedByAbsence(type, member, sent)) next.delete(member.name);
  }
  for (const [name, value] of Object.entries(sent)) {
    if (value !== null) next.set(name, changedValue(memberOf(type, name), change, before[name], value));
    else if (place === 'inside') next.delete(name);
  }
  if (type === 'Item') setUnit(next, change, before['unit'], sent);
  const named = Object.fromEntries(next);
  const isNew = stored === undefined || change !== 'patch';
  const whole = isNew && (type === 'Party' || type === 'ProcuringEntity') ? schemed(named) : named;
  return identity === undefined || stored === undefined ? whole : withIdentity(identity, stored, whole, sent);
}

function isClearedByAbsence(type: TypeName, member: Member, sent: JsonObject): boolean {
  if (!isShown(member) || member.served === true || Object.hasOwn(sent, member.name)) return false;
  return !(type === 'StartedPeriod' && member.name === 'startDate');
}

function schemed(organization: JsonObject): JsonObject {
  const whole = withScheme(organization);
  return isObject(whole) ? whole : organization;
}

function changedValue(member: Member | undefined, change: Change, stored: unknown, sent: unknown): unknown {
  if (member?.of === undefined) {
    // What is not shown is canonical in a request as well, and merged as the service would.
    return change === 'patch' ? mergePatch({ value: stored }, { value: sent })['value'] : sent;
  }
  if (member.list === true) return Array.isArray(sent) ? changedList(member.of, change, stored, sent) : sent;
  if (!isObject(sent)) return sent;
  const { of } = member;
  // An object whose every shown member goes takes its hidden ones along only when they are of another identity.
  return changedObject(of, change, isObject(stored) ? stored : undefined, sent, 'inside');
}

function changedList(of: TypeName, change: Change, stored: unknown, sent: readonly unknown[]): readonly unknown[] {
  const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const taken = matches(of, before, sent);
  return sent.map((element, at) => {
    if (!isObject(element)) return element;
    const match = taken[at];
    const old = match === undefined ? undefined : before[match];
    return changedObject(of, change, isObject(old) ? old : undefined, element, 'inside');
  });
}

/** Unit and price of one stand in one canonical object and in two wire members. */
function setUnit(next: Map<string, unknown>, change: Change, stored: unknown, sent: JsonObject): void {
  const price = sent['valuePerUnit'];
  next.delete('valuePerUnit');
  const unit = changedUnit(stored, { unit: sent['unit'], replaces: change === 'put' });
  const old = isObject(stored) ? stored['value'] : undefined;
  const isGone = price === null || (price === undefined && change === 'put');
  const value = isGone
    ? undefined
    : isObject(price)
      ? changedObject('Value', change, isObject(old) ? old : undefined, price, 'inside')
      : (price ?? old);
  if (unit === undefined && value === undefined) next.delete('unit');
  else next.set('unit', value === undefined ? unit : { ...unit, value });
}
