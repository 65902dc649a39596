import type { JsonObject } from '../codec.ts';
import { hiddenMembers } from '../member-table-for-2.3-and-0.ts';

/** Members of a tender that a client may set and segment 0 does not show. */
const HIDDEN_WRITABLE: readonly string[] = hiddenMembers('Tender', '0').flatMap(({ name, readOnly }) =>
  readOnly === true ? [] : [name],
);

/**
 * The canonical PUT for a PUT on segment 0: members that it shows are replaced; hidden members keep their value unless
 * the request brings them (generations.md 5.2.3).
 */
export function replaceOn0(stored: JsonObject, sent: JsonObject): JsonObject {
  const kept = HIDDEN_WRITABLE.filter((name) => Object.hasOwn(stored, name)).map((name) => [name, stored[name]]);
  // In a PUT null counts as absent: it clears a shown member and leaves a hidden one.
  const sentValues = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...sentValues]);
}
