import { isObject, type JsonObject } from './codec.ts';
import { mergedErrors, REQUIRED_TEXT, texts } from './error-names.ts';
import { FOLDED } from './party.ts';
import type { Resource } from './resource.ts';
import { AWARD_NAMES } from './v2.3.awards.ts';

/** Lists of parties, by the resource that has them. */
const PARTIES: Readonly<Partial<Record<Resource, string>>> = { bid: 'tenderers', award: 'suppliers' };

/** Whom to blame on segment 0 for a fault in something that it does not show; else the document as a whole. */
const BLAMED_ON_0: Readonly<Record<string, string>> = { features: 'items', lots: 'items' };

/** What is needed to tell a refusal in the words of segments 2.3 and 0. */
export interface Telling {
  readonly resource: Resource;
  /** Members of a tender that the segment does not show. */
  readonly hidden: ReadonlySet<string>;
  readonly sent?: JsonObject | undefined;
}

/**
 * The `errors` of a refusal in the words of segments 2.3 and 0: canonical messages are told under the names that these
 * generations show (generations.md 7). Refusals that are not about the body stay as they are.
 */
export function currentErrors(errors: unknown, telling: Telling): unknown {
  if (!Array.isArray(errors)) return errors;
  return mergedErrors(errors.map((error: unknown) => told(error, telling)));
}

function told(error: unknown, { resource, hidden, sent }: Telling): unknown {
  if (!isObject(error) || error['location'] !== 'body') return error;
  const { name, description } = error;
  if (typeof name !== 'string') return error;
  if (name === PARTIES[resource]) return { ...error, description: partyDescription(description) };
  if (resource === 'award') return { ...error, name: AWARD_NAMES[name] ?? name };
  if (resource !== 'tender' || !hidden.has(name) || Object.hasOwn(sent ?? {}, name)) return error;
  if (texts(description).every((text) => text === REQUIRED_TEXT)) return error;
  return { ...error, name: BLAMED_ON_0[name] ?? 'data', description: texts(description) };
}

/** Messages about a list of parties, or about one of them. */
export function partyDescription(description: unknown): unknown {
  if (Array.isArray(description)) return description.map(partyDescription);
  return isObject(description) ? partyFaults(description) : description;
}

/**
 * Decision: a fault in a member that is not shown (contactPoint, additionalIdentifiers) keeps its canonical name. Such
 * members are accepted, so a client can read the message; blaming `id` for a telephone number would not help.
 */
function partyFaults(faults: JsonObject): JsonObject {
  const { name, identifier, ...rest } = faults;
  const id: Record<string, unknown> = {};
  const about: string[] = [];
  if (name !== undefined) id['name'] = name;
  if (isObject(identifier)) {
    for (const [member, fault] of Object.entries(identifier)) {
      const row = FOLDED.find((one) => one.at === 'identifier' && one.canonical === member);
      if (row === undefined) about.push(...texts(fault));
      else id[row.wire] = fault;
    }
  } else if (identifier !== undefined) about.push(...texts(identifier));
  if (Object.keys(id).length > 0) return { id, ...rest };
  return about.length > 0 ? { id: about, ...rest } : rest;
}
