import type { JsonSchema, SegmentSchemaOverrides } from '../schema-overrides.ts';
import { HIDDEN_ON_0 } from './tender.ts';
import { PARTY_SCHEMA, PARTY_INPUT_SCHEMA, listOf, renameMembers, schemas23, withMembers } from '../v2.3/schemas.ts';

/** What a creation on segment 0 need not say, beside what is not shown there (generations.md 5.7). */
const DEFAULTED: ReadonlySet<string> = new Set(['title', 'minimalStep']);

/** Shapes of segment 0 for its reference: those of 2.3 with less of a tender, and without drafts. */
export const schemas0: SegmentSchemaOverrides = {
  ...schemas23,
  Bid: (bid) => withMembers(bid, { status: { enum: ['registration', 'invalidBid'] }, tenderers: listOf(PARTY_SCHEMA) }),
  BidInput: bidInput,
  BidPatch: bidInput,
  Tender: withoutHidden,
  TenderInput: (tender) => {
    const { required, ...rest } = withoutHidden(tender);
    return Array.isArray(required)
      ? { ...rest, required: required.filter((name) => !DEFAULTED.has(String(name))) }
      : rest;
  },
  TenderPatch: withoutHidden,
};

function bidInput(bid: JsonSchema): JsonSchema {
  return withMembers(bid, {
    status: { enum: ['registration', 'validBid', 'active'] },
    tenderers: listOf(PARTY_INPUT_SCHEMA),
  });
}

function withoutHidden(tender: JsonSchema): JsonSchema {
  return renameMembers(tender, (name) => (HIDDEN_ON_0.has(name) ? undefined : name));
}
