import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Generation01 } from '../codec.ts';
import { mergeErrorsByName, REQUIRED_TEXT, flattenDescription } from '../error-descriptions.ts';
import { findMember, type MemberMapping, type TypeName } from './member-table.ts';

export interface ErrorContext01 {
  readonly type: TypeName;
  readonly generation01: Generation01;
  /** `data` of the request. */
  readonly sent?: JsonObject | undefined;
}

/** Wire name to blame for a fault in a hidden member of a tender; any other is blamed on `data` (generations.md 7). */
const BLAMED_FIELD: Readonly<Record<string, string>> = {
  minimalStep: 'totalValue',
  features: 'itemsToBeProcured',
  title: 'itemsToBeProcured',
  lots: 'itemsToBeProcured',
};

/** Encodes the `errors` of a refusal: member names become wire names. Errors outside the body stay unchanged. */
export function encodeErrors01(errors: unknown, context: ErrorContext01): unknown {
  if (!Array.isArray(errors)) return errors;
  return mergeErrorsByName(errors.map((error: unknown) => encodeError(error, context)));
}

function encodeError(error: unknown, { type, generation01, sent = {} }: ErrorContext01): unknown {
  if (!isJsonObject(error) || error['location'] !== 'body' || typeof error['name'] !== 'string') return error;
  const { name, description } = error;
  const member = findMember(type, name);
  if (member === undefined) return error;
  if (type === 'Tender' && name === 'items' && isAboutDeliveryDate(description)) {
    return {
      ...error,
      name: generation01 === 'middle' ? 'deliveryDate' : 'itemsToBeProcured',
      description: flattenDescription(description),
    };
  }
  const wire = member[generation01];
  if (
    type === 'Tender' &&
    name === 'tenderPeriod' &&
    generation01 === 'earliest' &&
    isAboutStartDate(description, sentValue(sent, member))
  ) {
    return { ...error, description: flattenDescription(description) };
  }
  if (wire !== undefined) {
    return {
      ...error,
      name: wire,
      description: encodeDescription(member, description, generation01, sentValue(sent, member)),
    };
  }
  if (Object.hasOwn(sent, name) || flattenDescription(description).every((text) => text === REQUIRED_TEXT))
    return error;
  return {
    ...error,
    name: (type === 'Tender' ? BLAMED_FIELD[name] : undefined) ?? 'data',
    description: flattenDescription(description),
  };
}

/**
 * What lists of requests have for a member. A refusal has a description for each failing element and for each faulty member of it;
 * without this memory every one of them would search the whole list.
 */
const sentInLists = new WeakMap<readonly unknown[], Map<MemberMapping, unknown>>();

/** The value that the request has for a member, under any of its names; of a list, that of the first element that has one. */
function sentValue(sent: unknown, member: MemberMapping): unknown {
  if (Array.isArray(sent)) return sentInList(sent, member);
  if (!isJsonObject(sent)) return undefined;
  const name = [member.name, member.middle, member.earliest].find(
    (one) => one !== undefined && Object.hasOwn(sent, one),
  );
  return name === undefined ? undefined : sent[name];
}

function sentInList(list: readonly unknown[], member: MemberMapping): unknown {
  const known = sentInLists.get(list) ?? new Map<MemberMapping, unknown>();
  sentInLists.set(list, known);
  if (known.has(member)) return known.get(member);
  let value: unknown;
  for (let at = 0; at < list.length && value === undefined; at += 1) value = sentValue(list[at], member);
  known.set(member, value);
  return value;
}

/** True when every fault is about `deliveryDate` of an item, a hidden member. */
function isAboutDeliveryDate(description: unknown): boolean {
  if (Array.isArray(description)) return description.length > 0 && description.every(isAboutDeliveryDate);
  return isJsonObject(description) && Object.keys(description).join() === 'deliveryDate';
}

/**
 * True for a fault in a start that the request did not send: earliest shows only the end, and the start may have
 * followed.
 */
function isAboutStartDate(description: unknown, sent: unknown): boolean {
  const wasSent = isJsonObject(sent) && Object.hasOwn(sent, 'startDate');
  return isJsonObject(description) && Object.hasOwn(description, 'startDate') && !wasSent;
}

/** Encodes a description inside a member by its type. Lists and objects keep their form. */
function encodeDescription(
  member: MemberMapping,
  description: unknown,
  generation01: Generation01,
  sent: unknown,
): unknown {
  const { valueType } = member;
  if (valueType === undefined) return description;
  if (Array.isArray(description))
    return description.flatMap((one: unknown) => encodeDescription(member, one, generation01, sent));
  if (!isJsonObject(description)) return description;
  if (valueType === 'AuctionBid' && generation01 === 'earliest') return flattenDescription(description);
  return encodeMemberFaults(valueType, description, generation01, sent);
}

function encodeMemberFaults(
  valueType: TypeName,
  faults: JsonObject,
  generation01: Generation01,
  sent: unknown,
): unknown {
  const encoded: Record<string, unknown> = {};
  const hiddenFaults: unknown[] = [];
  for (const [name, fault] of Object.entries(faults)) {
    const member = findMember(valueType, name);
    const wire = member?.[generation01];
    const sentInside = member === undefined ? undefined : sentValue(sent, member);
    if (member === undefined) encoded[name] = fault;
    else if (member.valueType === 'Unit') Object.assign(encoded, encodeUnitFaults(fault));
    else if ((valueType === 'Party' || valueType === 'ProcuringEntity') && wire === 'id') {
      const inner =
        name === 'name' ? { name: fault } : encodeDescription(member, fault, generation01, sentValue(sent, member));
      encoded['id'] = joinDescriptions(encoded['id'], inner);
    } else if (wire !== undefined) encoded[wire] = encodeDescription(member, fault, generation01, sentInside);
    else if (sentInside !== undefined || flattenDescription(fault).every((text) => text === REQUIRED_TEXT))
      encoded[name] = fault;
    else hiddenFaults.push(fault);
  }
  if (hiddenFaults.length === 0) return encoded;
  // Faults in hidden members are blamed on the object, so its description becomes a list of texts.
  return flattenDescription([encoded, hiddenFaults]);
}

function encodeUnitFaults(fault: unknown): JsonObject {
  if (!isJsonObject(fault)) return { unitOfMeasure: fault };
  const { value, ...unit } = fault;
  return {
    ...(Object.keys(unit).length > 0 ? { unitOfMeasure: flattenDescription(unit) } : {}),
    ...(value === undefined ? {} : { valuePerUnit: value }),
  };
}

function joinDescriptions(a: unknown, b: unknown): unknown {
  if (a === undefined) return b;
  return isJsonObject(a) && isJsonObject(b) ? { ...a, ...b } : [...flattenDescription(a), ...flattenDescription(b)];
}
