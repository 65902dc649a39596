import type { JsonSchema, SegmentSchemaOverrides } from '../schema-overrides.ts';
import type { Generation01 } from '../codec.ts';
import { findMember, type TypeName } from './member-table.ts';
import {
  businessOrganizationSchemas,
  limited,
  buildListSchema,
  PARTY_SCHEMA,
  PARTY_INPUT_SCHEMA,
  renameMembers,
  withMembers,
} from '../v2.3/schemas.ts';

/** OpenAPI component to type of segment 0.1. */
const COMPONENTS: Readonly<Record<string, TypeName>> = {
  Tender: 'Tender',
  Item: 'Item',
  CPVClassification: 'Classification',
  Classification: 'Classification',
  Address: 'Address',
  Bid: 'Bid',
  Award: 'Award',
  Auction: 'Auction',
  AuctionBid: 'AuctionBid',
  Document: 'Document',
  DocumentWithHistory: 'Document',
};
/** Suffixes of components: response, request, PATCH. */
const BODY_KINDS = ['', 'Input', 'Patch'] as const;

/** OpenAPI schemas of one generation of segment 0.1, made from the canonical ones by the member table. */
export function buildSchemas01(generation01: Generation01): SegmentSchemaOverrides {
  const schemas: Record<string, (canonical: JsonSchema) => JsonSchema> = {
    FeedEntry: (entry) => renameMembers(entry, (name) => (name === 'dateModified' ? 'modified' : name)),
    ...businessOrganizationSchemas('0'),
    ProcuringEntity: () => PARTY_SCHEMA,
    ProcuringEntityInput: () => PARTY_INPUT_SCHEMA,
  };
  for (const [component, type] of Object.entries(COMPONENTS)) {
    for (const bodyKind of BODY_KINDS)
      schemas[component + bodyKind] = (schema) => toSchema01(schema, type, bodyKind, generation01);
  }
  return schemas;
}

function toSchema01(
  schema: JsonSchema,
  type: TypeName,
  bodyKind: (typeof BODY_KINDS)[number],
  generation01: Generation01,
): JsonSchema {
  if (type === 'AuctionBid' && generation01 === 'earliest') return FLAT_AUCTION_BID;
  const renamed = renameMembers(schema, (name) => findMember(type, name)?.[generation01]);
  const value = { $ref: `#/components/schemas/Value${bodyKind === '' ? '' : 'Input'}` };
  const mapped = withMembers(renamed, specialMembers(type, bodyKind, generation01, value));
  if (bodyKind === '') return mapped;
  // Segment 0.1 requires almost nothing, so no member is marked as required (generations.md 5.7).
  const { required: _required, ...optional } = mapped;
  return optional;
}

/** An auction bid of the earliest generation. */
const FLAT_AUCTION_BID: JsonSchema = {
  type: 'object',
  properties: { amount: { type: 'number' }, currency: { type: 'string', maxLength: 3 } },
};

const AMOUNT_AND_CURRENCY: JsonSchema = {
  type: 'object',
  properties: { amount: { type: 'number' }, currency: { type: 'string' } },
};
const START_ONLY: JsonSchema = { type: 'object', properties: { startDate: { type: 'string', format: 'date-time' } } };

/** Members of the auction record that are shown in part (generations.md 3.9). */
const AUCTION_MEMBERS: Readonly<Record<Generation01, Readonly<Record<string, JsonSchema>>>> = {
  middle: { minimalStep: AMOUNT_AND_CURRENCY, tenderPeriod: START_ONLY },
  earliest: { minimalStep: AMOUNT_AND_CURRENCY, period: START_ONLY },
};

/** Members whose schema changes beyond the name. */
function specialMembers(
  type: TypeName,
  bodyKind: (typeof BODY_KINDS)[number],
  generation01: Generation01,
  value: JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const parties =
    bodyKind === '' ? buildListSchema(PARTY_SCHEMA) : { ...buildListSchema(PARTY_INPUT_SCHEMA), maxItems: 1 };
  const endOnly = { type: 'object', properties: { endDate: { ...limited('date'), format: 'date-time' } } } as const;
  if (type === 'Item') return { unitOfMeasure: limited('name'), valuePerUnit: value };
  if (type === 'Tender' && generation01 === 'middle') return { deliveryDate: endOnly };
  if (type === 'Bid') return { status: { enum: ['registration', 'invalidBid'] }, bidders: parties };
  if (type === 'Award') return { suppliers: parties };
  if (type === 'Auction' && bodyKind === '') return AUCTION_MEMBERS[generation01];
  return {};
}
