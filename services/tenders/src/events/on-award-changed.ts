import { streams } from '@procurement/contracts/events/subjects';
import { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Replaces all awards and contracts of a tender, which may change its status (tenders.md 8.2). */
export function onAwardChanged(externalInputs: ExternalInputsStore): Subscription {
  const filter = 'awards.award-changed.*';
  const declaration = { stream: streams.awards, durable: 'tenders--awards', filter, factType: 'award.changed' };
  return externalInputSubscription(externalInputs, declaration, (event) => {
    const awards = AwardFacts.parse(event.data);
    return { id: awards.id, input: { type: 'ReplaceAwards', facts: awards } };
  });
}
