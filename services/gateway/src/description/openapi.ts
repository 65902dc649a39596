import { bodySchema, type SentMessage } from '@procurement/contracts/api/route';
import { RECEIPT_SEGMENTS } from '@procurement/contracts/resources/bid-receipt';
import type { z } from 'zod';
import type { JsonSchema, SegmentSchemaOverrides } from '../generations/schema-overrides.ts';
import { makeComponents, reachable, type Components } from './components.ts';
import type { DescribedRoute, DescribedSegment } from './described-route.ts';
import {
  errorResponses,
  ERROR_RESPONSES,
  ETAG,
  hasPrecondition,
  IGNORED_MEMBERS,
  LOCATION,
  isWrite,
  namesIgnoredMembers,
  PARAMETERS,
  PREFER,
  RECEIPT,
  problemSchema,
  SECURITY,
  UPLOAD_CONTENT,
} from './openapi-parts.ts';
import type { OperationExample, SegmentExamples } from './examples.ts';
import { makeSharedExamples, type SharedExamples } from './shared-examples.ts';
import { fullDescription, weightText } from './operation-rules.ts';
import { tagOf, selectTags } from './openapi-names.ts';
import { buildParameter, buildParameters } from './operation-parameters.ts';
import { schemaCatalog, type SchemaCatalog } from './schema-catalog.ts';
import { ENVELOPE_PARTS, requestEnvelope, responseEnvelope, serverSentEvent } from './envelopes.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string; readonly url: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  /** What the services send to addresses of clients. */
  readonly webhooks?: Readonly<Record<string, { readonly post: JsonSchema }>>;
  readonly components: JsonSchema;
}

/** The schemas of all routes, in all forms. Made once; the documents of all segments take theirs from it. */
export function buildCatalog(routes: readonly DescribedRoute[]): SchemaCatalog {
  const isShape = (shape: z.ZodType | undefined): shape is z.ZodType => shape !== undefined;
  return schemaCatalog({
    input: routes.flatMap((route) => [
      ...listBodies(route).flatMap(({ body, sandboxBody, bodyBySegment = {} }) =>
        [body, sandboxBody, ...Object.values(bodyBySegment)].filter(isShape),
      ),
      ...Object.values(route.sentBeside ?? {}),
      // The shape of a zod object holds zod types.
      ...(Object.values({ ...route.query?.shape, ...route.queryOf25?.shape }) as z.ZodType[]),
    ]),
    output: routes.flatMap((route) => [
      ...Object.values(route.responses),
      ...Object.values(route.beside ?? {}),
      ...Object.values(route.sends ?? {})
        .flatMap(shapesOfMessage)
        .filter(isShape),
    ]),
  });
}

function listBodies(route: DescribedRoute) {
  return route.withoutAuction === undefined ? [route] : [route, route.withoutAuction];
}

function shapesOfMessage({ body, headers, answer }: SentMessage): readonly (z.ZodType | undefined)[] {
  // The shape of a zod object holds zod types.
  return [body, answer, ...(Object.values(headers.shape) as z.ZodType[])];
}

export interface OpenApiOptions {
  /** Made of these routes, or of more. */
  readonly catalog?: SchemaCatalog;
  /** Schemas of a segment that differ from the canonical ones. */
  readonly overrides?: SegmentSchemaOverrides;
  readonly examples?: SegmentExamples;
}

/**
 * The OpenAPI 3.1 document of one segment, made of the contracts that the services parse by. Pure. Parameters of a path keep
 * their names. Schemas with a `meta` id become components (`components.ts`).
 */
