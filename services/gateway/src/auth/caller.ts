import type { OwnerService } from '@procurement/contracts/api/route';
import { LRUCache } from 'lru-cache';
import {
  ANONYMOUS,
  IDENTITY_SECONDS,
  makeIdentitySigner,
  type Identity,
  type IdentityScope,
} from '@procurement/kit/http/identity';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { Broker } from './broker.ts';
import { readCredentials, readUserAndPassword } from './credentials.ts';
import type { KeyRing } from './key-ring.ts';

/** Sender of a request: a broker, or anonymous with the reason. */
export type Caller =
  | { readonly kind: 'broker'; readonly broker: Broker }
  | { readonly kind: 'anonymous'; readonly credentials: 'missing' | 'unknown' };

const WITHOUT_CREDENTIALS: Caller = { kind: 'anonymous', credentials: 'missing' };
const WITH_UNKNOWN_CREDENTIALS: Caller = { kind: 'anonymous', credentials: 'unknown' };

/** Finds the caller in the database. Rejects when it cannot be asked. */
export type CallerLookup = () => Promise<Caller>;

/**
 * The caller named by an `Authorization` header. Never refuses: a read needs no credentials, and the service answers a write
 * with 401 after its earlier checks (rulings R1). Returns a function when only the database knows the key.
 */
export function identifyCaller(header: string | undefined, keys: KeyRing): Caller | CallerLookup {
  if (header === undefined) return WITHOUT_CREDENTIALS;
  const credentials = readCredentials(header);
  if (credentials.kind === 'missing') return WITHOUT_CREDENTIALS;
  if (credentials.kind === 'unreadable') return WITH_UNKNOWN_CREDENTIALS;
  const found = keys.find(sha256Hex(credentials.key));
  return typeof found === 'function' ? async () => toCaller(await found()) : toCaller(found);
}

/**
 * The caller of the document service, where the user may also be the broker's name and the password its key (http.md 2.8).
 */
export function callerByNameAndKey(header: string | undefined, keys: KeyRing): Caller | CallerLookup {
  const byKey = identifyCaller(header, keys);
  const pair = header === undefined ? undefined : readUserAndPassword(header);
  if (pair === undefined || (typeof byKey !== 'function' && byKey.kind === 'broker')) return byKey;
  const found = keys.find(sha256Hex(pair.password));
  // The key of this broker is in memory, so nothing has to be looked up.
  if (typeof found !== 'function' && found?.name === pair.user) return toCaller(found);
  if (typeof byKey !== 'function' && typeof found !== 'function') return byKey;
  return async () => {
    const caller = typeof byKey === 'function' ? await byKey() : byKey;
    if (caller.kind === 'broker') return caller;
    const broker = typeof found === 'function' ? await found() : found;
    return broker?.name === pair.user ? toCaller(broker) : caller;
  };
}

function toCaller(broker: Broker | undefined): Caller {
  return broker === undefined ? WITH_UNKNOWN_CREDENTIALS : { kind: 'broker', broker };
}

/** Parts of a request that go into its identity. */
export interface IdentityClaims {
  /** Audience: only this service accepts the identity. */
  readonly service: OwnerService;
  readonly method: string;
  /** Canonical path, with or without query. */
  readonly path: string;
  readonly caller: Caller;
  readonly write: boolean;
  /** Canonical segment of the generation. */
  readonly segment: string;
  readonly token?: string | undefined;
  /** Set when the method is not defined at the path. */
  readonly allow?: string | undefined;
  /** Seed from which the service derives the ids and tokens of what it creates. */
  readonly seed?: string | undefined;
}

const CACHED_IDENTITIES_MAX = 1_000;

/**
 * Makes the signer of identities. An identity is for one method and path. That of an anonymous caller is for one method: it gives
 * no right that everybody lacks. Within one second equal claims give the same text: most reads are anonymous, and signing (60 µs)
 * and the service's check of the signature (150 µs) both become a look-up (decision 0015). An identity with a seed is not
 * cached, because the seed is of one request. Of an owner token the SHA-256 is sent, and kept.
 */
export function identitySigner(privateKey: string, unixSeconds: () => number): (claims: IdentityClaims) => string {
  const sign = makeIdentitySigner(privateKey);
  const signedByKey = new LRUCache<string, string>({ max: CACHED_IDENTITIES_MAX });
  let second = 0;
  return (claims) => {
    const now = unixSeconds();
    if (now !== second) {
      second = now;
      signedByKey.clear();
    }
    const identity = (): Identity => ({ ...buildIdentity(claims), expires: now + IDENTITY_SECONDS });
    if (claims.seed !== undefined) return sign(identity(), scopeOf(claims));
    const cacheKey = cacheKeyOf(claims);
    const cached = signedByKey.get(cacheKey);
    if (cached !== undefined) return cached;
    const text = sign(identity(), scopeOf(claims));
    signedByKey.set(cacheKey, text);
    return text;
  };
}

function scopeOf({ service, caller, method, path }: IdentityClaims): IdentityScope {
  return { audience: service, method, ...(caller.kind === 'anonymous' ? {} : { path }) };
}

/** Equal for claims whose identities are equal. */
function cacheKeyOf({ service, caller, method, path, write, segment, allow = '', token }: IdentityClaims): string {
  const request = [service, method, segment, allow];
  if (caller.kind === 'anonymous') return [...request, write ? caller.credentials : ''].join('\n');
  const { name, group, levels } = caller.broker;
  return [...request, name, group, levels, path, token === undefined ? '' : sha256Hex(token)].join('\n');
}

function buildIdentity({ caller, write, segment, token, allow, seed }: IdentityClaims): Omit<Identity, 'expires'> {
  const callerMembers =
    caller.kind === 'broker'
      ? { broker: caller.broker.name, group: caller.broker.group, levels: caller.broker.levels }
      : { group: ANONYMOUS, levels: '', ...(write ? { credentials: caller.credentials } : {}) };
  return {
    ...callerMembers,
    segment,
    // Without an API key the owner token is ignored (http.md 3.2).
    ...(token === undefined || caller.kind === 'anonymous' ? {} : { tokenHash: sha256Hex(token) }),
    ...(allow === undefined ? {} : { allow }),
    ...(seed === undefined ? {} : { seed }),
  };
}
