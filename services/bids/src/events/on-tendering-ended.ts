import { streams } from '@procurement/contracts/events/subjects';
import { TenderingEnded } from '@procurement/contracts/events/tender.events';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { awaitTenderingEnd } from './await-tendering-end.ts';
import { triggeringEvents } from './triggering-events.ts';

/**
 * The tendering period ended: closes the bidding and publishes the sealed sets in one transaction (architecture.md,
 * handshake 1), never before the end by the clock of this service. A repeated event gets the same answer again.
 */
export function onTenderingEnded(deps: Pick<Deps, 'bidding' | 'bus' | 'clock'>): Subscription {
  return {
    stream: streams.tenders,
    durable: 'bids--tendering-ended',
    filter: 'tenders.tender-tendering-ended.*',
    async apply(tx, events) {
      const triggers = triggeringEvents(events, 'tender.tendering-ended', TenderingEnded);
      // Before the locks of `seal`, so that bids are accepted meanwhile.
      const ended = await awaitTenderingEnd(
        deps,
        triggers.map((trigger) => ({ ...trigger, ...trigger.data })),
      );
      await deps.bidding.seal(
        tx,
        ended.map(({ period, end, clockShift }) => ({ ...period, end, clockShift })),
      );
    },
  };
}
