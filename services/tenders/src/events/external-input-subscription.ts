import type { Envelope } from '@procurement/contracts/events/envelope';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { TenderExternalInput, ExternalInputsStore } from '../store/external-inputs.store.ts';

/**
 * A subscription whose events are facts about tenders. Those of one delivery are taken in one transaction, so the feed's lock
 * is entered once for all of them (rulings R7).
 */
export function externalInputSubscription(
  externalInputs: ExternalInputsStore,
  declaration: Pick<Subscription, 'stream' | 'durable' | 'filter'>,
  inputOf: (event: Envelope) => TenderExternalInput,
): Subscription {
  return {
    ...declaration,
    async apply(tx, events) {
      await externalInputs.apply(tx, events.map(inputOf), events[0]?.correlationid ?? '');
    },
  };
}
