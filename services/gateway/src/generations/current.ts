import type { RouteContract, Segment } from '@procurement/contracts/api/route';
import { withLocalDocuments, type Addresses } from './addresses.ts';
import type { Drafts } from './bid-status.ts';
import { isObject, type AnswerContext, type Codec, type JsonObject, type RequestContext } from './codec.ts';
import { answerOf, dropped, each, inForm, kept, object, shownIn, type Form } from './forms.ts';
import { localFeedPage } from './feed-page.ts';
import { resourceOf, type Resource } from './resource.ts';
import { DEFAULTS_ON_0, withDefaults } from './tender-defaults.ts';
import { replacedOn0 } from './v0.tender.ts';
import { IN_PART, readAuction } from './v2.3.auction.ts';
import { awardForm, awardNeedsStored, readAward } from './v2.3.awards.ts';
import { bidForm, bidNeedsStored, readBid } from './v2.3.bids.ts';
import { currentErrors } from './v2.3.errors.ts';

/** What tells segments 2.3 and 0 apart: the one is the other with less of a tender. */
export interface CurrentGeneration {
  readonly segment: Segment;
  /** Top-level members of a tender that are not shown. */
  readonly hidden: ReadonlySet<string>;
  readonly drafts: Drafts;
  /** Whether requests about tenders are read: defaults on creation, and what is not shown kept on PUT. */
  readonly readsTenders: boolean;
}

/**
 * Codec of a segment with tenders as in 2.5: parties, bid statuses, awards and auction records in the shapes of the interface
 * document; offsets of the feed as ISO timestamps.
 */
export function currentCodec(generation: CurrentGeneration, addresses: Addresses): Codec {
  const reads = new Set<Resource>(['bid', 'award', 'auction']);
  const forms = formsOf(generation);
  return {
    segment: generation.segment,
    passesBody: (route) => !reads.has(resourceOf(route)) && !readsTender(generation, route),
    needsStored: (route, data) => needsStored(generation, route, data),
    request: (route, data, context) => {
      const [created, resource] = [route.method === 'POST', resourceOf(route)];
      const { stored } = context;
      const on = created ? 'create' : 'change';
      if (resource === 'bid') return readBid(data, { on, drafts: generation.drafts, stored });
      if (resource === 'award') return readAward(data, { scheme: created, stored });
      if (resource === 'auction') return readAuction(data);
      return { data: readsTender(generation, route) ? readTender(data, context) : data };
    },
    query: (_route, query) => query,
    passThrough: () => false,
    response: (answer, text) =>
      answer.status >= 400
        ? refusal(generation, answer, text)
        : shown(forms, addresses, answer, withLocalDocuments(text, addresses)),
  };
}

function readsTender({ readsTenders }: CurrentGeneration, route: RouteContract): boolean {
  return readsTenders && resourceOf(route) === 'tender' && (route.method === 'POST' || route.method === 'PUT');
}

function needsStored(generation: CurrentGeneration, route: RouteContract, data: JsonObject): boolean {
  if (route.method === 'PUT') return readsTender(generation, route);
  if (route.method !== 'PATCH') return false;
  const resource = resourceOf(route);
  return (resource === 'bid' && bidNeedsStored(data)) || (resource === 'award' && awardNeedsStored(data));
}

/**
 * Decision: a PUT on segment 0 that leaves out what need not be sent there (title, kind, minimalStep) gets the defaults of a
 * creation, because the settled model cannot be without them.
 */
function readTender(data: JsonObject, { stored, now }: RequestContext): JsonObject {
  return withDefaults(DEFAULTS_ON_0, {}, stored === undefined ? data : replacedOn0(stored, data), now);
}

/** How answers are shown, by what they hold: what a form does not name stays the text that it is. */
type Forms = Readonly<Record<'tender' | 'bid' | 'award' | 'auction', Form>>;

function formsOf({ hidden, drafts }: CurrentGeneration): Forms {
  const without = Object.fromEntries([...hidden].map((name) => [name, dropped]));
  const bid = bidForm(drafts);
  return {
    tender: object({ ...without, bids: shownIn(each(bid)), awards: shownIn(each(awardForm)) }, kept),
    bid: each(bid),
    award: each(awardForm),
    auction: object({ ...without, ...IN_PART }, kept),
  };
}

function shown(forms: Forms, addresses: Addresses, { route, query }: AnswerContext, text: string): string {
  const resource = resourceOf(route);
  if (resource === 'feed') {
    // Rows hold more than id and date only when the client asks for it.
    const hasMore = new URLSearchParams(query).has('opt_fields');
    const rows = (list: string): string => (hasMore ? inForm(list, each(forms.tender)) : list);
    return localFeedPage(text, addresses, { query, rows });
  }
  return resource === 'document' || resource === 'other' ? text : inForm(text, answerOf(forms[resource]));
}

/** Refusals about the body are few and short: those that can need other names are read. */
function refusal({ hidden }: CurrentGeneration, { route, sent }: AnswerContext, text: string): string {
  const resource = resourceOf(route);
  const canDiffer = resource === 'bid' || resource === 'award' || (resource === 'tender' && hidden.size > 0);
  if (!canDiffer || !text.includes('"body"')) return text;
  const root: unknown = JSON.parse(text);
  if (!isObject(root)) return text;
  return JSON.stringify({ ...root, errors: currentErrors(root['errors'], { resource, hidden, sent }) });
}
