import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { replicaSubscription } from '@procurement/kit/messaging/replica';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';

/**
 * Every tender as awards must know it: status, lots, terms, owner. With it changes when the clock has to act for its awards:
 * its own time may have been moved, it may be over.
 */
export function onTenderChanged(externalInputs: ExternalInputsStore): Subscription {
  const replica = replicaSubscription(tenderReplica, 'awards--tenders');
  return {
    ...replica,
    async apply(tx, events) {
      await replica.apply(tx, events);
      const newest = new Map<string, TenderFacts>();
      for (const event of events) {
        if (!tenderReplica.types.some((type) => type === event.type)) continue;
        const tender = TenderFacts.parse(event.data);
        if ((newest.get(tender.id)?.version ?? -1) < tender.version) newest.set(tender.id, tender);
      }
      if (newest.size > 0) await externalInputs.reschedule(tx, [...newest.values()]);
    },
  };
}
