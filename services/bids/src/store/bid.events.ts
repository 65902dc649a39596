import { bidEvents, type BidRegistered as BidRegisteredData } from '@procurement/contracts/events/bid.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type { BidEvent, BidState } from '../domain/bid.ts';
import { DELETED } from './bid.row.ts';

const EVENT_TYPES = {
  BidRegistered: 'bid.registered',
  BidChanged: 'bid.changed',
  BidWithdrawn: 'bid.withdrawn',
} as const satisfies Record<BidEvent['type'], keyof typeof bidEvents>;

/** The status of the row after an event: the bid's own, or deleted. */
export function statusAfter(event: BidEvent, { document }: BidState): string {
  return event.type === 'BidWithdrawn' ? DELETED : document.status;
}

/** The published event, without what a sealed bid offers: that the bid exists, its owner, its lots. */
export function bidEventRow(
  outbox: Outbox,
  event: BidEvent,
  bid: BidState,
  cause: { readonly at: Instant; readonly correlationId: string },
): OutboxRow {
  const { id, tenderId, version, owner, ownerTokenHash, document } = bid;
  const lots = (document.lotValues ?? []).map((lotValue) => lotValue.relatedLot);
  const data: BidRegisteredData = {
    id,
    tenderId,
    version,
    status: statusAfter(event, bid),
    owner,
    ownerTokenHash,
    lots,
  };
  const type = EVENT_TYPES[event.type];
  const newEvent = { type, schema: bidEvents[type].schema, subjectId: tenderId, version, data };
  const { at, correlationId } = cause;
  return outbox.row({ ...newEvent, time: formatServerDate(at), correlationId });
}
