import { invalid, type ErrorEntry } from '@procurement/contracts/problems';
import type { JsonObject, RequestReading } from './codec.ts';
import { each, kept, object, shownAs, shownIn, type Form } from './forms.ts';
import { partyForm, readParties } from './party.ts';
import { agreed, CONFLICT, same } from './same.ts';

/** Canonical name and the name that old segments show (generations.md 3.8). Other members keep theirs. */
export const AWARD_NAMES: Readonly<Record<string, string>> = {
  id: 'awardID',
  date: 'awardDate',
  status: 'awardStatus',
  value: 'awardValue',
};

/** Set by the service; whatever a request says of them is passed over. */
const SERVED: ReadonlySet<string> = new Set(['id', 'date', 'awardID', 'awardDate']);
const READ = [
  { wire: 'awardStatus', canonical: 'status' },
  { wire: 'awardValue', canonical: 'value' },
] as const;

/** A canonical award as segments 2.3 and 0 show it. */
export const awardForm: Form = object(
  {
    ...Object.fromEntries(Object.entries(AWARD_NAMES).map(([name, wire]) => [name, shownAs(wire)])),
    suppliers: shownIn(each(partyForm())),
  },
  kept,
);

/** True when one value came under two names and differs: only the stored award tells which of them is meant. */
export function awardNeedsStored(data: JsonObject): boolean {
  return READ.some(
    ({ wire, canonical }) =>
      Object.hasOwn(data, wire) && Object.hasOwn(data, canonical) && !same(data[wire], data[canonical]),
  );
}

/** An award of a request in canonical shape. `scheme`: whether suppliers without one get the usual one. */
export function readAward(
  data: JsonObject,
  { scheme, stored }: { readonly scheme: boolean; readonly stored?: JsonObject | undefined },
): RequestReading {
  const read = Object.fromEntries(Object.entries(data).filter(([name]) => !SERVED.has(name)));
  const errors: ErrorEntry[] = [];
  for (const { wire, canonical } of READ) {
    if (!Object.hasOwn(data, wire)) continue;
    const both = Object.hasOwn(data, canonical) ? [data[wire], data[canonical]] : [data[wire]];
    const counts = agreed(both, stored === undefined ? undefined : { value: stored[canonical] });
    delete read[wire];
    if (counts === undefined) errors.push({ location: 'body', name: wire, description: [...CONFLICT] });
    else read[canonical] = counts.value;
  }
  if (Array.isArray(data['suppliers'])) {
    const reading = readParties(data['suppliers'], scheme, stored?.['suppliers']);
    if ('fault' in reading) {
      errors.push({ location: 'body', name: 'suppliers', description: reading.fault.description });
    } else read['suppliers'] = reading.parties;
  }
  return errors.length > 0 ? { refused: invalid(errors) } : { data: read };
}
