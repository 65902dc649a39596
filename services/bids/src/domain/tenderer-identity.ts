import type { StoredBid } from '@procurement/contracts/resources/bid';

type Data = Readonly<Record<string, unknown>>;

/** What older segments do not show of an organization, and what says which organization it is (generations.md 6, 6). */
const HIDDEN = ['name_en', 'name_ru', 'additionalIdentifiers'] as const;
const HIDDEN_OF_IDENTIFIER = ['legalName', 'legalName_en', 'legalName_ru'] as const;
const IDENTITY = ['scheme', 'id'] as const;

/**
 * A PATCH by an older segment, which cannot see all of a tenderer: when it names another organization, the names of the one
 * before go, unless it sends new ones. Of the same organization they stay.
 */
export function withoutForeignNames(stored: StoredBid, patch: Data): Data {
  const tenderers = patch['tenderers'];
  if (!Array.isArray(tenderers)) return patch;
  const judged = tenderers.map((wished: unknown, at) => {
    const before = stored.tenderers[at];
    if (before === undefined || !isMembers(wished) || !isMembers(wished['identifier'])) return wished;
    const { identifier } = wished;
    const known: Data = { ...before.identifier };
    const isOther = IDENTITY.some((name) => isAnother(identifier[name], known[name]));
    if (!isOther) return wished;
    return { ...cut(HIDDEN), ...wished, identifier: { ...cut(HIDDEN_OF_IDENTIFIER), ...identifier } };
  });
  return { ...patch, tenderers: judged };
}

/** Numbers are read as texts, so `37256` names the same as `"37256"`. */
function isAnother(wished: unknown, known: unknown): boolean {
  return wished !== undefined && (typeof wished === 'number' ? `${wished}` : wished) !== known;
}

/** In a PATCH a null takes a member away. */
function cut(names: readonly string[]): Data {
  return Object.fromEntries(names.map((name) => [name, null]));
}

function isMembers(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
