import { streams } from '@procurement/contracts/events/subjects';
import { QualificationDue } from '@procurement/contracts/events/tender.events';
import type { Subscription } from '@procurement/kit/subscription';
import type { Deps } from '../deps.ts';
import { causesOf } from './causes.ts';

/** Nothing is left to be auctioned: bids are opened, and told as anyone sees them from here on (handshake 2). */
export function onQualificationDue({ bidding }: Pick<Deps, 'bidding'>): Subscription {
  return {
    stream: streams.tenders,
    durable: 'bids--qualification-due',
    filter: 'tenders.tender-qualification-due.*',
    apply: async (tx, events) => bidding.open(tx, causesOf(events, 'tender.qualification-due', QualificationDue)),
  };
}
