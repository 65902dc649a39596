import { z } from 'zod';
import type { JsonSchema, SegmentSchemaOverrides } from '../generations/schema-overrides.ts';
import { pathParameters, type DescribedRoute, type DescribedSegment } from './described-route.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema;
}

/** Error statuses, and which operations may answer them. */
const ERROR_RESPONSES: readonly { status: number; meaning: string; when: (route: DescribedRoute) => boolean }[] = [
  { status: 401, meaning: 'No API key, or an unknown one', when: isWrite },
  { status: 403, meaning: 'Not permitted, or not in this state', when: () => true },
  { status: 404, meaning: 'An object of the path does not exist', when: () => true },
  { status: 405, meaning: 'The method is not defined here; see Allow', when: () => true },
  { status: 409, meaning: 'Somebody else changed it at the same time', when: isWrite },
  { status: 415, meaning: 'The content type is not application/json', when: isWrite },
  { status: 422, meaning: 'The body cannot be read, or what it says is not valid', when: isWrite },
  { status: 429, meaning: 'Too many requests; wait for Retry-After', when: () => true },
];

/**
 * The OpenAPI 3.1 document of one segment, made from the contracts that the services validate by. Pure; parameters of a
 * path keep their names, schemas with a `meta` id become components (`Value`, and `ValueInput` where a body takes it).
 */
export function openApi(
  routes: readonly DescribedRoute[],
  about: DescribedSegment,
  overrides: SegmentSchemaOverrides = {},
): OpenApiDocument {
  const schemas = new Map<string, JsonSchema>([['Problem', PROBLEM]]);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    if (!route.segments.includes(about.generation)) continue;
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  for (const [name, schema] of schemas) {
    const shape = overrides[name];
    if (shape !== undefined) schemas.set(name, shape(schema));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Public Procurement Tender Service',
      version: about.release,
      description: `Segment ${about.segment} of the API. Reading needs no credentials; writing needs an API key, and changing an object the owner token that its creation answered. Every GET may be asked as HEAD.`,
    },
    servers: [{ url: about.baseUrl }],
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: SECURITY,
      parameters: PARAMETERS,
      responses: Object.fromEntries(
        ERROR_RESPONSES.map(({ status, meaning }) => [`Error${status}`, errorResponse(meaning)]),
      ),
    },
  };
}

function isWrite(route: DescribedRoute): boolean {
  return route.method !== 'GET';
}

function operation(route: DescribedRoute, schemas: Map<string, JsonSchema>): JsonSchema {
  const errors = ERROR_RESPONSES.filter((error) => error.when(route));
  const content = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } });
  const successes = Object.entries(route.responses).map(([status, shape]) => {
    const schema = schemaOf(shape, 'output', schemas);
    return [
      status,
      {
        description: SUCCESS_DESCRIPTIONS[status] ?? 'Done',
        content: content(route.bare ? schema : responseEnvelope(schema, route)),
      },
    ];
  });
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [tagOf(route)],
    parameters: parametersOf(route, schemas),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: content(requestEnvelope(bodyOf(route, route.body, schemas))) } }),
    responses: {
      ...Object.fromEntries(successes),
      ...Object.fromEntries(errors.map(({ status }) => [status, { $ref: `#/components/responses/Error${status}` }])),
    },
    security: isWrite(route) ? [{ basic: [] }, { bearer: [] }] : [{}, { basic: [] }, { bearer: [] }],
  };
}

/** A PATCH sends what it changes, so nothing is required of it: a component of its own, `TenderPatch`. */
function bodyOf(route: DescribedRoute, shape: z.ZodType, schemas: Map<string, JsonSchema>): JsonSchema {
  const schema = schemaOf(shape, 'input', schemas);
  const name = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? '') : '';
  const component = schemas.get(name);
  if (route.method !== 'PATCH' || component === undefined) return schema;
  const { required: _required, ...partial } = component;
  const description =
    'Only the members to change. Nested objects merge, lists by position; null removes a nested member.';
  const patchName = `${name.replace(/Input$/, '')}Patch`;
  schemas.set(patchName, { ...partial, description });
  return { $ref: reference(patchName) };
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  '200': 'Done',
  '201': 'Created; its address is in Location',
};

function tagOf(route: DescribedRoute): string {
  const collections = route.path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
  return collections.at(-1) ?? route.name;
}

