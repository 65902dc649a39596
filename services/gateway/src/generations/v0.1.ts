import type { RouteContract } from '@procurement/contracts/api/route';
import { invalid, type Problem } from '@procurement/contracts/problems';
import { withLocalDocuments, type Addresses } from './addresses.ts';
import { readBidStatus } from './bid-status.ts';
import {
  isObject,
  type AnswerContext,
  type Codec,
  type EarlyGeneration,
  type JsonObject,
  type RequestContext,
  type RequestReading,
} from './codec.ts';
import { answerOf, each, inForm, type Form } from './forms.ts';
import { mergeDiff } from './merge-diff.ts';
import { resourceOf, type Resource } from './resource.ts';
import { earlyErrors } from './v0.1.errors.ts';
import { canonicalFeedQuery, earlyFeedPage } from './v0.1.feed.ts';
import { earlyForm } from './v0.1.show.ts';
import { spelled } from './v0.1.spell.ts';
import type { TypeName } from './v0.1.tables.ts';
import { changedTender, withoutServed } from './v0.1.tender.ts';
import { changedObject, type Change } from './v0.1.write.ts';

/** Type of what the routes of a resource carry. */
const TYPES: Readonly<Partial<Record<Resource, TypeName>>> = {
  tender: 'Tender',
  bid: 'Bid',
  award: 'Award',
  auction: 'Auction',
  document: 'Document',
};

/** How answers of a resource are shown: objects, and lists of them. */
function formsOf(early: EarlyGeneration): Readonly<Record<string, Form>> {
  return Object.fromEntries(
    Object.entries(TYPES).map(([resource, type]) => [resource, answerOf(each(earlyForm(type, early)))]),
  );
}

const FORMS = { middle: formsOf('middle'), earliest: formsOf('earliest') } as const;

/** Codec of segment 0.1, with its two generations; which of them answers is chosen per request (v0.1.choice.ts). */
export function codec01(addresses: Addresses, early: EarlyGeneration = 'middle'): Codec {
  return {
    segment: '0.1',
    passesBody: (route) => requestType(route) === undefined,
    needsStored: (route, data) => needsStored(route, data, early),
    request: (route, data, context) => {
      const type = requestType(route);
      return type === undefined
        ? { data }
        : read(type, changeOf(route), data, { ...context, early: context.early ?? early });
    },
    query: (route, query, chosen = early) => (resourceOf(route) === 'feed' ? canonicalFeedQuery(query, chosen) : query),
    passThrough: () => false,
    response: (answer, text) =>
      answer.status >= 400
        ? refusal(answer, text, answer.early ?? early)
        : shown(answer, withLocalDocuments(text, addresses), answer.early ?? early, addresses),
  };
}

/** Records of documents are the same in requests; everything else is read. */
function requestType(route: RouteContract): TypeName | undefined {
  const resource = resourceOf(route);
  return resource === 'document' ? undefined : TYPES[resource];
}

function changeOf({ method }: RouteContract): Change {
  if (method === 'POST') return 'create';
  return method === 'PUT' ? 'put' : 'patch';
}

/** Every change of a tender; of a bid when parties are in it, or when a conflict can be settled by what is stored. */
function needsStored(route: RouteContract, data: JsonObject, early: EarlyGeneration): boolean {
  const [type, change] = [requestType(route), changeOf(route)];
  if (change === 'create' || type === undefined || type === 'Auction') return false;
  if (type === 'Tender') return true;
  const spelling = spelled(type, data, { early });
  return 'faults' in spelling || Object.hasOwn(spelling.value, 'tenderers');
}

function read(type: TypeName, change: Change, data: JsonObject, context: RequestContext): RequestReading {
  const { early = 'middle', stored } = context;
  const spelling = spelled(type, data, { early, stored });
  if ('faults' in spelling) return { refused: refused(spelling.faults) };
  const { value } = spelling;
  if (type === 'Tender') return { data: tenderWish(change, value, context) };
  if (type === 'Auction') return { data: changedObject(type, 'create', undefined, value, 'top') };
  const wish = type === 'Bid' ? withStatus(value, change) : { data: value };
  if ('refused' in wish) return wish;
  const next = changedObject(type, change, stored, wish.data, 'top');
  return { data: stored === undefined ? next : mergeDiff(stored, next) };
}

/** A creation and a PUT are sent whole; a PATCH as what makes the stored tender the one that was wished. */
function tenderWish(change: Change, sent: JsonObject, context: RequestContext): JsonObject {
  const next = changedTender(change, sent, context);
  if (change === 'put') return withoutServed(next);
  return change === 'patch' && context.stored !== undefined ? mergeDiff(context.stored, next) : next;
}

function withStatus(bid: JsonObject, change: Change): RequestReading {
  if (!Object.hasOwn(bid, 'status')) return { data: bid };
  const { status, ...rest } = bid;
  const reading = readBidStatus(status, change === 'create' ? 'create' : 'change', 'without-drafts');
  if (reading.kind === 'refused') return { refused: refused({ status: [reading.message] }) };
  return { data: reading.kind === 'drop' ? rest : { ...rest, status: reading.status } };
}

function refused(faults: Readonly<Record<string, Problem['errors'][number]['description']>>): Problem {
  return invalid(Object.entries(faults).map(([name, description]) => ({ location: 'body', name, description })));
}

function shown({ route, query }: AnswerContext, text: string, early: EarlyGeneration, addresses: Addresses): string {
  const resource = resourceOf(route);
  if (resource === 'feed') return earlyFeedPage(text, addresses, early, query);
  const form = FORMS[early][resource];
  return form === undefined ? text : inForm(text, form);
}

function refusal({ route, sent }: AnswerContext, text: string, early: EarlyGeneration): string {
  const type = TYPES[resourceOf(route)];
  if (type === undefined || !text.includes('"body"')) return text;
  const root: unknown = JSON.parse(text);
  return isObject(root)
    ? JSON.stringify({ ...root, errors: earlyErrors(root['errors'], { type, early, sent }) })
    : text;
}
