import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseDateTime } from '@procurement/contracts/reading/instant';

/**
 * A position in the feed: the `dateModified` of a row in microseconds since 1970 UTC (http.md 1.3).
 */
export type FeedStamp = bigint;

const CHANGES_TOKEN = /^[0-9a-f]{32}$/;
const UNIX_SECONDS = /^(\d{9,12})(?:\.(\d+))?(?:\..*)?$/s;
const SHORT_UNIX_SECONDS = /^(\d{1,12})(?:\.(\d+))?(?:\..*)?$/s;
const MICROS = 1_000_000n;

/** `1779360000.396982`: the form of an offset on segment 2.5. A crawler computes the age of the feed from it (clients.md). */
export function secondsText(stamp: FeedStamp): string {
  return `${stamp / MICROS}.${String(stamp % MICROS).padStart(6, '0')}`;
}

/** Parses unix seconds of any length (rulings R24), where anything after a second dot is ignored. */
export function readDecimalOffset(text: string): FeedStamp | undefined {
  return stampOf(SHORT_UNIX_SECONDS.exec(text));
}

/**
 * Parses an offset of the default feed: an ISO date or time, or unix seconds of nine digits or more with a fraction, where
 * anything after a second dot is ignored. A blank before the UTC offset is an unencoded `+`. `undefined` for any other text.
 */
export function readOffset(text: string): FeedStamp | undefined {
  const stamp = stampOf(UNIX_SECONDS.exec(text));
  if (stamp !== undefined) return stamp;
  const parsed = parseDateTime(text.replace(/ (?=\d{2}:?\d{2}$)/, '+'));
  return parsed === undefined ? undefined : BigInt(parsed.instant);
}

function stampOf(seconds: RegExpExecArray | null): FeedStamp | undefined {
  if (seconds === null) return undefined;
  const fraction = (seconds[2] ?? '').slice(0, 6).padEnd(6, '0');
  return BigInt(seconds[1] ?? '0') * MICROS + BigInt(fraction);
}

/** The opaque offset of `feed=changes` on segments before 2.5: 8 bytes stamp, 4 bytes epoch, 4 bytes check value, in hex (http.md 1.3). */
export function changesToken(stamp: FeedStamp, epoch: number, secret: string): string {
  const body = Buffer.alloc(12);
  body.writeBigUInt64BE(stamp, 0);
  body.writeUInt32BE(epoch, 8);
  return body.toString('hex') + checkValueOf(body, secret).toString('hex');
}

/** Parses an offset of `feed=changes`; `undefined` when it is malformed, forged, or of another epoch. */
export function readChangesToken(text: string, epoch: number, secret: string): FeedStamp | undefined {
  if (!CHANGES_TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'hex');
  const body = bytes.subarray(0, 12);
  if (!timingSafeEqual(bytes.subarray(12), checkValueOf(body, secret))) return undefined;
  return body.readUInt32BE(8) === epoch ? body.readBigUInt64BE(0) : undefined;
}

function checkValueOf(body: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(body).digest().subarray(0, 4);
}
