import type { Envelope } from '@procurement/contracts/events/envelope';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { TenderExternalInput, ExternalInputsStore } from '../store/external-inputs.store.ts';

/**
 * A subscription whose events are inputs of tenders. All events of one delivery are applied in one transaction, so the lock of
 * the feed is taken once for all of them (rulings R7).
 */
export function externalInputSubscription(
  externalInputs: ExternalInputsStore,
  declaration: Pick<Subscription, 'stream' | 'durable' | 'filter' | 'factType'>,
  inputOf: (event: Envelope) => TenderExternalInput,
): Subscription {
  return {
    ...declaration,
    rowBytes: async (ids) => externalInputs.rowBytes(ids),
    async apply(tx, events) {
      await externalInputs.apply(tx, events.map(inputOf), events[0]?.correlationid ?? '');
    },
  };
}
