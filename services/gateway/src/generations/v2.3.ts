import { formatServerDate, type Instant } from '@procurement/contracts/instant';
import { toJsonText } from '@procurement/contracts/json-text';
import { localDocuments, mayHoldAddresses, withLocalDocuments, type Addresses } from './addresses.ts';
import { isObject, type AnswerContext, type Codec, type JsonObject } from './codec.ts';
import { localFeedPage } from './feed-page.ts';
import { resourceOf } from './resource.ts';
import { shownAward } from './v2.3.awards.ts';
import { readBid, shownBid } from './v2.3.bids.ts';
import { bidErrors } from './v2.3.errors.ts';

/** `seconds.fraction`, as segment 2.5 writes a place in the feed. */
const SECONDS = /^(\d{9,11})\.(\d{6})$/;

/**
 * Segment 2.3: tenders as in 2.5; parties, bid statuses and awards in the shapes of the interface document; offsets of
 * the feed as ISO timestamps. Most tenders need no change at all, which is seen without parsing them.
 */
export function codec23(addresses: Addresses): Codec {
  return {
    segment: '2.3',
    passesBody: (route) => resourceOf(route) !== 'bid',
    request: (route, data) =>
      resourceOf(route) === 'bid' ? readBid(data, route.method === 'POST' ? 'create' : 'change') : { data },
    passThrough: () => false,
    response: (answer, text) => {
      if (answer.status >= 400) return resourceOf(answer.route) === 'bid' ? bidRefusal(text) : text;
      switch (resourceOf(answer.route)) {
        case 'feed':
          return feedPage(answer, text, addresses);
        case 'tender':
          return tenderNeedsChange(text, addresses) ? mapped(text, (data) => shownTender(data, addresses)) : text;
        case 'bid':
          return mapped(text, (data) => listOrOne(data, (bid) => withLocalDocuments(shownBid(bid), addresses)));
        case 'award':
          return mapped(text, (data) => listOrOne(data, (award) => withLocalDocuments(shownAward(award), addresses)));
        case 'document':
          return mayHoldAddresses(text, addresses) ? mapped(text, (data) => localDocuments(data, addresses)) : text;
        case 'other':
          return mayHoldAddresses(text, addresses) ? mapped(text, (data) => withLocalDocuments(data, addresses)) : text;
      }
    },
  };
}

/**
 * Services write compact JSON, so these texts occur exactly when the member does: inside a string their quotes would be
 * escaped. Costs 2 µs for a tender of 6 kB, against 70 µs for reading and writing it.
 */
function tenderNeedsChange(text: string, addresses: Addresses): boolean {
  return text.includes('"bids":[') || text.includes('"awards":[') || mayHoldAddresses(text, addresses);
}

function shownTender(tender: unknown, addresses: Addresses): unknown {
  if (!isObject(tender)) return tender;
  const shown: Record<string, unknown> = { ...tender };
  if (Array.isArray(tender['bids'])) shown['bids'] = tender['bids'].map(shownBid);
  if (Array.isArray(tender['awards'])) shown['awards'] = tender['awards'].map(shownAward);
  return withLocalDocuments(shown, addresses);
}

/** An offset that repeats what the client sent stays as sent; one that a service wrote becomes the same instant in ISO. */
function feedPage({ query }: AnswerContext, text: string, addresses: Addresses): string {
  const sent = new URLSearchParams(query).getAll('offset').at(-1);
  const offset = (given: string): string => (given === sent ? given : isoOffset(given));
  const rows = (list: string): string => {
    if (!tenderNeedsChange(list, addresses)) return list;
    return toJsonText((JSON.parse(list) as unknown[]).map((row) => shownTender(row, addresses)));
  };
  return localFeedPage(text, addresses, offset, rows);
}

function isoOffset(given: string): string {
  const match = SECONDS.exec(given);
  // Whole microseconds since 1970: what an Instant is.
  return match === null ? given : formatServerDate(Number(`${match[1]}${match[2]}`) as Instant);
}

function mapped(text: string, map: (data: unknown) => unknown): string {
  const root: unknown = JSON.parse(text);
  return isObject(root) && 'data' in root ? toJsonText({ ...root, data: map(root['data']) }) : text;
}

function listOrOne(data: unknown, map: (one: unknown) => unknown): unknown {
  return Array.isArray(data) ? data.map(map) : map(data);
}

function bidRefusal(text: string): string {
  if (!text.includes('"tenderers"')) return text;
  const root: unknown = JSON.parse(text);
  return isObject(root) ? JSON.stringify({ ...root, errors: bidErrors(root['errors']) } satisfies JsonObject) : text;
}
