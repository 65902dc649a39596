import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Makes identifiers. Injected, so that tests can count instead. */
export interface Mint {
  /** 32 lower-case hex digits: ids of objects. */
  id(): string;
  /** 32 lower-case hex digits from the secure generator: secrets that are shown once. */
  token(): string;
  /** RFC 9562 version 4, for events and requests. */
  uuid(): string;
}

// One call into the generator gives 256 ids; asking it for 16 bytes at a time costs ten times as much.
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let used = 0;

function hex32(): string {
  if (used + 16 > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += 16;
  return pool.toString('hex', used - 16, used);
}

/** The production mint. */
export const secureMint: Mint = {
  id: hex32,
  token: () => randomBytes(16).toString('hex'),
  uuid: () => randomUUID(),
};

/**
 * The same ids and tokens, in the same order, for the same seed. Events keep ids of their own: what happens twice is told
 * twice.
 */
export function seededMint(seed: string): Mint {
  let [ids, tokens] = [0, 0];
  const derived = (what: string): string => createHmac('sha256', seed).update(what).digest('hex').slice(0, 32);
  return {
    id: () => derived(`id ${(ids += 1)}`),
    token: () => derived(`token ${(tokens += 1)}`),
    uuid: () => randomUUID(),
  };
}

/** SHA-256 in hex: how tokens and keys are stored (Decision, style.md "One error type, one clock, one mint"). */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
