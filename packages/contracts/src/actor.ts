import { problem, type Problem } from './problems.ts';

/** Who asks, as decisions know them: what the gateway vouches for. */
export interface Actor {
  /** Name of the broker or component; absent when anonymous. */
  readonly broker?: string;
  /** Group of the caller (http.md 3.4), `anonymous` without credentials. */
  readonly group: string;
  /** Why a caller is anonymous. */
  readonly credentials?: 'missing' | 'unknown';
  /** Accreditation levels and flags, one character each. */
  readonly levels: string;
  /** SHA-256 hex of the owner token that came with the request. */
  readonly tokenHash?: string;
  /** Version segment by which the request came. */
  readonly segment: string;
}

/** The 401 of a caller without usable credentials (rulings R1); undefined for anybody else. */
export function anonymousProblem(actor: Actor): Problem | undefined {
  if (actor.broker !== undefined) return undefined;
  return problem(actor.credentials === 'unknown' ? 'request.key-unknown' : 'request.key-missing');
}

/** Whose an object is: the broker, and the hash of the token that it was given. */
export interface Owned {
  readonly owner: string;
  readonly tokenHash: string;
}

/** A token counts only together with the name of the broker that it was given to (http.md 3.3). */
export function owns(actor: Pick<Actor, 'broker' | 'tokenHash'>, { owner, tokenHash }: Owned): boolean {
  return actor.broker === owner && equalHashes(actor.tokenHash, tokenHash);
}

/** Compares every character, so that the time of an answer tells nothing of a token. Both are hashes already. */
function equalHashes(given: string | undefined, stored: string): boolean {
  if (given === undefined || given.length !== stored.length) return false;
  let difference = 0;
  for (let at = 0; at < stored.length; at += 1) difference |= given.charCodeAt(at) ^ stored.charCodeAt(at);
  return difference === 0;
}

/** A broker that is still being tried out may touch test tenders only (tenders.md 1.6). */
export function isTestOnly(actor: Actor): boolean {
  return actor.group !== 'admins' && actor.levels.includes('t');
}
