import type { FlowOf } from '@procurement/contracts/events/flows';
import type { AskAgain } from '@procurement/kit/messaging/request/ask-again';
import type { Deps } from '../deps.ts';
import { DOCUMENTS_FLOW } from '../store/documents-changed.ts';

const REQUEST_ID = 'ask again';

/**
 * Publishes the documents of a tender again until the facts of the tender name their version. The facts come from their owner,
 * because the event that carried them may be lost as well.
 */
export function askAgain({
  tenders,
  documents,
}: Pick<Deps, 'tenders' | 'documents'>): Readonly<Record<FlowOf<'documents'>, AskAgain>> {
  return {
    [DOCUMENTS_FLOW]: async ({ id, version }) => {
      const tender = await tenders.refresh(id);
      if (tender === undefined) throw new Error('the tender is not known');
      if (tender.documentsVersion >= version) return 'answered';
      await documents.repeat({ tenderId: id, correlationId: REQUEST_ID });
      return 'asked';
    },
  };
}
