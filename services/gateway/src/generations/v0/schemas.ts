import type { JsonSchema, SegmentSchemaOverrides } from '../schema-overrides.ts';
import { bidAndAwardSchemas, withWireNames } from '../v2.3/schemas.ts';

/** Members that a creation on segment 0 may leave out because they have a default (generations.md 5.6, 5.7). */
const DEFAULTED: ReadonlySet<string> = new Set(['title', 'minimalStep']);

const withoutHidden = (tender: JsonSchema): JsonSchema => withWireNames('Tender', '0', tender);

/** OpenAPI schemas of segment 0. */
export const schemas0: SegmentSchemaOverrides = {
  ...bidAndAwardSchemas('0', {
    shown: ['registration', 'invalidBid'],
    accepted: ['registration', 'validBid', 'active'],
  }),
  Tender: withoutHidden,
  TenderInput: (tender) => {
    const { required, ...rest } = withoutHidden(tender);
    return Array.isArray(required)
      ? { ...rest, required: required.filter((name) => !DEFAULTED.has(String(name))) }
      : rest;
  },
};
