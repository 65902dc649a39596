import type { Envelope } from '@procurement/contracts/events/envelope';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import { END_WAITS_OF_VOID } from '@procurement/kit/messaging/request/flow-waits';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { endAwardingWaits } from '../store/awarding-waits.ts';

/** Awards and contracts of a tender that its owner has lost are void, with the copies that belong to it. */
const removeDependents = [
  ...['contract_feed', 'contract_view'].map(
    (table) => `DELETE FROM ${table} WHERE contract_id IN
      (SELECT contract_id FROM contract_place WHERE tender_id = ANY($1::text[]))`,
  ),
  ...['awarding', 'contract_place'].map((table) => `DELETE FROM ${table} WHERE tender_id = ANY($1::text[])`),
  `DELETE FROM kit.replica WHERE kind = 'documents' AND id = ANY($1::text[])`,
  `DELETE FROM kit.replica WHERE kind = 'bid' AND facts::json ->> 'tenderId' = ANY($1::text[])`,
  END_WAITS_OF_VOID,
];

/**
 * Replica of all tenders: status, lots, terms, owner. Also recomputes the deadlines of their awards, which depend on the
 * tender's clock shift and status, and publishes their contracts when the owner is another one.
 */
export function onTenderChanged({
  externalInputs,
  contracts,
}: Pick<Deps, 'externalInputs' | 'contracts'>): Subscription {
  const replica = replicaSubscription({ ...tenderReplica, removeDependents }, 'awards--tenders');
  return {
    ...replica,
    rowBytes: async (tenderIds) => externalInputs.rowBytes(tenderIds),
    async apply(tx, events) {
      await replica.apply(tx, events);
      const newest = new Map<string, TenderFacts>();
      for (const event of events) {
        if (!isOfTender(event)) continue;
        const tender = TenderFacts.parse(event.data);
        if ((newest.get(tender.id)?.version ?? -1) < tender.version) newest.set(tender.id, tender);
      }
      if (newest.size === 0) return;
      const locked = await externalInputs.reschedule(tx, [...newest.values()]);
      await endAwardingWaits(tx, [...newest.values()]);
      await contracts.publishOwners(tx, locked);
    },
  };
}

function isOfTender({ type }: Envelope): boolean {
  return tenderReplica.types.some((one) => one === type);
}
