import type { Actor } from '@procurement/contracts/api/actor';

/** The owner of an object: the broker, and the SHA-256 (hex) of the token that was returned at its creation. */
export interface Owned {
  readonly owner: string;
  readonly tokenHash: string;
}

/** An owned object that can be transferred to another broker. */
export interface Ownership extends Owned {
  /** SHA-256 (hex) of the token that transfers it (http.md 3.6). */
  readonly transferHash: string;
}

/** The part of a caller that proves ownership. */
export type OwnerCredentials = { readonly [Name in 'broker' | 'tokenHash']?: Actor[Name] | undefined };

/** Whether the caller owns the object. A token is valid only for the broker that it was given to (http.md 3.3). */
export function owns(actor: OwnerCredentials, { owner, tokenHash }: Owned): boolean {
  return actor.broker === owner && equalHashes(actor.tokenHash, tokenHash);
}

/** Constant-time comparison of two SHA-256 hex digests. `timingSafeEqual` is not used: rules import no `node:` module. */
export function equalHashes(given: string | undefined, stored: string | undefined): boolean {
  if (given === undefined || stored === undefined || given.length !== stored.length) return false;
  let difference = 0;
  for (let at = 0; at < stored.length; at += 1) difference |= given.charCodeAt(at) ^ stored.charCodeAt(at);
  return difference === 0;
}
