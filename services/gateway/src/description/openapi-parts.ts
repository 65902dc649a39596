import type { JsonSchema } from '../generations/schema-overrides.ts';
import type { DescribedRoute, DescribedSegment } from './described-route.ts';

/** Error statuses, and which operations may answer them. */
export const ERROR_RESPONSES: readonly { status: number; meaning: string; when: (route: DescribedRoute) => boolean }[] =
  [
    {
      status: 400,
      meaning: 'The address or a parameter cannot be read; `name` says which',
      when: ({ method }) => method === 'GET',
    },
    { status: 401, meaning: 'No API key, or an unknown one', when: (route) => isWrite(route) || isForKeys(route) },
    {
      status: 403,
      meaning: 'The caller is not permitted, or the state of the object does not allow it',
      when: () => true,
    },
    { status: 404, meaning: 'An object in the path does not exist', when: () => true },
    { status: 405, meaning: 'The path does not have this method; Allow lists those it has', when: () => true },
    { status: 409, meaning: 'The object was changed at the same time; read it and try again', when: isWrite },
    {
      status: 412,
      meaning: 'If-Match names another state of the object; ETag is the present one',
      when: hasPrecondition,
    },
    { status: 413, meaning: 'The body or file is too large', when: isWrite },
    { status: 415, meaning: 'The content type is not application/json', when: isWrite },
    {
      status: 422,
      meaning: 'The body cannot be parsed or is not valid, or the request would exceed a limit of size or number',
      when: (route) => isWrite(route) || route.rateClass === 'search' || route.query?.shape['opt_fields'] !== undefined,
    },
    { status: 429, meaning: 'Too many requests; Retry-After says how many seconds to wait', when: () => true },
    {
      status: 503,
      meaning: 'A service cannot be asked, or has not come so far; Retry-After says how many seconds to wait',
      when: () => true,
    },
  ];

export function isWrite(route: DescribedRoute): boolean {
  return route.method !== 'GET';
}

/** True for a read that anonymous callers may be refused: of webhooks, and of the stream with whole tenders. */
function isForKeys({ path, stream }: DescribedRoute): boolean {
  return stream === true || path.startsWith('/webhooks');
}

/** True for an operation that changes the object of its path, and so follows `If-Match`. */
export function hasPrecondition({ method }: DescribedRoute): boolean {
  return method === 'PATCH' || method === 'PUT' || method === 'DELETE';
}

/** True for an operation that names the members that it ignored (rulings R40). The auction component sends whole records back. */
export function namesIgnoredMembers({ method, owner, body }: DescribedRoute): boolean {
  return method === 'PATCH' && body !== undefined && owner !== 'auction' && owner !== 'register';
}

/** The error answers that operations refer to. */
export function errorResponses(): Readonly<Record<string, JsonSchema>> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(
    ERROR_RESPONSES.map(({ status, meaning }) => [
      `Error${status}`,
      { description: meaning, ...(status === 412 ? { headers: ETAG } : {}), content },
    ]),
  );
}

/** What segment 2.5 adds to an error (http.md 4.6). */
const EXPLANATION: JsonSchema = {
  code: {
    type: 'string',
    description: 'Never changes its meaning. There will be more codes',
    examples: ['body.invalid'],
  },
  pointer: {
    type: 'string',
    description: 'JSON Pointer to the member of the body at fault',
    examples: ['/data/value'],
  },
  link: { type: 'string', description: 'Address of the explanation of the code on this host' },
  allowedFrom: { type: 'string', format: 'date-time', description: 'The request is allowed from this time on' },
  allowedUntil: { type: 'string', format: 'date-time', description: 'The request is allowed until this time' },
  allowedStatuses: {
    type: 'array',
    items: { type: 'string' },
    description: 'Statuses in which the request is allowed, of the object that the description names',
  },
  allowedValues: {
    type: 'array',
    items: { type: 'string' },
    description: 'Values of the parameter at fault, or how they are written',
  },
};

/** The body of a refusal. */
export function problemSchema({ generation }: Pick<DescribedSegment, 'generation'>): JsonSchema {
  const isExplained = generation === '2.5';
  const required = ['location', 'name', 'description', ...(isExplained ? ['code', 'link'] : [])];
  return {
    type: 'object',
    required: ['status', 'errors'],
    properties: {
      status: { type: 'string', const: 'error' },
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required,
          properties: {
            location: { type: 'string', examples: ['body', 'url', 'header'] },
            name: { type: 'string' },
            description: { description: 'A text, a list of texts, or an object of the same by member' },
            ...(isExplained ? EXPLANATION : {}),
          },
        },
      },
    },
  };
}

/** The header of an answer to a creation. */
export const LOCATION: JsonSchema = {
  Location: { description: 'The address of the new object', required: true, schema: { type: 'string', format: 'uri' } },
};

/** The header of an answer that shows a changeable object. */
export const ETAG: JsonSchema = {
  ETag: { description: 'The state of the object, for If-Match and If-None-Match', schema: { type: 'string' } },
};

/** The header of an answer to a change. */
export const IGNORED_MEMBERS: JsonSchema = {
  'Ignored-Members': {
    description:
      'JSON Pointers into data, separated by commas: what the body set and the service ignored, because the caller may not change it now',
    schema: { type: 'string', examples: ['/title, /value/amount'] },
  },
};

/** The header of an answer to a write of a bid by its owner. */
export const RECEIPT: JsonSchema = {
  'Procurement-Receipt': {
    description:
      'The signed receipt of what was stored, in base64url. Keep it: `verify-procurement receipt` checks it. Absent where this installation signs none',
    schema: { type: 'string' },
  },
};

/** A file in place of a JSON body; its name becomes the title. */
export const UPLOAD_CONTENT: JsonSchema = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      required: ['file'],
    },
  },
};

export const SECURITY: JsonSchema = {
  basic: { type: 'http', scheme: 'basic', description: 'The API key as user name, with an empty password' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key' },
};

/** Segment 2.5 refuses a change that would be done in part (rulings R40). */
export const PREFER: JsonSchema = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'handling=strict: refused with 403 and unchanged, instead of a change without the members that would be ignored',
    schema: { type: 'string', examples: ['handling=strict'] },
  },
};

export const PARAMETERS: JsonSchema = {
  acc_token: { name: 'acc_token', in: 'query', description: 'Owner token of the object', schema: { type: 'string' } },
  'X-Access-Token': {
    name: 'X-Access-Token',
    in: 'header',
    description: 'Owner token of the object',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text unique to this request, such as a UUID. The same request with the same key within 24 hours gets the first answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the answer that the change was made of: refused with 412 if the object has changed since',
    schema: { type: 'string' },
  },
  opt_dry_run: {
    name: 'opt_dry_run',
    in: 'query',
    description:
      'Any text: the request is answered as if it were done, and changes nothing. Identifiers and tokens in the answer are of no object',
    schema: { type: 'string' },
  },
  opt_pretty: {
    name: 'opt_pretty',
    in: 'query',
    description: 'Any text: the answer is indented by four spaces',
    schema: { type: 'string' },
  },
  opt_jsonp: {
    name: 'opt_jsonp',
    in: 'query',
    description: 'Name of a callback function to wrap the answer in (JSONP)',
    schema: { type: 'string' },
  },
};
