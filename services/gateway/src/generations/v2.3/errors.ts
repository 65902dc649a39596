import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { mergeErrorsByName, REQUIRED_TEXT, flattenDescription } from '../error-descriptions.ts';
import { TYPE_OF_RESOURCE, wireName, type Segment23Or0 } from '../member-table-for-2.3-and-0.ts';
import { ID_MEMBERS } from '../party.ts';
import type { Resource } from '../resource.ts';

/** The list of parties of a resource. */
const PARTY_LISTS: Readonly<Partial<Record<Resource, string>>> = { bid: 'tenderers', award: 'suppliers' };

/** The shown member that takes the blame for a fault in a hidden one; any other fault is blamed on `data`. */
const BLAMED_MEMBER: Readonly<Record<string, string>> = { features: 'items', lots: 'items' };

export interface ErrorContext23And0 {
  readonly resource: Resource;
  readonly segment: Segment23Or0;
  /** `data` of the request. */
  readonly sent?: JsonObject | undefined;
}

/**
 * Encodes the `errors` of a refusal for segments 2.3 and 0: canonical member names become wire names (generations.md
 * 7). Errors with a `location` other than `body` stay unchanged.
 */
export function encodeErrors23And0(errors: unknown, context: ErrorContext23And0): unknown {
  if (!Array.isArray(errors)) return errors;
  return mergeErrorsByName(errors.map((error: unknown) => encodeError(error, context)));
}

function encodeError(error: unknown, { resource, segment, sent = {} }: ErrorContext23And0): unknown {
  const type = TYPE_OF_RESOURCE[resource];
  if (!isJsonObject(error) || error['location'] !== 'body' || type === undefined) return error;
  const { name, description } = error;
  if (typeof name !== 'string') return error;
  if (name === PARTY_LISTS[resource]) return { ...error, description: encodePartyDescription(description) };
  const wire = wireName(type, segment, name);
  if (wire !== undefined) return wire === name ? error : { ...error, name: wire };
  const texts = flattenDescription(description);
  if (Object.hasOwn(sent, name) || texts.every((text) => text === REQUIRED_TEXT)) return error;
  return { ...error, name: BLAMED_MEMBER[name] ?? 'data', description: texts };
}

/** Encodes a description of a list of parties or of one party. */
export function encodePartyDescription(description: unknown): unknown {
  if (Array.isArray(description)) return description.map(encodePartyDescription);
  return isJsonObject(description) ? encodePartyFaults(description) : description;
}

/**
 * Decision: a fault in a hidden member of a party (contactPoint, additionalIdentifiers) keeps its canonical name. The
 * segments accept such members, so a client understands the message; blaming `id` for a telephone number would not help
 * (generations.md 5.4).
 */
function encodePartyFaults(faults: JsonObject): JsonObject {
  const { name, identifier, ...rest } = faults;
  const id: Record<string, unknown> = {};
  const hiddenFaults: unknown[] = [];
  if (name !== undefined) id['name'] = name;
  if (isJsonObject(identifier)) {
    for (const [member, fault] of Object.entries(identifier)) {
      const row = ID_MEMBERS.find((one) => one.at === 'identifier' && one.canonical === member);
      if (row === undefined) hiddenFaults.push(fault);
      else id[row.wire] = fault;
    }
  } else if (identifier !== undefined) hiddenFaults.push(identifier);
  if (Object.keys(id).length > 0) return { id, ...rest };
  return hiddenFaults.length > 0 ? { id: flattenDescription(hiddenFaults), ...rest } : rest;
}
