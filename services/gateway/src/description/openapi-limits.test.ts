import { describe, expect, it } from 'vitest';
import { routes } from '@procurement/contracts/api/routes';
import type { Segment } from '@procurement/contracts/api/route';
import type { Generation01 } from '../generations/codec.ts';
import { selectSchemas } from '../generations/openapi-schemas.ts';
import { selectContracts } from '../request/routes.table.ts';
import { openApi, type OpenApiDocument } from './openapi.ts';

// Plain JSON: the tests assert its shape.
type Json = any;

const PREFIX = '#/components/schemas/';

/** Every schema that the bodies of requests reach, with its place. */
function bodySchemas(document: OpenApiDocument): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  const visit = (schema: Json, place: string): void => {
    if (typeof schema !== 'object' || schema === null || found.has(place)) return;
    const reference: string | undefined = schema.$ref;
    if (reference !== undefined) {
      visit((document.components as Json).schemas[reference.slice(PREFIX.length)], reference.slice(PREFIX.length));
      return;
    }
    found.set(place, schema);
    for (const [name, member] of Object.entries(schema.properties ?? {})) visit(member, `${place}.${name}`);
    if (schema.items !== undefined) visit(schema.items, `${place}[]`);
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      (schema[key] ?? []).forEach((option: Json, at: number) => visit(option, `${place}<${at}>`));
    }
  };
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods) as Json[]) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      if (schema !== undefined) visit(schema, operation.operationId);
    }
  }
  return found;
}

function hasType(schema: Json, type: string): boolean {
  return [schema.type].flat().includes(type);
}

function buildDocument(generation: Segment, generation01: Generation01, sandbox: boolean): OpenApiDocument {
  const about = {
    segment: generation,
    generation,
    baseUrl: `https://api.example.org/api/${generation}`,
    release: '1.0.0',
    sandbox,
  };
  return openApi(selectContracts(generation, routes, generation01), about, {
    overrides: selectSchemas(generation, generation01),
  });
}

const DOCUMENTS = [
  ['2.5', 'middle', false],
  ['2.5', 'middle', true],
  ['2.3', 'middle', false],
  ['0', 'middle', false],
  ['0.1', 'middle', false],
  ['0.1', 'earliest', false],
] as const satisfies readonly (readonly [Segment, Generation01, boolean])[];

describe.each(DOCUMENTS)(
  'bodies of segment %s, generation %s of 0.1, sandbox %s',
  (generation, generation01, sandbox) => {
    const schemas = bodySchemas(buildDocument(generation, generation01, sandbox));

    it('have a maxLength on every text', () => {
      const texts = [...schemas].filter(([, schema]) => hasType(schema, 'string') && schema.enum === undefined);
      const fixed = texts.filter(([, schema]) => schema.const === undefined);
      expect(fixed.length).toBeGreaterThan(30);
      expect(fixed.filter(([, schema]) => schema.maxLength === undefined).map(([place]) => place)).toEqual([]);
    });

    it('have a maxItems on every list', () => {
      const lists = [...schemas].filter(([, schema]) => hasType(schema, 'array'));
      expect(lists.length).toBeGreaterThan(3);
      expect(lists.filter(([, schema]) => schema.maxItems === undefined).map(([place]) => place)).toEqual([]);
    });
  },
);

describe('answers', () => {
  it('mark each enumeration as open, and bodies none', () => {
    const { schemas } = buildDocument('2.5', 'middle', false).components as Json;
    const { status } = schemas.Tender.properties;
    expect(status.enum.length).toBeGreaterThan(5);
    expect(status['x-extensible-enum']).toEqual(status.enum);
    expect(status.description).toMatch(/(^|\. )Later releases may add values\.$/);
    const { scale } = schemas.BusinessOrganizationInput.properties;
    expect(scale.enum).toContain('sme');
    expect(scale['x-extensible-enum']).toBeUndefined();
  });

  it('have no limits, because stored objects may be larger (limits.md 1)', () => {
    const { schemas } = buildDocument('2.5', 'middle', false).components as Json;
    const { title, items } = schemas.Tender.properties;
    expect([title.maxLength, items.maxItems]).toEqual([undefined, undefined]);
    expect(schemas.TenderInput.properties.items.maxItems).toBe(1_000);
  });
});
