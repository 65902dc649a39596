import { bidEvents, type BidRegistered } from '@procurement/contracts/events/bid.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { BidEvent, BidState } from '../domain/bid.ts';
import { DELETED } from './bid.row.ts';

const EVENT_TYPES = {
  BidRegistered: 'bid.registered',
  BidChanged: 'bid.changed',
  BidWithdrawn: 'bid.withdrawn',
  BidOwnerChanged: 'bid.changed',
} as const satisfies Record<BidEvent['type'], keyof typeof bidEvents>;

/** The status of the row after an event: the bid's own, or deleted. */
export function statusAfter(event: BidEvent, { status }: BidState): string {
  return event.type === 'BidWithdrawn' ? DELETED : status;
}

/** The lots that a bid is about. */
export function lotsOf({ document }: BidState): readonly string[] {
  return (document.lotValues ?? []).map((lotValue) => lotValue.relatedLot);
}

/** The published event. */
export function bidEventRow(
  outbox: Outbox,
  event: BidEvent,
  bid: BidState,
  cause: { readonly at: Instant; readonly correlationId: string },
): OutboxRow {
  const { id, tenderId, version, owner, ownerTokenHash } = bid;
  // Nothing of what a sealed bid offers: that it exists, its owner, its lots.
  const status = statusAfter(event, bid);
  const data: BidRegistered = { id, tenderId, version, status, owner, ownerTokenHash, lots: [...lotsOf(bid)] };
  const type = EVENT_TYPES[event.type];
  const newEvent = { type, schema: bidEvents[type].schema, subjectId: tenderId, version, data };
  const { at, correlationId } = cause;
  return outbox.row({ ...newEvent, time: formatServerDate(at), correlationId });
}
