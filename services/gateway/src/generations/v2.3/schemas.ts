import type { JsonSchema, SegmentSchemaOverrides } from '../schema-overrides.ts';
import { isObject } from '../codec.ts';
import { AWARD_WIRE_NAMES } from './awards.ts';

/**
 * Shapes of segment 2.3 for its reference, made of the canonical ones so that what both have is said once. Beside the
 * codec, because it says in schemas what the codec does.
 */
export const schemas23: SegmentSchemaOverrides = {
  Bid: (bid) =>
    withMembers(bid, { status: { enum: ['registration', 'invalidBid', 'draft'] }, tenderers: listOf(PARTY_SCHEMA) }),
  BidInput: bidInput,
  BidPatch: bidInput,
  Award: (award) =>
    withMembers(
      renameMembers(award, (name) => AWARD_WIRE_NAMES[name] ?? name),
      { suppliers: listOf(PARTY_SCHEMA) },
    ),
  AwardInput: (award) =>
    withMembers(
      renameMembers(award, (name) => AWARD_WIRE_NAMES[name] ?? name),
      { suppliers: listOf(PARTY_INPUT_SCHEMA) },
    ),
};

function bidInput(bid: JsonSchema): JsonSchema {
  return withMembers(bid, {
    status: { enum: ['registration', 'validBid', 'active', 'draft'] },
    tenderers: listOf(PARTY_INPUT_SCHEMA),
  });
}

const text = { type: 'string' } as const;
const ADDRESS = { $ref: '#/components/schemas/Address' } as const;

/** An organization as old segments show it. */
export const PARTY_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'object', properties: { name: text, scheme: text, uid: text, uri: text } },
    address: ADDRESS,
  },
};

/** The same in a request. */
export const PARTY_INPUT_SCHEMA: JsonSchema = {
  description: 'Either spelling is read',
  anyOf: [
    {
      type: 'object',
      properties: {
        id: {
          type: 'object',
          properties: { name: text, scheme: { ...text, default: 'UA-EDR' }, uid: text, uri: text },
          required: ['name'],
        },
        address: ADDRESS,
      },
      required: ['id'],
    },
    { $ref: '#/components/schemas/OrganizationInput' },
  ],
};

/** The schema of a list. */
export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** The schema with some members otherwise. */
export function withMembers(schema: JsonSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = schema['properties'];
  return { ...schema, properties: { ...(typeof properties === 'object' ? properties : {}), ...members } };
}

/** The schema of an object with other names; a member without a name is left out. */
export function renameMembers(schema: JsonSchema, nameOf: (name: string) => string | undefined): JsonSchema {
  const { properties, required, ...rest } = schema;
  const renamedProperties = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) => {
    const wire = nameOf(name);
    return wire === undefined ? [] : [[wire, member] as const];
  });
  const requiredNames = Array.isArray(required) ? required.map((name) => nameOf(String(name))) : [];
  const shownRequired = requiredNames.filter((name) => name !== undefined);
  return {
    ...rest,
    properties: Object.fromEntries(renamedProperties),
    ...(shownRequired.length > 0 ? { required: shownRequired } : {}),
  };
}
