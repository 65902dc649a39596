import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { endWaits } from '@procurement/kit/messaging/flow-waits';
import { replicaSubscription } from '@procurement/kit/messaging/replica';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import { z } from 'zod';
import { DOCUMENTS_FLOW } from '../store/documents-changed.ts';

const replica = replicaSubscription(tenderReplica, 'documents--tenders');
const AppliedVersion = z.object({ id: z.string(), documentsVersion: z.int().optional() });

/**
 * Keeps a copy of every tender: its status, owner, lots, complaints and cancellations. Ends the wait for the version of its
 * documents that the tenders service has applied.
 */
export const onTenderChanged: Subscription = {
  ...replica,
  async apply(tx, events) {
    await replica.apply(tx, events);
    const reached = events
      .filter((event) => tenderReplica.types.some((type) => type === event.type))
      .map((event) => AppliedVersion.parse(event.data))
      .flatMap(({ id, documentsVersion = 0 }) =>
        documentsVersion === 0 ? [] : [{ flow: DOCUMENTS_FLOW, id, version: documentsVersion }],
      );
    await endWaits(tx, reached);
  },
};
