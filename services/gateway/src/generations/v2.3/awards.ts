import { deepEqual } from '@procurement/domain/equality';
import { invalid, type ErrorEntry } from '@procurement/contracts/problems/problems';
import type { JsonObject, DecodeResult } from '../codec.ts';
import {
  rewriteEach,
  keepMember,
  rewriteObject,
  renameMember,
  rewriteMember,
  type ValueRewriter,
} from '../../json/json-rewriter.ts';
import { partyEncoder, decodeParties } from '../party.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from '../duplicate-names.ts';

/** Canonical name and the name that old segments show (generations.md 3.8). Other members keep theirs. */
export const AWARD_WIRE_NAMES: Readonly<Record<string, string>> = {
  id: 'awardID',
  date: 'awardDate',
  status: 'awardStatus',
  value: 'awardValue',
};

/** Set by the service; whatever a request says of them is passed over. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'date', 'awardID', 'awardDate']);
const RENAMED = [
  { wire: 'awardStatus', canonical: 'status' },
  { wire: 'awardValue', canonical: 'value' },
] as const;

/** A canonical award as segments 2.3 and 0 show it. */
export const awardEncoder: ValueRewriter = rewriteObject(
  {
    ...Object.fromEntries(Object.entries(AWARD_WIRE_NAMES).map(([name, wire]) => [name, renameMember(wire)])),
    suppliers: rewriteMember(rewriteEach(partyEncoder())),
  },
  keepMember,
);

/** True when one value came under two names and differs: only the stored award tells which of them is meant. */
export function awardNeedsStored(data: JsonObject): boolean {
  return RENAMED.some(
    ({ wire, canonical }) =>
      Object.hasOwn(data, wire) && Object.hasOwn(data, canonical) && !deepEqual(data[wire], data[canonical]),
  );
}

/** An award of a request in canonical shape. `scheme`: whether suppliers without one get the usual one. */
export function decodeAward(
  data: JsonObject,
  { scheme, stored }: { readonly scheme: boolean; readonly stored?: JsonObject | undefined },
): DecodeResult {
  const decoded = Object.fromEntries(Object.entries(data).filter(([name]) => !READ_ONLY.has(name)));
  const errors: ErrorEntry[] = [];
  for (const { wire, canonical } of RENAMED) {
    if (!Object.hasOwn(data, wire)) continue;
    const values = Object.hasOwn(data, canonical) ? [data[wire], data[canonical]] : [data[wire]];
    const resolved = resolveDuplicates(values, stored === undefined ? undefined : { value: stored[canonical] });
    delete decoded[wire];
    if (resolved === undefined) errors.push({ location: 'body', name: wire, description: [...CONFLICT_DESCRIPTION] });
    else decoded[canonical] = resolved.value;
  }
  if (Array.isArray(data['suppliers'])) {
    const result = decodeParties(data['suppliers'], scheme, stored?.['suppliers']);
    if ('fault' in result) {
      errors.push({ location: 'body', name: 'suppliers', description: result.fault.description });
    } else decoded['suppliers'] = result.parties;
  }
  return errors.length > 0 ? { refused: invalid(errors) } : { data: decoded };
}
