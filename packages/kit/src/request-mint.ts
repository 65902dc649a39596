import type { Identity } from './identity.ts';
import { seededMint, type Mint } from './ids.ts';

/** Makes the ids and tokens of what a request creates: the same again when it is a repeat of one that we may have seen. */
export function mintOf(identity: Identity, mint: Mint): Mint {
  return identity.seed === undefined ? mint : seededMint(identity.seed);
}
