import type { RouteContract } from '@procurement/contracts/api/route';
import { rewriteDocuments } from './document-members.ts';
import type { SegmentUrlBase } from './segment-urls.ts';
import type { DraftSupport } from './bid-status.ts';
import { isEncodableRefusal } from './bounds.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { EncodeContext, Codec, DecodeContext } from './codec.ts';
import { makeEncoder } from './encode-for-2.3-and-0.ts';
import { rewriteData, rewriteEach, rewriteJson, type ValueRewriter } from '../json/json-rewriter.ts';
import { rewriteFeedPage } from './feed-page.ts';
import { hiddenMembers, type Segment23Or0 } from './member-table-for-2.3-and-0.ts';
import { resourceOf, responseResourceOf, type Resource } from './resource.ts';
import { minimalStep, withDefaults, type DefaultRule } from './tender-defaults.ts';
import { replaceTender } from './replace-tender.ts';
import { auctionEncoder, decodeAuction } from './v2.3/auction.ts';
import { awardEncoder, awardNeedsStored, decodeAward } from './v2.3/awards.ts';
import { contractEncoder } from './v2.3/contracts.ts';
import { bidEncoder, bidNeedsStored, decodeBid } from './v2.3/bids.ts';
import { encodeErrors23And0 } from './v2.3/errors.ts';

/** The differences between segments 2.3 and 0, beside those of the member table. */
export interface CodecOptions {
  readonly segment: Segment23Or0;
  readonly drafts: DraftSupport;
  /** Defaults of a tender that a creation or PUT leaves out. */
  readonly tenderDefaults: readonly DefaultRule[];
}

/**
 * Codec of segments 2.3 and 0: parties, bid statuses, awards and auction records take the shapes of the interface
 * document; feed offsets are ISO timestamps.
 */
export function codecFor23And0(options: CodecOptions, urlBase: SegmentUrlBase): Codec {
  const decodedResources = new Set<Resource>(['bid', 'award', 'auction']);
  const encoders = makeEncoders(options);
  return {
    segment: options.segment,
    passesRequestThrough: (route) => !decodedResources.has(resourceOf(route)) && !decodesTender(options, route),
    needsStored: (route, data) => needsStored(options, route, data),
    decodeRequest: (route, data, context) => {
      const [isCreate, resource] = [route.method === 'POST', resourceOf(route)];
      const { stored } = context;
      const operation = isCreate ? 'create' : 'change';
      if (resource === 'bid') return decodeBid(data, { operation, drafts: options.drafts, stored });
      if (resource === 'award') return decodeAward(data, { fillScheme: isCreate, stored });
      if (resource === 'auction') return decodeAuction(data);
      return { data: decodesTender(options, route) ? decodeTender(options, data, context) : data };
    },
    decodeQuery: (_route, query) => query,
    passesResponseThrough: () => false,
    encodeResponse: (context, text) =>
      context.status >= 400
        ? encodeRefusal(options, context, text)
        : encodeData(encoders, urlBase, context, rewriteDocuments(text, urlBase)),
  };
}

/** A PUT keeps hidden members; a creation gets defaults, if there are any. */
function decodesTender({ tenderDefaults }: CodecOptions, route: RouteContract): boolean {
  if (resourceOf(route) !== 'tender') return false;
  return route.method === 'PUT' || (route.method === 'POST' && tenderDefaults.length > 0);
}

function needsStored(options: CodecOptions, route: RouteContract, data: JsonObject): boolean {
  if (route.method === 'PUT') return decodesTender(options, route);
  if (route.method !== 'PATCH') return false;
  const resource = resourceOf(route);
  return (resource === 'bid' && bidNeedsStored(data)) || (resource === 'award' && awardNeedsStored(data));
}

/**
 * Decision: a PUT on segment 0 that leaves out an optional title, kind or minimalStep gets the defaults of a creation,
 * because the canonical model requires them (generations.md 5.4).
 */
function decodeTender(
  { segment, tenderDefaults }: CodecOptions,
  data: JsonObject,
  { stored, now }: DecodeContext,
): JsonObject {
  if (stored === undefined) return withDefaults(tenderDefaults, {}, data, now);
  // A tender without auction shows no method of submission, and has no step (rulings R44).
  const hasAuction = stored['submissionMethod'] !== undefined;
  const rules = hasAuction ? tenderDefaults : tenderDefaults.filter((rule) => rule !== minimalStep);
  return withDefaults(rules, {}, replaceTender(segment, stored, data), now);
}

/** Encoders by resource. What an encoder does not change stays one slice of the text. */
type Encoders = Readonly<Record<'tender' | 'bid' | 'award' | 'contract' | 'auction', ValueRewriter>>;

function makeEncoders({ segment, drafts }: CodecOptions): Encoders {
  const bid = rewriteEach(bidEncoder(segment, drafts));
  const award = rewriteEach(awardEncoder(segment));
  const contract = rewriteEach(contractEncoder(segment));
  return {
    tender: makeEncoder('Tender', segment, { bids: bid, awards: award, contracts: contract }),
    bid,
    award,
    contract,
    auction: auctionEncoder(segment),
  };
}

function encodeData(
  encoders: Encoders,
  urlBase: SegmentUrlBase,
  { route, query }: EncodeContext,
  text: string,
): string {
  const resource = responseResourceOf(route);
  if (resource === 'feed') {
    // Without opt_fields a row holds only id and dateModified, which both segments show unchanged.
    const hasExtraFields = new URLSearchParams(query).has('opt_fields');
    const rows = (list: string): string => (hasExtraFields ? rewriteJson(list, rewriteEach(encoders.tender)) : list);
    return rewriteFeedPage(text, urlBase, { query, rows });
  }
  return resource === 'document' || resource === 'other' ? text : rewriteJson(text, rewriteData(encoders[resource]));
}

/** Parses a refusal only where a name in it can change; refusals are few and short. */
function encodeRefusal({ segment }: CodecOptions, { route, sent }: EncodeContext, text: string): string {
  const resource = resourceOf(route);
  const canDiffer =
    resource === 'bid' ||
    resource === 'award' ||
    (resource === 'tender' && hiddenMembers('Tender', segment).length > 0);
  if (!canDiffer || !isEncodableRefusal(text)) return text;
  const root: unknown = JSON.parse(text);
  if (!isJsonObject(root)) return text;
  return JSON.stringify({ ...root, errors: encodeErrors23And0(root['errors'], { resource, segment, sent }) });
}
