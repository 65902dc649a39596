import type { Actor } from '@procurement/contracts/api/actor';

/** Who owns an object: the broker, and the SHA-256 (hex) of the token that its creation answered. */
export interface Owned {
  readonly owner: string;
  readonly tokenHash: string;
}

/** An owned object that can be handed to another broker. */
export interface Ownership extends Owned {
  /** SHA-256 (hex) of the token by which it changes hands (http.md 3.6). */
  readonly transferHash?: string | undefined;
}

/** What of a caller proves that an object is its own. */
export type OwnerCredentials = { readonly [Name in 'broker' | 'tokenHash']?: Actor[Name] | undefined };

/** A token counts only together with the name of the broker that it was given to (http.md 3.3). */
export function owns(actor: OwnerCredentials, { owner, tokenHash }: Owned): boolean {
  return actor.broker === owner && equalHashes(actor.tokenHash, tokenHash);
}

/** Constant-time comparison of two SHA-256 hex digests. Written here because rules import no `node:` module. */
function equalHashes(given: string | undefined, stored: string): boolean {
  if (given === undefined || given.length !== stored.length) return false;
  let difference = 0;
  for (let at = 0; at < stored.length; at += 1) difference |= given.charCodeAt(at) ^ stored.charCodeAt(at);
  return difference === 0;
}
