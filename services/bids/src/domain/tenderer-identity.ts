import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { StoredBid } from '@procurement/contracts/resources/bid';

/** Members of an organization that older segments do not show, and those that identify it (generations.md 5.2.6). */
const HIDDEN = ['name_en', 'name_ru', 'additionalIdentifiers', 'scale'] as const;
const HIDDEN_OF_IDENTIFIER = ['legalName', 'legalName_en', 'legalName_ru'] as const;
const IDENTITY = ['scheme', 'id'] as const;

/**
 * Adjusts a PATCH by an older segment, which does not see all members of a tenderer. When it names another organization, the
 * hidden names of the previous one are removed, unless the PATCH sends new ones. For the same organization they stay.
 */
export function clearNamesOfOtherOrganization(stored: StoredBid, patch: JsonObject): JsonObject {
  const tenderers = patch['tenderers'];
  if (!Array.isArray(tenderers)) return patch;
  const patched = tenderers.map((sent: unknown, at) => {
    const before = stored.tenderers[at];
    if (before === undefined || !isJsonObject(sent) || !isJsonObject(sent['identifier'])) return sent;
    const { identifier } = sent;
    const known: JsonObject = { ...before.identifier };
    const isOtherOrganization = IDENTITY.some((name) => isDifferent(identifier[name], known[name]));
    if (!isOtherOrganization) return sent;
    return { ...removals(HIDDEN), ...sent, identifier: { ...removals(HIDDEN_OF_IDENTIFIER), ...identifier } };
  });
  return { ...patch, tenderers: patched };
}

/** Numbers are read as text, so `37256` equals `"37256"`. */
function isDifferent(sent: unknown, known: unknown): boolean {
  return sent !== undefined && (typeof sent === 'number' ? `${sent}` : sent) !== known;
}

/** Members of a PATCH that removes these names: null removes a member. */
function removals(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}