function parametersOf(route: DescribedRoute, schemas: Map<string, JsonSchema>): readonly JsonSchema[] {
  const inPath = pathParameters(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = Object.entries(route.query?.shape ?? {}).map(([name, shape]) => {
    const schema = schemaOf(shape, 'input', schemas);
    const described = schema['description'];
    return { name, in: 'query', schema, ...(typeof described === 'string' ? { description: described } : {}) };
  });
  const named = new Set(query.map(({ name }) => name));
  const formatParameters = route.method === 'GET' ? ['opt_pretty', 'opt_jsonp'] : ['opt_pretty'];
  const tokens = inPath.length > 0 ? ['acc_token', 'X-Access-Token'] : [];
  const idempotencyParameters = route.method === 'POST' ? ['Idempotency-Key'] : [];
  const common = [...formatParameters, ...tokens, ...idempotencyParameters].filter((name) => !named.has(name));
  return [...inPath, ...query, ...common.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** The envelope of an answer: `data`, on creations `access`, on the feed its links. */
function responseEnvelope(data: JsonSchema, route: DescribedRoute): JsonSchema {
  const token = {
    type: 'object',
    properties: { token: { type: 'string' }, transfer: { type: 'string' } },
    required: ['token'],
  };
  const link = {
    type: 'object',
    properties: { offset: { type: 'string' }, path: { type: 'string' }, uri: { type: 'string' } },
    required: ['offset', 'path', 'uri'],
  };
  const feed = route.query?.shape['offset'] !== undefined;
  return {
    type: 'object',
    properties: {
      data,
      ...(route.access === true ? { access: token } : {}),
      ...(feed ? { next_page: link, prev_page: link } : {}),
    },
    required: ['data', ...(route.access === true ? ['access'] : []), ...(feed ? ['next_page'] : [])],
  };
}

function requestEnvelope(data: JsonSchema): JsonSchema {
  const access = { type: 'object', properties: { token: { type: 'string' } } };
  const options = { type: 'object', properties: { pretty: { type: 'boolean' } } };
  return { type: 'object', properties: { data, access, options }, required: ['data'] };
}

/** The schema of a shape; those that have a name go to the components and are referred to. */
function schemaOf(shape: z.core.$ZodType, io: 'input' | 'output', schemas: Map<string, JsonSchema>): JsonSchema {
  const generated = z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline', cycles: 'ref' });
  const { $schema: _version, $defs: definitions = {}, ...own } = generated;
  const name = (id: string): string => (io === 'input' ? inputName(id) : id);
  // A schema is JSON, so writing and reading it copies it; on the way its references are moved.
  const withMovedReferences = (schema: unknown): JsonSchema =>
    JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
      key === '$ref' && typeof value === 'string'
        ? value.replace(/^#\/\$defs\/(.+)$/, (_all, id: string) => reference(name(id)))
        : value,
    ) as JsonSchema;
  for (const [id, definition] of Object.entries(definitions)) {
    const { id: _id, ...schema } = withMovedReferences(definition);
    schemas.set(name(id), schema);
  }
  const { id, ...rest } = withMovedReferences(own);
  if (typeof id !== 'string') return rest;
  schemas.set(name(id), rest);
  return { $ref: reference(name(id)) };
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

function inputName(id: string): string {
  return id.endsWith('Input') ? id : `${id}Input`;
}

function errorResponse(description: string): JsonSchema {
  return { description, content: { 'application/json': { schema: { $ref: reference('Problem') } } } };
}

const PROBLEM: JsonSchema = {
  type: 'object',
  required: ['status', 'errors'],
  properties: {
    status: { const: 'error' },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['location', 'name', 'description'],
        properties: {
          location: { type: 'string', examples: ['body', 'url', 'header'] },
          name: { type: 'string' },
          description: { description: 'A text, a list of texts, or a tree of the same by member' },
        },
      },
    },
  },
};

const SECURITY: JsonSchema = {
  basic: { type: 'http', scheme: 'basic', description: 'The API key as user name, an empty password' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The API key' },
};

const PARAMETERS: JsonSchema = {
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
      'Made up for this request, best a UUID: sent again with the same body within 24 hours, it gets the first answer',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  opt_pretty: {
    name: 'opt_pretty',
    in: 'query',
    description: 'Any text: indented by four spaces',
    schema: { type: 'string' },
  },
  opt_jsonp: {
    name: 'opt_jsonp',
    in: 'query',
    description: 'Name of a callback to wrap the answer in',
    schema: { type: 'string' },
  },
};
