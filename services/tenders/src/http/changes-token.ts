import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FeedStamp } from '@procurement/domain/feed-offset';

const CHANGES_TOKEN = /^[0-9a-f]{32}$/;

/** The opaque offset of `feed=changes` on segments before 2.5: 8 bytes stamp, 4 bytes epoch, 4 bytes check value, in hex (http.md 1.3). */
export function changesToken(stamp: FeedStamp, epoch: number, secret: string): string {
  const body = Buffer.alloc(12);
  body.writeBigUInt64BE(stamp, 0);
  body.writeUInt32BE(epoch, 8);
  return body.toString('hex') + computeCheckValue(body, secret).toString('hex');
}

/** Parses an offset of `feed=changes`; `undefined` when it is malformed, forged, or of another epoch. */
export function readChangesToken(text: string, epoch: number, secret: string): FeedStamp | undefined {
  if (!CHANGES_TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'hex');
  const body = bytes.subarray(0, 12);
  if (!timingSafeEqual(bytes.subarray(12), computeCheckValue(body, secret))) return undefined;
  return body.readUInt32BE(8) === epoch ? body.readBigUInt64BE(0) : undefined;
}

function computeCheckValue(body: Buffer, secret: string): Buffer {
  return createHmac('sha256', secret).update(body).digest().subarray(0, 4);
}