export function openApi(
  routes: readonly DescribedRoute[],
  about: DescribedSegment,
  { catalog = buildCatalog(routes), overrides = {}, examples = {} }: OpenApiOptions = {},
): OpenApiDocument {
  const components = makeComponents(catalog, overrides);
  const sharedExamples = makeSharedExamples();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const changeable = new Set(routes.filter(hasPrecondition).map(({ path }) => path));
  for (const route of routes) {
    if (!route.segments.includes(about.generation)) continue;
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const described = operation(route, about, {
      catalog,
      components,
      example: examples[route.name] ?? { response: route.example },
      sharedExamples,
      isChangeable: changeable.has(route.path),
    });
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described };
  }
  const webhooks = Object.fromEntries(
    routes
      .filter(({ segments }) => segments.includes(about.generation))
      .flatMap((route) =>
        Object.entries(route.sends ?? {}).map(([name, message]) => [
          name,
          { post: sentRequest(name, message, tagOf(route), { catalog, components, sharedExamples }) },
        ]),
      ),
  );
  const hasWebhooks = Object.keys(webhooks).length > 0;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Public Procurement Tender Service',
      version: about.release,
      contact: { name: 'Operators of this installation', url: `${originOf(about.baseUrl)}/docs` },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      description: `Segment ${about.segment} of the API. Reading needs no credentials. Writing needs an API key, and changing an object also needs the owner token from the answer that created it. Every GET may be sent as HEAD. Examples are taken from recordings; identifiers and tokens in them are made up, and times are counted from today. ${weightText(about.generation)}`,
    },
    servers: [{ url: about.baseUrl }],
    tags: selectTags(paths),
    paths,
    ...(hasWebhooks ? { webhooks } : {}),
    components: {
      schemas: { ...reachable([paths, webhooks], components.all()), ...ENVELOPE_PARTS, Problem: problemSchema(about) },
      examples: sharedExamples.all(),
      securitySchemes: SECURITY,
      parameters: about.generation === '2.5' ? { ...PARAMETERS, ...PREFER } : PARAMETERS,
      responses: errorResponses(),
    },
  };
}

/** The address above a segment: `https://api.example.org/api`. */
function apiAddressOf(baseUrl: string): string {
  return baseUrl.slice(0, baseUrl.lastIndexOf('/'));
}

function originOf(baseUrl: string): string {
  const api = apiAddressOf(baseUrl);
  return api.slice(0, api.lastIndexOf('/'));
}

interface OperationContext {
  readonly catalog: SchemaCatalog;
  readonly components: Components;
  readonly example: OperationExample;
  readonly sharedExamples: SharedExamples;
  /** The object of the path can be changed, so reading it gives an ETag. */
  readonly isChangeable: boolean;
}

/** The headers of a success answer that are worth a description. */
function buildHeaders(
  status: string,
  route: DescribedRoute,
  { generation }: DescribedSegment,
  { isChangeable }: OperationContext,
): { readonly headers?: JsonSchema } {
  const headers = {
    ...(status === '201' ? LOCATION : {}),
    ...(isChangeable && route.method === 'GET' ? ETAG : {}),
    ...(namesIgnoredMembers(route) ? IGNORED_MEMBERS : {}),
    ...(route.receipt === true && RECEIPT_SEGMENTS.has(generation) ? RECEIPT : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

function operation(route: DescribedRoute, about: DescribedSegment, context: OperationContext): JsonSchema {
  const { catalog, components, example, sharedExamples } = context;
  const isNewest = about.generation === '2.5';
  // A PATCH says what changes: of a tender without auction as of another one.
  const described = isNewest && route.method !== 'PATCH' ? listBodies(route) : [route];
  const bodies = described.flatMap(
    (one) => bodySchema(one, about.generation, { sandbox: about.sandbox === true }) ?? [],
  );
  const input = (shape: z.ZodType): JsonSchema => components.use(catalog.schemaOf(shape, 'input'), 'input');
  const sentBeside = Object.entries(isNewest ? (route.sentBeside ?? {}) : {}).map(
    ([name, shape]) => [name, input(shape)] as const,
  );
  const schemaOf = (shape: z.ZodType): JsonSchema => components.use(catalog.schemaOf(shape, 'output'), 'output');
  const beside = Object.fromEntries(
    Object.entries(isNewest ? (route.beside ?? {}) : {}).map(([name, shape]) => [name, schemaOf(shape)]),
  );
  const successes = Object.entries(route.responses).map(([status, shape]) => {
    const schema = schemaOf(shape);
    return [
      status,
      {
        description: SUCCESS_DESCRIPTIONS[status] ?? 'Done',
        ...buildHeaders(status, route, about, context),
        content: buildContent(
          route.file ?? (route.stream === true ? 'text/event-stream' : (route.mediaType ?? 'application/json')),
          shownSchema(schema, route, beside),
          sharedExamples.use(`${route.name}Response`, example.response),
        ),
      },
    ];
  });
  const errors = ERROR_RESPONSES.filter((error) => error.when(route));
  return {
    operationId: route.name,
    ...(route.outsideSegments === true ? { servers: [{ url: apiAddressOf(about.baseUrl) }] } : {}),
    summary: route.summary,
    description: isNewest ? fullDescription(route) : route.description,
    tags: [tagOf(route)],
    parameters: buildParameters(route, about, context),
    ...(bodies.length === 0
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              ...jsonContent(
                requestEnvelope(
                  anyOf(bodies.map((body) => bodyReference(route, body, context))),
                  Object.fromEntries(sentBeside),
                ),
                sharedExamples.use(`${route.name}Request`, example.request),
              ),
              ...(route.upload === true ? UPLOAD_CONTENT : {}),
            },
          },
        }),
    responses: {
      ...Object.fromEntries(successes),
      ...Object.fromEntries(errors.map(({ status }) => [status, { $ref: `#/components/responses/Error${status}` }])),
    },
    security: isWrite(route) ? [{ basic: [] }, { bearer: [] }] : [{}, { basic: [] }, { bearer: [] }],
  };
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = {}, ...others] = schemas;
  return others.length === 0 ? only : { anyOf: schemas };
}

