import type { JsonObject } from '@procurement/contracts/reading/json-object';

/** One request below the segment of the API. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly data?: JsonObject;
  /** Key of a POST: the service does it once for all requests with the same key and data. */
  readonly idempotencyKey?: string;
}

const FEED_FIELDS = 'status,auctionPeriod,lots,procurementMethodType,mode';
const FEED_LIMIT = 1_000;

/** A page of the feed: the first one when there is no offset. */
export function feedPage(offset: string | undefined): ServiceRequest {
  const query = new URLSearchParams({
    feed: 'changes',
    mode: '_all_',
    opt_fields: FEED_FIELDS,
    limit: String(FEED_LIMIT),
    ...(offset === undefined ? {} : { offset }),
  });
  return { method: 'GET', path: `/tenders?${query.toString()}` };
}

export const readTender = (id: string): ServiceRequest => ({ method: 'GET', path: `/tenders/${id}` });
export const readRecord = (id: string): ServiceRequest => ({ method: 'GET', path: `/tenders/${id}/auction` });
export const readClock = (id: string): ServiceRequest => ({ method: 'GET', path: `/sandbox/tenders/${id}/clock` });
export const moveClock = (id: string, data: JsonObject): ServiceRequest => ({
  method: 'POST',
  path: `/sandbox/tenders/${id}/clock`,
  data,
});
