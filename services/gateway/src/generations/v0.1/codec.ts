import type { RouteContract } from '@procurement/contracts/api/route';
import { invalid, type Problem } from '@procurement/contracts/problems/problems';
import { rewriteDocuments } from '../document-members.ts';
import type { SegmentUrlBase } from '../segment-urls.ts';
import { decodeBidStatus } from '../bid-status.ts';
import { isEncodableRefusal } from '../bounds.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { EncodeContext, Codec, Generation01, DecodeContext, DecodeResult } from '../codec.ts';
import { rewriteData, rewriteEach, rewriteJson, type ValueRewriter } from '../../json/json-rewriter.ts';
import { mergeDiff } from '../merge-diff.ts';
import { resourceOf, responseResourceOf, type Resource } from '../resource.ts';
import { encodeErrors01 } from './errors.ts';
import { decodeFeedQuery, encodeFeedPage } from './feed.ts';
import { makeEncoder } from './encode.ts';
import { decodeBody } from './decode.ts';
import type { TypeName } from './member-table.ts';
import { applyTenderChange, withoutReadOnly } from './apply-tender-change.ts';
import { applyChange, type Operation } from './apply-change.ts';

/** Type of the `data` that the routes of a resource carry. */
const RESOURCE_TYPES: Readonly<Partial<Record<Resource, TypeName>>> = {
  tender: 'Tender',
  bid: 'Bid',
  award: 'Award',
  auction: 'Auction',
  document: 'Document',
};

/** Encoders by resource, for one object and for a list. */
function makeEncoders(generation01: Generation01): Readonly<Record<string, ValueRewriter>> {
  return Object.fromEntries(
    Object.entries(RESOURCE_TYPES).map(([resource, type]) => [
      resource,
      rewriteData(rewriteEach(makeEncoder(type, generation01))),
    ]),
  );
}

const ENCODERS = { middle: makeEncoders('middle'), earliest: makeEncoders('earliest') } as const;

/** Codec of segment 0.1 with its two generations; negotiate.ts chooses one per request. */
export function codec01(urlBase: SegmentUrlBase, defaultGeneration: Generation01 = 'middle'): Codec {
  return {
    segment: '0.1',
    passesRequestThrough: (route) => requestType(route) === undefined,
    needsStored: (route, data) => needsStored(route, data, defaultGeneration),
    decodeRequest: (route, data, context) => {
      const type = requestType(route);
      return type === undefined
        ? { data }
        : decode(type, operationOf(route), data, {
            ...context,
            generation01: context.generation01 ?? defaultGeneration,
          });
    },
    decodeQuery: (route, query, generation01 = defaultGeneration) =>
      resourceOf(route) === 'feed' ? decodeFeedQuery(query, generation01) : query,
    passesResponseThrough: () => false,
    encodeResponse: (context, text) => {
      const generation01 = context.generation01 ?? defaultGeneration;
      return context.status >= 400
        ? encodeRefusal(context, text, generation01)
        : encodeData(context, rewriteDocuments(text, urlBase), generation01, urlBase);
    },
  };
}

/** The type of a request body that is decoded. Documents pass: their names in requests are canonical. */
function requestType(route: RouteContract): TypeName | undefined {
  const resource = resourceOf(route);
  return resource === 'document' ? undefined : RESOURCE_TYPES[resource];
}

function operationOf({ method }: RouteContract): Operation {
  if (method === 'POST') return 'create';
  return method === 'PUT' ? 'put' : 'patch';
}

/**
 * Every change of a tender; of a bid or award when it has parties, or a conflict that the stored object may resolve.
 */
function needsStored(route: RouteContract, data: JsonObject, generation01: Generation01): boolean {
  const [type, operation] = [requestType(route), operationOf(route)];
  if (operation === 'create' || type === undefined || type === 'Auction') return false;
  if (type === 'Tender') return true;
  const decoded = decodeBody(type, data, { generation01 });
  return 'faults' in decoded || Object.hasOwn(decoded.value, 'tenderers');
}

function decode(type: TypeName, operation: Operation, data: JsonObject, context: DecodeContext): DecodeResult {
  const { generation01 = 'middle', stored } = context;
  const decoded = decodeBody(type, data, { generation01, stored });
  if ('faults' in decoded) return { refused: toProblem(decoded.faults) };
  const { value } = decoded;
  if (type === 'Tender') return { data: decodeTender(operation, value, context) };
  if (type === 'Auction') return { data: applyChange(type, 'create', undefined, value, 'top') };
  const bodyWithStatus = type === 'Bid' ? withCanonicalStatus(value, operation) : { data: value };
  if ('refused' in bodyWithStatus) return bodyWithStatus;
  const next = applyChange(type, operation, stored, bodyWithStatus.data, 'top');
  return { data: stored === undefined ? next : mergeDiff(stored, next) };
}

/** A creation and a PUT send the whole tender; a PATCH sends the difference to the stored one. */
function decodeTender(operation: Operation, sent: JsonObject, context: DecodeContext): JsonObject {
  const next = applyTenderChange(operation, sent, context);
  if (operation === 'put') return withoutReadOnly(next);
  return operation === 'patch' && context.stored !== undefined ? mergeDiff(context.stored, next) : next;
}

function withCanonicalStatus(bid: JsonObject, operation: Operation): DecodeResult {
  if (!Object.hasOwn(bid, 'status')) return { data: bid };
  const { status, ...rest } = bid;
  const result = decodeBidStatus(status, operation === 'create' ? 'create' : 'change', 'without-drafts');
  if (result.kind === 'refused') return { refused: toProblem({ status: [result.message] }) };
  return { data: result.kind === 'drop' ? rest : { ...rest, status: result.status } };
}

function toProblem(faults: Readonly<Record<string, Problem['errors'][number]['description']>>): Problem {
  return invalid(Object.entries(faults).map(([name, description]) => ({ location: 'body', name, description })));
}

function encodeData(
  { route, query }: EncodeContext,
  text: string,
  generation01: Generation01,
  urlBase: SegmentUrlBase,
): string {
  const resource = responseResourceOf(route);
  if (resource === 'feed') return encodeFeedPage(text, urlBase, generation01, query);
  const encoder = ENCODERS[generation01][resource];
  return encoder === undefined ? text : rewriteJson(text, encoder);
}

function encodeRefusal({ route, sent }: EncodeContext, text: string, generation01: Generation01): string {
  const type = RESOURCE_TYPES[resourceOf(route)];
  if (type === undefined || !isEncodableRefusal(text)) return text;
  const root: unknown = JSON.parse(text);
  return isJsonObject(root)
    ? JSON.stringify({ ...root, errors: encodeErrors01(root['errors'], { type, generation01, sent }) })
    : text;
}
