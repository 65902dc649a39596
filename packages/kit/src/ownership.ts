import { timingSafeEqual } from 'node:crypto';
import type { Identity } from './identity.ts';

/**
 * Whether the caller owns a thing: the name of its owner and the token belong together (http.md 3.3). Compared in constant
 * time, so that the time of an answer tells nothing of a token.
 */
export function ownsBy(identity: Identity, owner: string, tokenHash: string): boolean {
  if (identity.broker !== owner || identity.tokenHash === undefined) return false;
  const [given, stored] = [Buffer.from(identity.tokenHash, 'hex'), Buffer.from(tokenHash, 'hex')];
  return given.length === stored.length && timingSafeEqual(given, stored);
}