/** A request that clients receive: its body and headers are what a service sends, and so have the shapes of answers. */
function sentRequest(
  name: string,
  { summary, description, body, headers, answer, example }: SentMessage,
  tag: string,
  { catalog, components, sharedExamples }: Pick<OperationContext, 'catalog' | 'components' | 'sharedExamples'>,
): JsonSchema {
  const schemaOf = (shape: z.ZodType): JsonSchema => components.use(catalog.schemaOf(shape, 'output'), 'output');
  return {
    operationId: name,
    summary,
    description,
    tags: [tag],
    // The shape of a zod object holds zod types.
    parameters: Object.entries(headers.shape as Record<string, z.ZodType>).map(([header, shape]) =>
      buildParameter(header, 'header', shape, schemaOf(shape)),
    ),
    requestBody: {
      required: true,
      content: jsonContent(schemaOf(body), sharedExamples.use(`${name}Request`, example)),
    },
    responses: {
      '2XX': {
        description: 'Accepted',
        ...(answer === undefined ? {} : { content: jsonContent(schemaOf(answer), undefined) }),
      },
      '410': { description: 'Nothing is wanted any more' },
      default: { description: 'Not accepted. `Retry-After` of 429, 502, 503 and 504 is followed for up to an hour' },
    },
    security: [{}],
  };
}

function shownSchema(
  schema: JsonSchema,
  route: DescribedRoute,
  beside: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (route.stream === true) return serverSentEvent(schema);
  return hasEnvelope(route) ? responseEnvelope(schema, route, beside) : schema;
}

function hasEnvelope({ bare, stream, file }: DescribedRoute): boolean {
  return bare !== true && stream !== true && file === undefined;
}

function bodyReference(route: DescribedRoute, body: z.ZodType, { catalog, components }: OperationContext): JsonSchema {
  const schema = catalog.schemaOf(body, 'input');
  const isNamed = typeof schema['$ref'] === 'string';
  return route.method === 'PATCH' && isNamed ? components.usePatch(schema) : components.use(schema, 'input');
}

function jsonContent(schema: JsonSchema, exampleReference: string | undefined): JsonSchema {
  return buildContent('application/json', schema, exampleReference);
}

function buildContent(type: string, schema: JsonSchema, exampleReference: string | undefined): JsonSchema {
  const examples = exampleReference === undefined ? {} : { examples: { recorded: { $ref: exampleReference } } };
  return { [type]: { schema, ...examples } };
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  '200': 'Done',
  '201': 'Created',
};
