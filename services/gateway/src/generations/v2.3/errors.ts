import { isObject, type JsonObject } from '../codec.ts';
import { mergeErrorsByName, REQUIRED_TEXT, flattenDescription } from '../error-descriptions.ts';
import { ID_MEMBERS } from '../party.ts';
import type { Resource } from '../resource.ts';
import { AWARD_WIRE_NAMES } from './awards.ts';

/** Lists of parties, by the resource that has them. */
const PARTY_LISTS: Readonly<Partial<Record<Resource, string>>> = { bid: 'tenderers', award: 'suppliers' };

/** Whom to blame on segment 0 for a fault in something that it does not show; else the document as a whole. */
const BLAMED_FIELD_ON_0: Readonly<Record<string, string>> = { features: 'items', lots: 'items' };

/** What is needed to tell a refusal in the words of segments 2.3 and 0. */
export interface ErrorContext23 {
  readonly resource: Resource;
  /** Members of a tender that the segment does not show. */
  readonly hidden: ReadonlySet<string>;
  readonly sent?: JsonObject | undefined;
}

/**
 * The `errors` of a refusal in the words of segments 2.3 and 0: canonical messages are told under the names that these
 * generations show (generations.md 7). Refusals that are not about the body stay as they are.
 */
export function encodeErrors23(errors: unknown, context: ErrorContext23): unknown {
  if (!Array.isArray(errors)) return errors;
  return mergeErrorsByName(errors.map((error: unknown) => encodeError(error, context)));
}

function encodeError(error: unknown, { resource, hidden, sent }: ErrorContext23): unknown {
  if (!isObject(error) || error['location'] !== 'body') return error;
  const { name, description } = error;
  if (typeof name !== 'string') return error;
  if (name === PARTY_LISTS[resource]) return { ...error, description: encodePartyDescription(description) };
  if (resource === 'award') return { ...error, name: AWARD_WIRE_NAMES[name] ?? name };
  if (resource !== 'tender' || !hidden.has(name) || Object.hasOwn(sent ?? {}, name)) return error;
  if (flattenDescription(description).every((text) => text === REQUIRED_TEXT)) return error;
  return { ...error, name: BLAMED_FIELD_ON_0[name] ?? 'data', description: flattenDescription(description) };
}

/** Messages about a list of parties, or about one of them. */
export function encodePartyDescription(description: unknown): unknown {
  if (Array.isArray(description)) return description.map(encodePartyDescription);
  return isObject(description) ? encodePartyFaults(description) : description;
}

/**
 * Decision: a fault in a member that is not shown (contactPoint, additionalIdentifiers) keeps its canonical name. Such
 * members are accepted, so a client can read the message; blaming `id` for a telephone number would not help.
 */
function encodePartyFaults(faults: JsonObject): JsonObject {
  const { name, identifier, ...rest } = faults;
  const id: Record<string, unknown> = {};
  const hiddenFaults: string[] = [];
  if (name !== undefined) id['name'] = name;
  if (isObject(identifier)) {
    for (const [member, fault] of Object.entries(identifier)) {
      const row = ID_MEMBERS.find((one) => one.at === 'identifier' && one.canonical === member);
      if (row === undefined) hiddenFaults.push(...flattenDescription(fault));
      else id[row.wire] = fault;
    }
  } else if (identifier !== undefined) hiddenFaults.push(...flattenDescription(identifier));
  if (Object.keys(id).length > 0) return { id, ...rest };
  return hiddenFaults.length > 0 ? { id: hiddenFaults, ...rest } : rest;
}
