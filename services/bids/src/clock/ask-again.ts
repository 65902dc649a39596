import type { FlowOf } from '@procurement/contracts/events/flows';
import type { AskAgain } from '@procurement/kit/messaging/request/ask-again';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import type { Deps } from '../deps.ts';
import { BID_DOCUMENTS_FLOW } from '../store/bidding.store.ts';

/**
 * Makes sure after an opening that the documents service has made the documents of the bids public. It may have lost `bid.opened`,
 * and no other event tells it.
 */
export function askAgain({
  bids,
  documents,
}: Pick<Deps, 'bids' | 'documents'>): Readonly<Record<FlowOf<'bids'>, AskAgain>> {
  return {
    [BID_DOCUMENTS_FLOW]: async ({ id }) => {
      // The bids may be erased meanwhile.
      if ((await bids.phase(id)) !== 'opened') return 'answered';
      if (!(await documents.open(id))) throw new UnavailableError('the documents service');
      return 'answered';
    },
  };
}
