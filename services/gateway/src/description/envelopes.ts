import type { JsonSchema } from '../generations/schema-overrides.ts';
import type { DescribedRoute } from './described-route.ts';

const TEXT = { type: 'string' } as const;

/** Components of the envelopes around `data`. */
export const ENVELOPE_PARTS: Readonly<Record<string, JsonSchema>> = {
  Access: {
    type: 'object',
    description: 'Owner token of the new object. It is shown once.',
    properties: { token: TEXT, transfer: TEXT },
    required: ['token'],
  },
  FeedLink: {
    type: 'object',
    properties: { offset: TEXT, path: TEXT, uri: TEXT },
    required: ['offset', 'path', 'uri'],
  },
  // No types: what is not an object, or not a text, is ignored as other members beside `data` are (http.md 0.1).
  RequestAccess: {
    description: 'An object. Its `token` is the owner token, as an alternative to acc_token and X-Access-Token',
    properties: { token: { examples: ['0fc58c83963d42a692db4987df86640a'] } },
  },
  RequestOptions: {
    description: 'An object. With `pretty` the answer is indented by four spaces',
    properties: { pretty: { examples: [true] } },
  },
};

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The envelope of an answer: `data`, what the contract has beside it, the token of a new object, the links of the feed. */
export function responseEnvelope(
  data: JsonSchema,
  route: DescribedRoute,
  beside: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const isFeed = route.query?.shape['offset'] !== undefined;
  const required = Object.entries(route.beside ?? {}).filter(
    ([name, shape]) => beside[name] !== undefined && !shape.isOptional(),
  );
  return {
    type: 'object',
    properties: {
      data,
      ...beside,
      ...(route.access === true ? { access: reference('Access') } : {}),
      ...(isFeed ? { next_page: reference('FeedLink'), prev_page: reference('FeedLink') } : {}),
    },
    required: [
      'data',
      ...required.map(([name]) => name),
      ...(route.access === true ? ['access'] : []),
      ...(isFeed ? ['next_page'] : []),
    ],
  };
}

/** The envelope of a body. */
export function requestEnvelope(data: JsonSchema, beside: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const properties = { data, ...beside, access: reference('RequestAccess'), options: reference('RequestOptions') };
  return { type: 'object', properties, required: ['data'] };
}

/** One event of a stream, in the form that OpenAPI 3.2 names for them: `data` is a text that holds JSON. */
export function serverSentEvent(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      id: TEXT,
      event: TEXT,
      data: { ...TEXT, contentMediaType: 'application/json', contentSchema: data },
    },
    required: ['data'],
  };
}
