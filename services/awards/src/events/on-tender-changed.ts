import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { replicate } from '@procurement/kit/replica';
import type { Subscription } from '@procurement/kit/subscription';
import type { FactsStore } from '../store/facts.store.ts';

/**
 * Every tender as awards must know it: status, lots, terms, owner. With it changes when the clock has to act for its awards:
 * its own time may have been moved, it may be over.
 */
export function onTenderChanged(facts: FactsStore): Subscription {
  const copy = replicate(tenderReplica, 'awards--tenders');
  return {
    ...copy,
    async apply(tx, events) {
      await copy.apply(tx, events);
      const newest = new Map<string, TenderFacts>();
      for (const event of events) {
        if (!tenderReplica.types.some((type) => type === event.type)) continue;
        const tender = TenderFacts.parse(event.data);
        if ((newest.get(tender.id)?.version ?? -1) < tender.version) newest.set(tender.id, tender);
      }
      if (newest.size > 0) await facts.retime(tx, [...newest.values()]);
    },
  };
}
