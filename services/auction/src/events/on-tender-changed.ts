import type { Envelope } from '@procurement/contracts/events/envelope';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import { END_WAITS_OF_VOID } from '@procurement/kit/messaging/request/flow-waits';
import type { PlanningDeps } from '../deps.ts';
import { planAuctions, type TenderUpdate } from './plan-auctions.ts';
import { scheduleSpecialModes } from './schedule-special-modes.ts';

const TABLES = ['auction_slot', 'auction_version', 'auction_address', 'auction_result', 'auction_task'] as const;
/** Auctions of a tender that its owner has lost are void. */
const removeDependents = [
  ...TABLES.map((table) => `DELETE FROM ${table} WHERE tender_id = ANY($1::text[])`),
  END_WAITS_OF_VOID,
];

const tenderReplicaSubscription = replicaSubscription({ ...tenderReplica, removeDependents }, 'auction--tenders');

/**
 * Replica of all tenders. In the same transaction it plans their auctions and schedules the tasks of special modes.
 */
export function onTenderChanged(deps: PlanningDeps): Subscription {
  return {
    ...tenderReplicaSubscription,
    async apply(tx, events) {
      await tenderReplicaSubscription.apply(tx, events);
      const updates = newestUpdates(events);
      await planAuctions(deps, tx, updates);
      await scheduleSpecialModes(deps, tx, updates);
    },
  };
}

/** The newest facts of each tender, in order of the first event of each tender. */
function newestUpdates(events: readonly Envelope[]): readonly TenderUpdate[] {
  const updates = new Map<string, TenderUpdate>();
  const types: readonly string[] = tenderReplica.types;
  for (const event of events) {
    if (!types.includes(event.type)) continue;
    const facts = tenderReplica.schema.parse(event.data);
    const newest = updates.get(facts.id);
    if (newest !== undefined && newest.facts.version >= facts.version) continue;
    updates.set(facts.id, { facts, requestId: event.correlationid });
  }
  return [...updates.values()];
}
