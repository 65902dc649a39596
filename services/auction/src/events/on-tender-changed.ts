import type { Envelope } from '@procurement/contracts/events/envelope';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicate } from '@procurement/kit/replica';
import type { Subscription } from '@procurement/kit/subscription';
import type { Planning } from '../deps.ts';
import { planAuctions, type TenderNews } from './plan-auctions.ts';
import { scheduleSpecialModes } from './schedule-special-modes.ts';

const copy = replicate(tenderReplica, 'auction--tenders');

/**
 * Every tender as the auction must know it: periods, lots, steps, features; a start for each that needs one, and what is to be done
 * for those that nobody auctions.
 */
export function onTenderChanged(deps: Planning): Subscription {
  return {
    ...copy,
    async apply(tx, events) {
      await copy.apply(tx, events);
      const news = newsOf(events);
      await planAuctions(deps, tx, news);
      await scheduleSpecialModes(deps, tx, news);
    },
  };
}

/** The newest facts of each tender, in the order in which tenders are first heard of. */
function newsOf(events: readonly Envelope[]): readonly TenderNews[] {
  const news = new Map<string, TenderNews>();
  const types: readonly string[] = tenderReplica.types;
  for (const event of events) {
    if (!types.includes(event.type)) continue;
    const facts = tenderReplica.schema.parse(event.data);
    const known = news.get(facts.id);
    if (known !== undefined && known.facts.version >= facts.version) continue;
    news.set(facts.id, { facts, requestId: event.correlationid });
  }
  return [...news.values()];
}
