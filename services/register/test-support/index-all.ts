import { reindex } from '../src/follow/index-terms.ts';
import type { IndexingDeps } from '../src/follow/index-tenders.ts';

/** Makes the terms and contributions of tenders that a test has stored itself. */
export async function indexAll(deps: IndexingDeps): Promise<void> {
  await reindex([], deps, () => undefined);
}
