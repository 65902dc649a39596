import type { JsonObject } from './codec.ts';

const spoken = (name: string): readonly string[] => [name, `${name}_en`, `${name}_ru`];

/** What a client may set of a tender and segment 0 does not show (generations.md 3.1). */
const HIDDEN_OF_CLIENTS: readonly string[] = [
  'mode',
  'procurementMethodType',
  'procurementMethodDetails',
  ...spoken('procurementMethodRationale'),
  ...spoken('submissionMethodDetails'),
  ...spoken('awardCriteriaDetails'),
  ...spoken('eligibilityCriteria'),
  'hasEnquiries',
  'guarantee',
  'features',
  'lots',
];

/** Everything of a tender that segment 0 does not show: what releases 0.3 to 0.6 did not have. */
export const HIDDEN_ON_0: ReadonlySet<string> = new Set([
  ...HIDDEN_OF_CLIENTS,
  'date',
  'procurementMethod',
  'submissionMethod',
  'awardCriteria',
  'numberOfBidders',
  'next_check',
  'contracts',
  'cancellations',
]);

/**
 * The canonical PUT for a PUT on segment 0: what it shows is replaced, what it does not show keeps its value unless it was
 * sent (generations.md 5.2.3).
 */
export function replacedOn0(stored: JsonObject, sent: JsonObject): JsonObject {
  const kept = HIDDEN_OF_CLIENTS.filter((name) => Object.hasOwn(stored, name)).map((name) => [name, stored[name]]);
  // A null counts as absent in a PUT, so it clears what is shown and leaves what is not.
  const wished = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...wished]);
}
