import type { JsonSchema, SegmentShapes } from '@procurement/contracts/openapi';
import { HIDDEN_ON_0 } from './v0.tender.ts';
import { PARTY, PARTY_INPUT, list, renamed, shapes23, withMembers } from './v2.3.shapes.ts';

/** What a creation on segment 0 need not say, beside what is not shown there (generations.md 5.7). */
const FILLED: ReadonlySet<string> = new Set(['title', 'minimalStep']);

/** Shapes of segment 0 for its reference: those of 2.3 with less of a tender, and without drafts. */
export const shapes0: SegmentShapes = {
  ...shapes23,
  Bid: (bid) => withMembers(bid, { status: { enum: ['registration', 'invalidBid'] }, tenderers: list(PARTY) }),
  BidInput: sentBid,
  BidPatch: sentBid,
  Tender: cut,
  TenderInput: (tender) => {
    const { required, ...rest } = cut(tender);
    return Array.isArray(required) ? { ...rest, required: required.filter((name) => !FILLED.has(String(name))) } : rest;
  },
  TenderPatch: cut,
};

function sentBid(bid: JsonSchema): JsonSchema {
  return withMembers(bid, { status: { enum: ['registration', 'validBid', 'active'] }, tenderers: list(PARTY_INPUT) });
}

function cut(tender: JsonSchema): JsonSchema {
  return renamed(tender, (name) => (HIDDEN_ON_0.has(name) ? undefined : name));
}
