import type { JsonSchema, SegmentShapes } from '@procurement/contracts/openapi';
import type { EarlyGeneration } from './codec.ts';
import { memberOf, type TypeName } from './v0.1.tables.ts';
import { list, PARTY, PARTY_INPUT, renamed, withMembers } from './v2.3.shapes.ts';

/** Components of the reference, and the type of segment 0.1 that each is. */
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
};
/** As answered, as sent, as sent in part. */
const FORMS = ['', 'Input', 'Patch'] as const;

/** Shapes of one generation of segment 0.1 for its reference, made of the canonical ones by the tables of the codec. */
export function shapesOfEarly(early: EarlyGeneration): SegmentShapes {
  const shapes: Record<string, (canonical: JsonSchema) => JsonSchema> = {
    FeedEntry: (entry) => renamed(entry, (name) => (name === 'dateModified' ? 'modified' : name)),
    ProcuringEntity: () => PARTY,
    ProcuringEntityInput: () => PARTY_INPUT,
  };
  for (const [component, type] of Object.entries(COMPONENTS)) {
    for (const form of FORMS) shapes[component + form] = (schema) => earlyShape(schema, type, form, early);
  }
  return shapes;
}

function earlyShape(
  schema: JsonSchema,
  type: TypeName,
  form: (typeof FORMS)[number],
  early: EarlyGeneration,
): JsonSchema {
  if (type === 'AuctionBid' && early === 'earliest') return FLAT;
  const named = renamed(schema, (name) => memberOf(type, name)?.[early]);
  const value = { $ref: `#/components/schemas/Value${form === '' ? '' : 'Input'}` };
  const shaped = withMembers(named, special(type, form, early, value));
  if (form === '') return shaped;
  // Next to nothing is required on segment 0.1 (generations.md 5.7).
  const { required: _required, ...free } = shaped;
  return free;
}

/** An entry of auction results as the earliest generation writes it. */
const FLAT: JsonSchema = { type: 'object', properties: { amount: { type: 'number' }, currency: { type: 'string' } } };

/** Members that are more than renamed. */
function special(
  type: TypeName,
  form: (typeof FORMS)[number],
  early: EarlyGeneration,
  value: JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  const parties = list(form === '' ? PARTY : PARTY_INPUT);
  const end = { type: 'object', properties: { endDate: { type: 'string', format: 'date-time' } } } as const;
  if (type === 'Item') return { unitOfMeasure: { type: 'string' }, valuePerUnit: value };
  if (type === 'Tender' && early === 'middle') return { deliveryDate: end };
  if (type === 'Bid') return { status: { enum: ['registration', 'invalidBid'] }, bidders: parties };
  if (type === 'Award') return { suppliers: parties };
  return {};
}
