import { createHmac } from 'node:crypto';
import { sha256 } from './hash.ts';

/** Returns the blind of a leaf: 32 bytes that nobody can guess who does not have `LEDGER_BLIND_KEY`. */
export function deriveBlind(key: Uint8Array, index: number): Buffer {
  return createHmac('sha256', key).update(`blind ${index}`).digest();
}

/** Returns the `commit` of an entry, in hex, from the blind of its leaf and the SHA-256 of the text. */
export function deriveCommitment(blind: Uint8Array, textHash: Uint8Array): string {
  return sha256(blind, textHash).toString('hex');
}
