import { LIST_ELEMENTS_MAX, TEXT_CHARACTERS_MAX, type TextKind } from '@procurement/contracts/limits';
import type { JsonSchema, SegmentSchemaOverrides } from '../schema-overrides.ts';
import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { wireName, type ChangedType, type Segment23Or0 } from '../member-table-for-2.3-and-0.ts';

/** Bid statuses of a segment: those it shows, and those that a request may say. */
export interface BidStatuses {
  readonly shown: readonly string[];
  readonly accepted: readonly string[];
}

/** OpenAPI schemas of segment 2.3. */
export const schemas23: SegmentSchemaOverrides = {
  ...bidAndAwardSchemas('2.3', {
    shown: ['registration', 'invalidBid', 'draft'],
    accepted: ['registration', 'validBid', 'active', 'draft'],
  }),
  Tender: withoutHidden,
  TenderInput: withoutHidden,
};

function withoutHidden(tender: JsonSchema): JsonSchema {
  return withWireNames('Tender', '2.3', tender);
}

/** Schemas of bids, awards and the auction record on segments 2.3 and 0, made from the canonical ones. */
export function bidAndAwardSchemas(segment: Segment23Or0, statuses: BidStatuses): SegmentSchemaOverrides {
  const bidInput = (bid: JsonSchema): JsonSchema =>
    withMembers(withWireNames('Bid', segment, bid), {
      status: { enum: statuses.accepted },
      tenderers: { ...buildListSchema(PARTY_INPUT_SCHEMA), maxItems: LIST_ELEMENTS_MAX.tenderers },
    });
  return {
    Bid: (bid) =>
      withMembers(withWireNames('Bid', segment, bid), {
        status: { enum: statuses.shown },
        tenderers: buildListSchema(PARTY_SCHEMA),
      }),
    BidInput: bidInput,
    BidPatch: bidInput,
    Award: (award) => withMembers(withWireNames('Award', segment, award), { suppliers: buildListSchema(PARTY_SCHEMA) }),
    AwardInput: (award) =>
      withMembers(withWireNames('Award', segment, award), {
        suppliers: { ...buildListSchema(PARTY_INPUT_SCHEMA), maxItems: LIST_ELEMENTS_MAX.suppliers },
      }),
    AwardPatch: (award) => withWireNames('Award', segment, award),
    ...contractSchemas(segment),
    ...documentSchemas(segment),
    ...businessOrganizationSchemas(segment),
    Auction: (auction) => withMembers(withWireNames('Auction', segment, auction), PARTIAL_AUCTION_MEMBERS),
  };
}

function contractSchemas(segment: Segment23Or0): SegmentSchemaOverrides {
  const types = ['Contract', 'StandaloneContract', 'ContractValue'] as const;
  return Object.fromEntries(
    types.map((type) => [type, (contract: JsonSchema) => withWireNames(type, segment, contract)]),
  );
}

function documentSchemas(segment: Segment23Or0): SegmentSchemaOverrides {
  const shown = (document: JsonSchema): JsonSchema => withWireNames('Document', segment, document);
  const contractBodies = { ContractDocumentInput: shown, ContractDocumentPatch: shown };
  return { Document: shown, DocumentWithHistory: shown, DocumentInput: shown, DocumentPatch: shown, ...contractBodies };
}

/** Bidders and suppliers in canonical form: in bodies, and as suppliers of contracts. */
export function businessOrganizationSchemas(segment: Segment23Or0): SegmentSchemaOverrides {
  const shown = (organization: JsonSchema): JsonSchema => withWireNames('BusinessOrganization', segment, organization);
  return { BusinessOrganization: shown, BusinessOrganizationInput: shown };
}

/** The schema of a type without hidden members, under wire names. */
export function withWireNames(type: ChangedType, segment: Segment23Or0, canonical: JsonSchema): JsonSchema {
  return renameMembers(canonical, (name) => wireName(type, segment, name));
}

const text = { type: 'string' } as const;
/** Members of the auction record that are shown in part (generations.md 3.9). */
const PARTIAL_AUCTION_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  minimalStep: { type: 'object', properties: { amount: { type: 'number' }, currency: text } },
  tenderPeriod: { type: 'object', properties: { startDate: { ...text, format: 'date-time' } } },
};
const ADDRESS = { $ref: '#/components/schemas/Address' } as const;
const ADDRESS_INPUT = { $ref: '#/components/schemas/AddressInput' } as const;

/** A party in a response. */
export const PARTY_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'object', properties: { name: text, scheme: text, uid: text, uri: text } },
    address: ADDRESS,
  },
};

/** A text in a request. */
export function limited(kind: TextKind): JsonSchema {
  return { ...text, maxLength: TEXT_CHARACTERS_MAX[kind] };
}

/** A party in a request. */
export const PARTY_INPUT_SCHEMA: JsonSchema = {
  description: 'Either spelling is read',
  anyOf: [
    {
      type: 'object',
      properties: {
        id: {
          type: 'object',
          properties: {
            name: limited('name'),
            scheme: { ...limited('identifier'), default: 'UA-EDR' },
            uid: limited('identifier'),
            uri: limited('url'),
          },
          required: ['name'],
        },
        address: ADDRESS_INPUT,
      },
      required: ['id'],
    },
    { $ref: '#/components/schemas/BusinessOrganizationInput' },
  ],
};

/** The schema of a list. */
export function buildListSchema(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** The schema with these members added or replaced. */
export function withMembers(schema: JsonSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = schema['properties'];
  return { ...schema, properties: { ...(typeof properties === 'object' ? properties : {}), ...members } };
}

/** The schema of an object with its members renamed; drops a member for which `nameOf` gives undefined. */
export function renameMembers(schema: JsonSchema, nameOf: (name: string) => string | undefined): JsonSchema {
  const { properties, required, ...rest } = schema;
  const renamedProperties = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, member]) => {
    const wire = nameOf(name);
    return wire === undefined ? [] : [[wire, member] as const];
  });
  const requiredNames = Array.isArray(required) ? required.map((name) => nameOf(String(name))) : [];
  const requiredWireNames = requiredNames.filter((name) => name !== undefined);
  return {
    ...rest,
    properties: Object.fromEntries(renamedProperties),
    ...(requiredWireNames.length > 0 ? { required: requiredWireNames } : {}),
  };
}
