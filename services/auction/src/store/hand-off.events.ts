import {
  auctionEvents,
  type AuctionFinished,
  type AuctionUrlsPublished,
} from '@procurement/contracts/events/auction.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { HandOffEvent } from '../domain/hand-off.ts';

export interface HandOffEventContext {
  readonly tenderId: string;
  /** Version of the fact (`nextFactVersions`). */
  readonly version: number;
  /** Real time, not the tender's sandbox-shifted time. */
  readonly now: Instant;
  readonly requestId: string;
}

/**
 * The outbox row of an event, without amounts and links of bidders. A publication of addresses waits for acks, so that bidders
 * find their links when it is answered. A report of results waits for the view of the tender instead (`awaitOutcome`).
 */
export function handOffRow(
  outbox: Outbox,
  event: HandOffEvent,
  { tenderId, version, now, requestId }: HandOffEventContext,
): OutboxRow {
  const head = {
    subjectId: tenderId,
    version,
    time: formatServerDate(now),
    correlationId: requestId,
  };
  if (event.type === 'AddressesPublished') {
    const { lot, auctionUrl } = event;
    const data: AuctionUrlsPublished = {
      id: tenderId,
      ...(lot === undefined ? {} : { lot }),
      ...(auctionUrl === undefined ? {} : { auctionUrl }),
      version,
    };
    const type = 'auction.urls-published';
    return outbox.row({ ...head, type, schema: auctionEvents[type].schema, data }, { awaitsApplied: true });
  }
  const { lot } = event.results;
  const data: AuctionFinished = { id: tenderId, ...(lot === undefined ? {} : { lot }), at: event.at, version };
  const type = 'auction.finished';
  return outbox.row({ ...head, type, schema: auctionEvents[type].schema, data });
}
