import type { StoredBid } from '@procurement/contracts/resources/bid';

type JsonObject = Readonly<Record<string, unknown>>;

/** What older segments do not show of an organization, and what says which organization it is (generations.md 6, 6). */
const HIDDEN = ['name_en', 'name_ru', 'additionalIdentifiers'] as const;
const HIDDEN_OF_IDENTIFIER = ['legalName', 'legalName_en', 'legalName_ru'] as const;
const IDENTITY = ['scheme', 'id'] as const;

/**
 * A PATCH by an older segment, which cannot see all of a tenderer: when it names another organization, the names of the one
 * before go, unless it sends new ones. Of the same organization they stay.
 */
export function clearNamesOfOtherOrganization(stored: StoredBid, patch: JsonObject): JsonObject {
  const tenderers = patch['tenderers'];
  if (!Array.isArray(tenderers)) return patch;
  const patched = tenderers.map((sent: unknown, at) => {
    const before = stored.tenderers[at];
    if (before === undefined || !isObject(sent) || !isObject(sent['identifier'])) return sent;
    const { identifier } = sent;
    const known: JsonObject = { ...before.identifier };
    const isOtherOrganization = IDENTITY.some((name) => isDifferent(identifier[name], known[name]));
    if (!isOtherOrganization) return sent;
    return { ...removals(HIDDEN), ...sent, identifier: { ...removals(HIDDEN_OF_IDENTIFIER), ...identifier } };
  });
  return { ...patch, tenderers: patched };
}

/** Numbers are read as texts, so `37256` names the same as `"37256"`. */
function isDifferent(sent: unknown, known: unknown): boolean {
  return sent !== undefined && (typeof sent === 'number' ? `${sent}` : sent) !== known;
}

/** In a PATCH a null takes a member away. */
function removals(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, null]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
