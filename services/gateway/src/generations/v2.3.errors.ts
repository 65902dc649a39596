import type { Description } from '@procurement/contracts/problems';
import { isObject, type JsonObject } from './codec.ts';

/**
 * Refusals in the words of segment 2.3: a canonical message about a party's identifier is told under the name that the
 * client used (generations.md 7: `identifier.id` becomes `id` then `uid`).
 */
const IDENTIFIER: Readonly<Record<string, string>> = { scheme: 'scheme', id: 'uid', uri: 'uri' };

/** The `errors` of a refusal about a bid. Messages about anything but its parties stay as they are. */
export function bidErrors(errors: unknown): unknown {
  if (!Array.isArray(errors)) return errors;
  return errors.map((error: unknown) =>
    isObject(error) && error['location'] === 'body' && error['name'] === 'tenderers'
      ? { ...error, description: partyDescription(error['description']) }
      : error,
  );
}

function partyDescription(description: unknown): unknown {
  if (Array.isArray(description)) return description.map(partyDescription);
  return isObject(description) ? partyFaults(description) : description;
}

/**
 * Decision: a fault in a member that 2.3 does not show (contactPoint, additionalIdentifiers) keeps its canonical name.
 * Such members are accepted there, so a client can read the message; blaming `id` for a telephone number would not help.
 */
function partyFaults(faults: JsonObject): JsonObject {
  const { name, identifier, ...rest } = faults;
  const id: Record<string, unknown> = {};
  const about: unknown[] = [];
  if (name !== undefined) id['name'] = name;
  if (isObject(identifier)) {
    for (const [member, fault] of Object.entries(identifier)) {
      const wire = IDENTIFIER[member];
      if (wire === undefined) about.push(...texts(fault));
      else id[wire] = fault;
    }
  } else if (identifier !== undefined) about.push(...texts(identifier));
  if (Object.keys(id).length > 0) return { id, ...rest };
  return about.length > 0 ? { id: about, ...rest } : rest;
}

/** The texts of a description, flattened. */
function texts(description: unknown): readonly Description[] {
  if (typeof description === 'string') return [description];
  if (Array.isArray(description)) return description.flatMap(texts);
  return isObject(description) ? Object.values(description).flatMap(texts) : [];
}
