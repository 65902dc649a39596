import type { Segment } from '@procurement/contracts/api/route';
import { selectRoutes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../services/gateway/src/description/examples.golden.ts';
import { gatewayRoutes } from '../../services/gateway/src/description/gateway-routes.ts';
import { buildCatalog, openApi, type OpenApiDocument } from '../../services/gateway/src/description/openapi.ts';
import { makeCodecs } from '../../services/gateway/src/generations/codecs-by-segment.ts';
import type { Generation01 } from '../../services/gateway/src/generations/codec.ts';
import { segmentExamples } from '../../services/gateway/src/description/segment-examples.ts';
import { selectSchemas } from '../../services/gateway/src/generations/openapi-schemas.ts';
import { type PublicSegment } from '../../services/gateway/src/generations/segments.ts';
import { selectContracts } from '../../services/gateway/src/request/routes.table.ts';
import { isAt, makeDocumentValidator, type DocumentValidator } from './document-validator.ts';
import { goldenExchanges, type Exchange } from './recordings.ts';

const exchanges = goldenExchanges();
const serviceRoutes = selectRoutes({ sandbox: true });
const allRoutes = [...gatewayRoutes, ...serviceRoutes];
const catalog = buildCatalog(allRoutes);

function buildDocument(segment: Segment, generation01: Generation01 = 'middle') {
  const routes = selectContracts(segment, allRoutes, generation01);
  const about = { segment, generation: segment, baseUrl: 'https://api.example.org', release: '0', sandbox: true };
  return openApi(routes, about, {
    catalog,
    overrides: selectSchemas(segment, generation01),
    examples: segmentExamples(EXAMPLES, {
      codec: makeCodecs('https://api.example.org')(segment),
      routes: serviceRoutes,
      generation01,
    }),
  });
}

function makeValidator(segment: Segment, generation01: Generation01 = 'middle'): DocumentValidator {
  return makeDocumentValidator(buildDocument(segment, generation01));
}

function findErrors(validator: DocumentValidator, exchange: Exchange): readonly string[] {
  return [
    ...(exchange.status < 300 && exchange.request !== undefined ? validator.requestErrors(exchange) : []),
    ...validator.responseErrors(exchange),
  ];
}

const titled = (of: readonly Exchange[]) =>
  of.map((exchange) => {
    const { story, number, method, path } = exchange;
    return [`${story} ${number}: ${method} ${path.replaceAll(/[0-9a-f]{32}/g, '{id}')}`, exchange] as const;
  });

describe('recordings of segment 2.5 against its OpenAPI document', () => {
  const validator = makeValidator('2.5');

  it('are all there', () => {
    expect(exchanges.length).toBeGreaterThan(100);
    expect(new Set(exchanges.map(({ segment }) => segment))).toEqual(new Set(['2.5']));
  });

  it.each(titled(exchanges))('%s', (_title, exchange) => {
    expect(findErrors(validator, exchange)).toEqual([]);
  });
});

/** What the same services answer by an older segment: its codec makes it of the recorded answer. */
function translated(segment: PublicSegment, generation01: Generation01): readonly Exchange[] {
  const codec = makeCodecs('https://api.example.org')(segment);
  return exchanges.flatMap((exchange) => {
    const route = serviceRoutes.find(
      ({ method, path }) => method === exchange.method && isAt(path.replaceAll(/:(\w+)/g, '{$1}'), exchange.path),
    );
    const [described] = selectContracts(codec.segment, route === undefined ? [] : [route], generation01);
    if (route === undefined || described === undefined) return [];
    const context = { route, status: exchange.status, query: exchange.query, generation01 };
    const text = codec.encodeResponse(context, JSON.stringify(exchange.response, withoutExplanation));
    const path = exchange.path.replace('/bids', described.path.includes('/bidders') ? '/bidders' : '/bids');
    return [{ ...exchange, path, request: undefined, response: JSON.parse(text) }];
  });
}

/** Services answer refusals on older segments with these members only (http.md 4.6). */
function withoutExplanation(this: unknown, name: string, value: unknown): unknown {
  const isOfError = typeof this === 'object' && this !== null && 'location' in this;
  return isOfError && !['location', 'name', 'description'].includes(name) ? undefined : value;
}

describe.each([
  ['2.3', 'middle', 100],
  ['0', 'middle', 100],
  ['0.1', 'middle', 45],
  ['0.1', 'earliest', 45],
] as const)('answers of segment %s (%s) against its OpenAPI document', (segment, generation01, exchangesMin) => {
  const validator = makeValidator(segment, generation01);
  const answers = translated(segment, generation01);

  it('are all there', () => {
    expect(answers.length).toBeGreaterThan(exchangesMin);
  });

  it.each(titled(answers))('%s', (_title, exchange) => {
    expect(findErrors(validator, exchange)).toEqual([]);
  });
});

describe.each([
  ['2.5', 'middle'],
  ['2.3', 'middle'],
  ['0', 'middle'],
  ['0.1', 'middle'],
  ['0.1', 'earliest'],
] as const)('operations of segment %s (%s)', (segment, generation01) => {
  const document = buildDocument(segment, generation01);
  const validator = makeDocumentValidator(document);
  const operations = listOperations(document);

  it.each(operations)('%s %s has a description and examples that its schemas accept', (method, path, operation) => {
    expect(operation.description).toMatch(/\.$/);
    const status = Object.keys(operation.responses).find((code) => code.startsWith('2')) ?? '';
    const response = exampleIn(document, operation.responses[status]);
    if (!isKnownDefect(segment, operation))
      expect(validator.responseErrors({ method, path, status: Number(status), response })).toEqual([]);
    if (operation.requestBody === undefined) return;
    const request = exampleIn(document, operation.requestBody);
    expect(validator.requestErrors({ method, path, request })).toEqual([]);
  });
});

function isKnownDefect(segment: Segment, { operationId }: Operation): boolean {
  return segment !== '2.5' && ['reportAuction', 'reportLotAuction'].includes(operationId);
}

interface Content {
  readonly content: Readonly<
    Record<string, { readonly examples: { readonly recorded: { readonly $ref: string } } } | undefined>
  >;
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

function listOperations(document: OpenApiDocument): readonly (readonly [string, string, Operation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    // The document is what `openApi` makes: operations by method.
    Object.entries(methods).map(
      ([method, operation]) => [method.toUpperCase(), path, operation as unknown as Operation] as const,
    ),
  );
}

/** The example that a body refers to. Throws without one. */
function exampleIn(document: OpenApiDocument, body: Content | undefined): unknown {
  // JSON first. The schema of a stream is that of one event, the one of JSON Lines that of a line.
  const content = Object.values(body?.content ?? {})[0];
  const name = content?.examples.recorded.$ref.split('/').at(-1) ?? '';
  // Components are plain JSON; the test fails where the name is not there.
  const examples = document.components['examples'] as Readonly<Record<string, { readonly value: unknown }>>;
  const value = examples[name]?.value;
  if (value === undefined) throw new Error(`no example ${name}`);
  return value;
}

describe('this validation', () => {
  const validator = makeValidator('2.5');
  const created = exchanges.find(
    ({ method, path, status }) => method === 'POST' && path === '/tenders' && status === 201,
  );
  if (created === undefined) throw new Error('no recording creates a tender');
  // The recording of a creation has these envelopes.
  const request = created.request as { data: Record<string, unknown> };
  const response = created.response as { data: Record<string, unknown> };

  it('sees a member that the contract of an answer does not name', () => {
    const answer = { ...response, data: { ...response.data, surprise: 1 } };
    expect(validator.responseErrors({ ...created, response: answer })).toEqual([
      'answer /data must NOT have additional properties {"additionalProperty":"surprise"}',
    ]);
  });

  it('sees an answer without a member that the contract requires', () => {
    const { status: _status, ...data } = response.data;
    expect(validator.responseErrors({ ...created, response: { ...response, data } })).toHaveLength(1);
  });

  it('sees a wrong type deep inside a request', () => {
    const data = { ...request.data, procuringEntity: { name: 1 } };
    expect(validator.requestErrors({ ...created, request: { data } }).length).toBeGreaterThan(0);
  });

  it('sees an error answer that is not a problem', () => {
    expect(validator.responseErrors({ ...created, status: 403, response: { status: 'error' } })).toHaveLength(1);
  });
});
