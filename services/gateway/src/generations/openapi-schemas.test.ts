import { openApi } from '../description/openapi.ts';
import type { Segment } from '@procurement/contracts/api/route';
import { routes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import { fixture, type Json } from '../../test-support/generations.ts';
import { selectContracts } from '../request/routes.table.ts';
import type { Generation01 } from './codec.ts';
import { selectSchemas } from './openapi-schemas.ts';

/** The component schemas in the OpenAPI document of a generation. */
const buildComponents = (generation: Segment, generation01: Generation01 = 'middle'): Json => {
  const segment = { segment: generation, generation, baseUrl: '', release: '' };
  const document: Json = openApi(selectContracts(generation, routes, generation01), segment, {
    overrides: selectSchemas(generation, generation01),
  });
  return document.components.schemas;
};

const listMembers = (generation: Segment, component: string, generation01?: Generation01): readonly string[] =>
  Object.keys(buildComponents(generation, generation01)[component].properties);

/** Types of all members of a name, in every schema and at any depth. */
function collectTypes(schema: Json, name: string): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema.properties?.[name]?.type;
  return [...(own === undefined ? [] : [own]), ...Object.values(schema).flatMap((part) => collectTypes(part, name))];
}

describe('OpenAPI schemas of a segment', () => {
  it.each([
    ['0', 'middle', 'tender.0.json', 'Tender'],
    ['0.1', 'middle', 'tender.0.1-middle.json', 'Tender'],
    ['0.1', 'earliest', 'tender.0.1-earliest.json', 'Tender'],
    ['2.3', 'middle', 'bid.2.3.json', 'Bid'],
    ['0.1', 'middle', 'bid.0.1-middle.json', 'Bid'],
  ] as const)('on %s %s contain every member of %s', (generation, generation01, file, component) => {
    const shown = Object.keys(fixture(file)).filter((name) => name !== 'documents');
    expect(listMembers(generation, component, generation01)).toEqual(expect.arrayContaining(shown));
  });

  it('have wire names for items in requests on 0.1', () => {
    expect([...listMembers('0.1', 'ItemInput')].sort()).toEqual([
      'additionalClassification',
      'description',
      'primaryClassification',
      'quantity',
      'unitOfMeasure',
      'valuePerUnit',
    ]);
  });

  it.each([
    ['2.5', 'middle'],
    ['2.3', 'middle'],
    ['0', 'middle'],
    ['0.1', 'middle'],
    ['0.1', 'earliest'],
  ] as const)('on %s %s call a number what interface.md calls one (rulings R42)', (generation, generation01) => {
    const components = buildComponents(generation, generation01);
    for (const name of ['amount', 'quantity']) {
      expect([name, ...new Set(collectTypes(components, name))]).toEqual([name, 'number']);
    }
    if (components.FeatureValue !== undefined)
      expect(collectTypes(components.FeatureValue, 'value')).toEqual(['number']);
  });

  it('leave out members that 0 hides', () => {
    expect(listMembers('0', 'Tender')).not.toContain('features');
    expect(listMembers('2.3', 'Tender')).toContain('features');
  });
});
