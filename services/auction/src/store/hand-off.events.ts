import {
  auctionEvents,
  type AuctionFinished,
  type AuctionUrlsPublished,
} from '@procurement/contracts/events/auction.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type { HandOffEvent } from '../domain/hand-off.ts';

export interface HandOffEventContext {
  readonly tender: TenderFacts;
  /** Of everybody's clock. */
  readonly now: Instant;
  readonly requestId: string;
}

/**
 * What others are told: never an amount, nor a link of a bidder. Addresses ask to be settled, so that a bidder who is told
 * where to go finds it; of results the writer waits for what becomes of them.
 */
export function handOffRow(
  outbox: Outbox,
  event: HandOffEvent,
  { tender, now, requestId }: HandOffEventContext,
): OutboxRow {
  const about = {
    subjectId: tender.id,
    // Of the tender that was judged: its newer facts tell what became of it.
    version: tender.version,
    time: formatServerDate(now),
    correlationId: requestId,
  };
  if (event.type === 'AddressesPublished') {
    const { lot, auctionUrl } = event;
    const data: AuctionUrlsPublished = {
      id: tender.id,
      ...(lot === undefined ? {} : { lot }),
      ...(auctionUrl === undefined ? {} : { auctionUrl }),
    };
    const type = 'auction.urls-published';
    return outbox.row({ ...about, type, schema: auctionEvents[type].schema, data }, { awaitsApplied: true });
  }
  const { lot } = event.results;
  const data: AuctionFinished = { id: tender.id, ...(lot === undefined ? {} : { lot }), at: event.at };
  const type = 'auction.finished';
  return outbox.row({ ...about, type, schema: auctionEvents[type].schema, data });
}
