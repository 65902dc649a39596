import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { DescribedRoute } from './described-route.ts';
import { routes } from '@procurement/contracts/api/routes';
import type { Segment } from '@procurement/contracts/api/route';
import { openApi, type OpenApiDocument } from './openapi.ts';

// Plain JSON: the tests assert its shape.
type Json = any;

const inSegment = (generation: Segment) =>
  ({
    segment: generation,
    generation,
    baseUrl: `https://api.example.org/api/${generation}`,
    release: '1.0.0',
  }) as const;

/** Every `$ref` in a document. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : references(member),
  );
}

function resolveReference(document: OpenApiDocument, reference: string): unknown {
  const steps = reference.replace('#/', '').split('/');
  let value: Json = document;
  for (const step of steps) value = value?.[step];
  return value;
}

describe.each<Segment>(['2.5', '2.3'])('the OpenAPI document of segment %s', (segment) => {
  const document = openApi(routes, inSegment(segment));

  it('has exactly the routed operations', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const routed = routes
      .filter((route) => route.segments.includes(segment))
      .map((route) => `${route.method.toLowerCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(routed.sort());
  });

  it('resolves every reference', () => {
    const found = references(document);
    expect(found.length).toBeGreaterThan(10);
    for (const reference of found) expect(resolveReference(document, reference), reference).toBeDefined();
  });

  it('gives every operation a unique name', () => {
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one['operationId']),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the OpenAPI document of segment 2.5', () => {
  const { paths, webhooks = {}, components, info } = openApi(routes, inSegment('2.5'));
  const formatParameters = (path: string, method: string): string =>
    JSON.stringify((paths[path]?.[method] as Json)?.parameters);

  it('has no format parameter where it is refused', () => {
    expect(formatParameters('/stream', 'get')).not.toContain('opt_');
    expect(formatParameters('/webhooks', 'post')).not.toContain('opt_dry_run');
    expect(formatParameters('/tenders', 'post')).toContain('opt_dry_run');
  });

  it('types the data of each event of the stream', () => {
    const get: Json = paths['/stream']?.['get'];
    const { schema } = get.responses[200].content['text/event-stream'];
    const names = ['ChangeNotice', 'StreamHello', 'StreamBehind', 'StreamReset', 'StreamBye'];
    expect(schema.properties.data.contentSchema.anyOf).toEqual(
      names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    );
  });

  it('describes what is sent to a webhook: headers, bodies, and what the receiver answers', () => {
    expect(Object.keys(webhooks)).toEqual(['tenderChange', 'webhookVerify', 'webhookTest']);
    for (const [name, { post }] of Object.entries<Json>(webhooks)) {
      const required = post.parameters.filter((parameter: Json) => parameter.required);
      expect(required.map((parameter: Json) => parameter.name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      const reference = post.requestBody.content['application/json'].schema.$ref;
      const schema = (components['schemas'] as Json)[reference.split('/').at(-1)];
      expect(schema.required, name).toEqual(['type', 'timestamp', 'data']);
    }
    const answer = (webhooks['webhookVerify'] as Json).post.responses['2XX'].content['application/json'].schema;
    expect(answer).toEqual({ $ref: '#/components/schemas/WebhookVerifyAnswer' });
    expect(openApi(routes, inSegment('2.3')).webhooks).toBeUndefined();
  });

  it('has 400 at every read, and a contact', () => {
    const reads = Object.values(paths).flatMap(({ get }) => (get === undefined ? [] : [get as Json]));
    for (const { operationId, responses } of reads) expect(responses['400'], operationId).toBeDefined();
    expect(info.contact.url).toBe('https://api.example.org/docs');
  });
});

describe('openApi', () => {
  const Value = z.object({ amount: z.number(), currency: z.string().default('UAH') }).meta({ id: 'Value' });
  const route: DescribedRoute = {
    name: 'createThing',
    method: 'POST',
    path: '/things/:thing_id/parts',
    spore: 'post_collection_thing parts',
    summary: 'Add a part',
    description: 'Adds a part to a thing.',
    segments: ['2.5'],
    body: z.object({ value: Value }),
    responses: { 201: z.object({ value: Value }) },
    access: true,
  };
  const document = openApi([route], inSegment('2.5'));
  const post = document.paths['/things/{thing_id}/parts']?.['post'] as Json;

  it('has separate components for requests and answers', () => {
    const schemas = document.components['schemas'] as Json;
    expect(schemas.Value.required).toEqual(['amount', 'currency']);
    expect(schemas.ValueInput.required).toEqual(['amount']);
    expect(post.requestBody.content['application/json'].schema.properties.data.properties.value).toEqual({
      $ref: '#/components/schemas/ValueInput',
    });
  });

  it('describes path, tokens, errors and credentials', () => {
    expect(post.parameters).toEqual([
      {
        name: 'thing_id',
        in: 'path',
        required: true,
        description: 'Identifier of the thing',
        schema: { type: 'string' },
      },
      { $ref: '#/components/parameters/opt_pretty' },
      { $ref: '#/components/parameters/opt_dry_run' },
      { $ref: '#/components/parameters/acc_token' },
      { $ref: '#/components/parameters/X-Access-Token' },
      { $ref: '#/components/parameters/Idempotency-Key' },
    ]);
    expect(Object.keys(post.responses)).toEqual([
      '201',
      '401',
      '403',
      '404',
      '405',
      '409',
      '413',
      '415',
      '422',
      '429',
      '503',
    ]);
    expect(post.security).toEqual([{ basic: [] }, { bearer: [] }]);
    expect(post.responses[201].content['application/json'].schema.required).toEqual(['data', 'access']);
  });

  it('requires nothing of a PATCH', () => {
    const Thing = z.object({ title: z.string() }).meta({ id: 'Thing' });
    const patched = openApi([{ ...route, method: 'PATCH', body: Thing, responses: { 200: Thing } }], inSegment('2.5'));
    const schemas = patched.components['schemas'] as Json;
    expect(Object.keys(schemas)).not.toContain('ThingInput');
    expect([schemas.Thing.required, schemas.ThingPatch.required]).toEqual([['title'], undefined]);
    expect(JSON.stringify(patched.paths)).toContain('#/components/schemas/ThingPatch');
  });

  it('requires nothing of an object inside a PATCH', () => {
    const Thing = z.object({ value: Value, parts: z.array(Value).min(1) }).meta({ id: 'Thing' });
    const patched = openApi([{ ...route, method: 'PATCH', body: Thing, responses: { 200: Thing } }], inSegment('2.5'));
    const schemas = patched.components['schemas'] as Json;
    expect(schemas.ThingPatch.properties.value).toEqual({ $ref: '#/components/schemas/ValuePatch' });
    expect(schemas.ThingPatch.properties.parts).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/ValuePatch' },
    });
    expect(schemas.ValuePatch.required).toBeUndefined();
    expect(schemas.ValuePatch.properties.currency.default).toBeUndefined();
  });

  it('says the default of a member that a body may leave out', () => {
    const schemas = document.components['schemas'] as Json;
    expect(schemas.ValueInput.properties.currency.default).toBe('UAH');
  });

  it('describes the form of a body that the segment has, under the same name', () => {
    const strict = z.object({ title: z.string() }).meta({ id: 'ThingInput' });
    const early = z.object({ name: z.string() }).meta({ id: 'EarlyThingInput' });
    const twoForms: DescribedRoute = { ...route, segments: ['2.5', '0'], body: strict, bodyBySegment: { '0': early } };
    const listRequired = (segment: Segment): Json =>
      (openApi([twoForms], inSegment(segment)).components['schemas'] as Json).ThingInput.required;
    expect([listRequired('2.5'), listRequired('0')]).toEqual([['title'], ['name']]);
  });

  it('refuses two schemas of one name', () => {
    const strict = z.object({ title: z.string() }).meta({ id: 'PartInput' });
    const early = z.object({ strict, name: z.string() }).meta({ id: 'EarlyPartInput' });
    expect(() => openApi([{ ...route, body: early }], inSegment('2.5'))).toThrow('are both called PartInput');
  });

  it('puts equal examples into the document once', () => {
    const examples = { createThing: { request: { data: 1 }, response: { data: 1 } } };
    const shown = openApi([route], inSegment('2.5'), { examples }).components['examples'];
    expect(shown).toEqual({ createThingResponse: { value: { data: 1 } } });
  });

  it('replaces canonical schemas by those of a segment', () => {
    const other = openApi([route], inSegment('2.5'), {
      overrides: { Value: (canonical) => ({ was: canonical['type'] }), Unused: () => ({}) },
    }).components['schemas'] as Json;
    expect(other.Value).toEqual({ was: 'object' });
    expect(other.Unused).toBeUndefined();
  });

  it('leaves out operations of other segments', () => {
    expect(openApi([route], inSegment('2.3')).paths).toEqual({});
  });
});
