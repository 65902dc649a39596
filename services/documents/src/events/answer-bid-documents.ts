import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { isPublic } from '../domain/document.visibility.ts';
import { placeOf } from '../domain/place.ts';

const Question = z.object({ id: z.string() });

/**
 * Answers the owner of bids: every version of one bid's documents, oldest first, as that bid's owner may see them now (http.md
 * 2.4). An empty list when it has none, also when the bid is not known.
 */
export function bidDocumentsOf(deps: Deps): (question: unknown) => Promise<unknown> {
  return async (question) => {
    const { id } = Question.parse(question);
    const versions = await deps.documents.ofParent({ kind: 'bid', id });
    const tenderId = versions[0]?.tenderId;
    if (tenderId === undefined) return [];
    const [tender, bid, bidsOpened] = await Promise.all([
      deps.tenders.find(tenderId),
      deps.bids.find(id),
      deps.documents.bidsOpened(tenderId),
    ]);
    // Whether it is withdrawn is for the bids service to know, which asks.
    const place = tender && placeOf('bid', { bid_id: id }, { tender, bid, bidsOpened });
    const shown = place !== undefined && 'parent' in place && isPublic(place) ? 'public' : 'sealed';
    return versions.map((version) => deps.show(version, shown));
  };
}
