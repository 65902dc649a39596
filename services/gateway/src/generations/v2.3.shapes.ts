import type { JsonSchema, SegmentShapes } from '@procurement/contracts/openapi';

/**
 * Shapes of segment 2.3 for its reference, made of the canonical ones so that what both have is said once. Beside the
 * codec, because it says in schemas what the codec does.
 */
export const shapes23: SegmentShapes = {
  Bid: (bid) => withMembers(bid, { status: { enum: ['registration', 'invalidBid', 'draft'] }, tenderers: list(PARTY) }),
  BidInput: (bid) =>
    withMembers(bid, {
      status: { enum: ['registration', 'validBid', 'active', 'draft'] },
      tenderers: list(PARTY_INPUT),
    }),
};

const text = { type: 'string' } as const;
const ADDRESS = { $ref: '#/components/schemas/Address' } as const;

const PARTY: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'object', properties: { name: text, scheme: text, uid: text, uri: text } },
    address: ADDRESS,
  },
};

const PARTY_INPUT: JsonSchema = {
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

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

function withMembers(schema: JsonSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = schema['properties'];
  return { ...schema, properties: { ...(typeof properties === 'object' ? properties : {}), ...members } };
}
