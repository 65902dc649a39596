import type { Envelope } from '@procurement/contracts/events/envelope';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { TenderCancelled } from '@procurement/contracts/events/tender.events';
import { endWaits, type FlowWait } from '@procurement/kit/messaging/request/flow-waits';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import { END_WAITS_OF_VOID } from '@procurement/kit/messaging/request/flow-waits';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { DOCUMENTS_FLOW } from '../store/documents-changed.ts';
import type { TenderTrigger } from '../store/documents.store.ts';

/** Documents of a tender that its owner has lost are void, with the copies that belong to it. Their files stay in the storage. */
const removeDependents = [
  ...['document_version', 'tender_documents'].map((table) => `DELETE FROM ${table} WHERE tender_id = ANY($1::text[])`),
  `DELETE FROM kit.replica WHERE kind = 'awards' AND id = ANY($1::text[])`,
  `DELETE FROM kit.replica WHERE kind = 'bid' AND facts::json ->> 'tenderId' = ANY($1::text[])`,
  END_WAITS_OF_VOID,
];

const copy = replicaSubscription({ ...tenderReplica, removeDependents }, 'documents--tenders');
const AppliedVersion = z.object({ id: z.string(), documentsVersion: z.int() });

/**
 * Keeps a copy of every tender: its status, owner, lots, complaints and cancellations. Ends the wait for the version of its
 * documents that the tenders service has applied. After a cancellation that erases the bids their documents are hidden, also when
 * they were opened at that moment (tenders.md 14, decision 0064).
 */
export function onTenderChanged({ documents }: Pick<Deps, 'documents'>): Subscription {
  return {
    ...copy,
    async apply(tx, events) {
      await copy.apply(tx, events);
      await endWaits(tx, reachedBy(events));
      const erasures = selectErasures(events);
      if (erasures.length > 0) await documents.eraseBids(tx, erasures);
    },
  };
}

/** The versions of documents that the tenders service has applied. */
function reachedBy(events: readonly Envelope[]): readonly FlowWait[] {
  return events
    .filter((event) => tenderReplica.types.some((type) => type === event.type))
    .map((event) => AppliedVersion.parse(event.data))
    .flatMap(({ id, documentsVersion }) =>
      documentsVersion === 0 ? [] : [{ flow: DOCUMENTS_FLOW, id, version: documentsVersion }],
    );
}

function selectErasures(events: readonly Envelope[]): readonly TenderTrigger[] {
  return events
    .filter((event) => event.type === 'tender.cancelled')
    .map((event) => ({ ...TenderCancelled.parse(event.data), correlationId: event.correlationid }))
    .filter(({ erasesBids }) => erasesBids)
    .map(({ id, correlationId }) => ({ tenderId: id, correlationId }));
}
