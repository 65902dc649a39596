import { parseDateTime } from '@procurement/contracts/reading/instant';

/**
 * A position in the feed and in the log of publications: the `dateModified` of a row in microseconds since 1970 UTC
 * (http.md 1.3).
 */
export type FeedStamp = bigint;

const UNIX_SECONDS = /^(\d{9,12})(?:\.(\d+))?(?:\..*)?$/s;
const SHORT_UNIX_SECONDS = /^(\d{1,12})(?:\.(\d+))?(?:\..*)?$/s;
const MICROS = 1_000_000n;

/** `1779360000.396982`: the form of an offset on segment 2.5. A crawler computes the age of the feed from it (clients.md). */
export function secondsText(stamp: FeedStamp): string {
  return `${stamp / MICROS}.${String(stamp % MICROS).padStart(6, '0')}`;
}

/** Parses unix seconds of any length (rulings R24), where anything after a second dot is ignored. */
export function readDecimalOffset(text: string): FeedStamp | undefined {
  return parseStamp(SHORT_UNIX_SECONDS.exec(text));
}

/**
 * Parses an offset of the default feed: an ISO date or time, or unix seconds of nine digits or more with a fraction, where
 * anything after a second dot is ignored. A blank before the UTC offset is an unencoded `+`. `undefined` for any other text.
 */
export function readOffset(text: string): FeedStamp | undefined {
  const stamp = parseStamp(UNIX_SECONDS.exec(text));
  if (stamp !== undefined) return stamp;
  const parsed = parseDateTime(withPlus(text));
  return parsed === undefined ? undefined : BigInt(parsed.instant);
}

/** A date of a query, with the plus of its offset if that was not escaped and so is a blank. */
export function withPlus(date: string): string {
  return date.replace(/ (?=\d{2}:?\d{2}$)/, '+');
}

function parseStamp(seconds: RegExpExecArray | null): FeedStamp | undefined {
  if (seconds === null) return undefined;
  const fraction = (seconds[2] ?? '').slice(0, 6).padEnd(6, '0');
  return BigInt(seconds[1] ?? '0') * MICROS + BigInt(fraction);
}
