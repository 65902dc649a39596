import type { Envelope } from '@procurement/contracts/events/envelope';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { replicaSubscription } from '@procurement/kit/messaging/replica';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import { endAwardingWaits } from '../store/awarding-waits.ts';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';

const HAVE_AWARDS = 'EXISTS (SELECT FROM awarding WHERE tender_id = ANY(:1::text[]))';

/**
 * Replica of all tenders: status, lots, terms, owner. Also recomputes the deadlines of their awards, which depend on the
 * tender's clock shift and status. Facts of tenders without awards are one statement.
 */
export function onTenderChanged(externalInputs: ExternalInputsStore): Subscription {
  const replica = replicaSubscription(tenderReplica, 'awards--tenders');
  return {
    ...replica,
    async apply(tx, events) {
      await replica.apply(tx, events);
      const newest = new Map<string, TenderFacts>();
      for (const event of events) {
        if (!isOfTender(event)) continue;
        const tender = TenderFacts.parse(event.data);
        if ((newest.get(tender.id)?.version ?? -1) < tender.version) newest.set(tender.id, tender);
      }
      if (newest.size === 0) return;
      await externalInputs.reschedule(tx, [...newest.values()]);
      await endAwardingWaits(tx, [...newest.values()]);
    },
    factsStatement: (events) => ({
      ...replica.factsStatement(events),
      name: 'tenders-without-awards',
      unless: { text: HAVE_AWARDS, values: [events.filter(isOfTender).map(({ subject }) => subject)] },
    }),
  };
}

function isOfTender({ type }: Envelope): boolean {
  return tenderReplica.types.some((one) => one === type);
}
