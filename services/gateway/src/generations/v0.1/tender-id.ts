import type { Generation01 } from '../codec.ts';

const CANONICAL_ID = /^UA-(\d{4})-(\d{2})-(\d{2})-(\d+)(-.+)?$/;
const EARLIEST_ID = /^UA-(\d{4})-([A-L])([A-Z])([A-Z])-(\d{3,})(-.+)?$/;
const A = 'A'.charCodeAt(0);
const SEQUENCE_DIGITS = 6;

/** Encodes `tenderID` for one of the two generations (generations.md 4, id-middle and id-earliest). */
export function encodeTenderId(
  generation01: Generation01,
  tender: { readonly id: unknown; readonly tenderID: unknown },
): unknown {
  if (generation01 === 'earliest')
    return typeof tender.tenderID === 'string' ? toEarliestId(tender.tenderID) : tender.tenderID;
  return typeof tender.id === 'string' ? `UA-${tender.id}` : tender.tenderID;
}

/**
 * `UA-2026-02-03-000042` becomes `UA-2026-BAC-042`: the month as a letter, the day minus 1 in base 26 (two letters),
 * the number in at least three digits. An id of another form passes unchanged.
 */
export function toEarliestId(tenderID: string): string {
  const match = CANONICAL_ID.exec(tenderID);
  const [, year = '', month = '', day = '', sequence = '', server = ''] = match ?? [];
  const [m, d] = [Number(month), Number(day)];
  if (match === null || m < 1 || m > 12 || d < 1 || d > 31 || sequence.length !== SEQUENCE_DIGITS) return tenderID;
  const code = [m - 1, Math.floor((d - 1) / 26), (d - 1) % 26].map((digit) => String.fromCharCode(A + digit)).join('');
  return `UA-${year}-${code}-${String(Number(sequence)).padStart(3, '0')}${server}`;
}

/** Inverse of `toEarliestId`. An id of another form passes unchanged. */
export function toCanonicalId(earliestId: string): string {
  const match = EARLIEST_ID.exec(earliestId);
  if (match === null) return earliestId;
  const [, year = '', month = '', high = '', low = '', sequence = '', server = ''] = match;
  const digitOf = (letter: string): number => letter.charCodeAt(0) - A;
  const day = digitOf(high) * 26 + digitOf(low) + 1;
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `UA-${year}-${twoDigits(digitOf(month) + 1)}-${twoDigits(day)}-${sequence.padStart(SEQUENCE_DIGITS, '0')}${server}`;
}
