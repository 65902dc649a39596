import type { JsonObject } from '../codec.ts';

const withTranslations = (name: string): readonly string[] => [name, `${name}_en`, `${name}_ru`];

/** What a client may set of a tender and segment 0 does not show (generations.md 3.1). */
const HIDDEN_WRITABLE: readonly string[] = [
  'mode',
  'procurementMethodType',
  'procurementMethodDetails',
  ...withTranslations('procurementMethodRationale'),
  ...withTranslations('submissionMethodDetails'),
  ...withTranslations('awardCriteriaDetails'),
  ...withTranslations('eligibilityCriteria'),
  'hasEnquiries',
  'guarantee',
  'features',
  'lots',
];

/** Everything of a tender that segment 0 does not show: what releases 0.3 to 0.6 did not have. */
export const HIDDEN_ON_0: ReadonlySet<string> = new Set([
  ...HIDDEN_WRITABLE,
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
export function replaceOn0(stored: JsonObject, sent: JsonObject): JsonObject {
  const kept = HIDDEN_WRITABLE.filter((name) => Object.hasOwn(stored, name)).map((name) => [name, stored[name]]);
  // A null counts as absent in a PUT, so it clears what is shown and leaves what is not.
  const sentValues = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries([...kept, ...sentValues]);
}
