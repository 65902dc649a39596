import { deepEqual } from '@procurement/domain/equality';
import { invalid, type ErrorEntry } from '@procurement/contracts/problems/problems';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { DecodeResult } from '../codec.ts';
import { rewriteEach, type ValueRewriter } from '../../json/json-rewriter.ts';
import { makeEncoder } from '../encode-for-2.3-and-0.ts';
import { membersOf, type Segment23Or0 } from '../member-table-for-2.3-and-0.ts';
import { partyEncoder, decodeParties } from '../party.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from '../resolve-duplicates.ts';

/** Members with a wire name of their own, which is the same on both segments (generations.md 3.8). */
const RENAMED = membersOf('Award').flatMap(({ name, '2.3': wire, readOnly = false }) =>
  wire === undefined || wire === name ? [] : [{ canonical: name, wire, readOnly }],
);
/** The service sets `id` and `date`; a request may echo them under either name, and they are ignored. */
const READ_ONLY: ReadonlySet<string> = new Set(
  RENAMED.flatMap(({ canonical, wire, readOnly }) => (readOnly ? [canonical, wire] : [])),
);
const WRITABLE = RENAMED.filter(({ readOnly }) => !readOnly);

/** Encodes a canonical award for segments 2.3 and 0. */
export function awardEncoder(segment: Segment23Or0): ValueRewriter {
  return makeEncoder('Award', segment, { suppliers: rewriteEach(partyEncoder()) });
}

/** True when a value came under two names and differs: the stored award decides which counts (generations.md 5.3). */
export function awardNeedsStored(data: JsonObject): boolean {
  return WRITABLE.some(
    ({ wire, canonical }) =>
      Object.hasOwn(data, wire) && Object.hasOwn(data, canonical) && !deepEqual(data[wire], data[canonical]),
  );
}

export interface AwardDecodeOptions {
  /** Whether a supplier without a scheme gets the default one. */
  readonly fillScheme: boolean;
  /** The canonical award that is changed; needed when `awardNeedsStored`. */
  readonly stored?: JsonObject | undefined;
}

/** Decodes an award of a request to canonical shape. */
export function decodeAward(data: JsonObject, { fillScheme, stored }: AwardDecodeOptions): DecodeResult {
  const decoded = Object.fromEntries(Object.entries(data).filter(([name]) => !READ_ONLY.has(name)));
  const errors: ErrorEntry[] = [];
  for (const { wire, canonical } of WRITABLE) {
    if (!Object.hasOwn(data, wire)) continue;
    const values = Object.hasOwn(data, canonical) ? [data[wire], data[canonical]] : [data[wire]];
    const resolved = resolveDuplicates(values, stored === undefined ? undefined : { value: stored[canonical] });
    delete decoded[wire];
    if (resolved === undefined) errors.push({ location: 'body', name: wire, description: [...CONFLICT_DESCRIPTION] });
    else decoded[canonical] = resolved.value;
  }
  if (Array.isArray(data['suppliers'])) {
    const result = decodeParties(data['suppliers'], fillScheme, stored?.['suppliers']);
    if ('fault' in result) {
      errors.push({ location: 'body', name: 'suppliers', description: result.fault.description });
    } else decoded['suppliers'] = result.parties;
  }
  return errors.length > 0 ? { refused: invalid(errors) } : { data: decoded };
}
