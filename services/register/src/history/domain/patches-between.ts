import { patchText } from '../../revisions/domain/patch.ts';
import { parsePublicTender } from '../../revisions/domain/tender-columns.ts';

/** Public texts of revisions, and the pairs of places among them whose differences are wanted. */
export interface PatchJob {
  readonly texts: readonly string[];
  readonly pairs: readonly (readonly [from: number, to: number])[];
}

/** The JSON Patch of each pair, as text. Each text is parsed once. */
export function patchesBetween({ texts, pairs }: PatchJob): readonly string[] {
  const tenders = texts.map(parsePublicTender);
  return pairs.map(([from, to]) => patchText(tenders[from], tenders[to]));
}
