import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { hiddenMembers, type Segment23Or0 } from './member-table-for-2.3-and-0.ts';

/**
 * The canonical PUT for a PUT on segment 2.3 or 0: members that it shows are replaced; hidden members keep their value unless
 * the request brings them (generations.md 5.2.3).
 */
export function replaceTender(segment: Segment23Or0, stored: JsonObject, sent: JsonObject): JsonObject {
  const kept = hiddenMembers('Tender', segment)
    .filter(({ name, readOnly }) => readOnly !== true && Object.hasOwn(stored, name))
    .map(({ name }) => [name, stored[name]]);
  // In a PUT null counts as absent: it clears a shown member and leaves a hidden one.
  const sentValues = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...sentValues]);
}
