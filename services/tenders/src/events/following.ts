import type { Envelope } from '@procurement/contracts/events/envelope';
import type { Subscription } from '@procurement/kit/subscription';
import type { FactAbout, FactsStore } from '../store/facts.store.ts';

/**
 * A subscription whose events are facts about tenders. Those of one delivery are taken in one transaction, so the feed's lock
 * is entered once for all of them (rulings R7).
 */
export function following(
  facts: FactsStore,
  declaration: Pick<Subscription, 'stream' | 'durable' | 'filter'>,
  factOf: (event: Envelope) => FactAbout,
): Subscription {
  return {
    ...declaration,
    async apply(tx, events) {
      await facts.take(tx, events.map(factOf), events[0]?.correlationid ?? '');
    },
  };
}
