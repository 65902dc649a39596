import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Generates identifiers. Injected, so that tests can use a counter. */
export interface IdGenerator {
  /** Id of an object: 32 lower-case hex digits. */
  next(): string;
  /** Secret that is shown once: 32 lower-case hex digits from a CSPRNG. */
  nextToken(): string;
  /** UUID version 4 (RFC 9562), for events and requests. */
  nextUuid(): string;
}

// One call of randomBytes serves 256 ids; a call for every 16 bytes costs ten times as much.
const POOL_BYTES = 4_096;
let randomPool = Buffer.alloc(0);
let randomPoolUsed = 0;

function hex32(): string {
  if (randomPoolUsed + 16 > randomPool.length) {
    randomPool = randomBytes(POOL_BYTES);
    randomPoolUsed = 0;
  }
  randomPoolUsed += 16;
  return randomPool.toString('hex', randomPoolUsed - 16, randomPoolUsed);
}

/** The generator of production, from node:crypto. */
export const secureIds: IdGenerator = {
  next: hex32,
  nextToken: () => randomBytes(16).toString('hex'),
  nextUuid: () => randomUUID(),
};

/**
 * Gives the same ids and tokens in the same order for the same seed, so that a repeated request creates the same objects.
 * UUIDs stay random: a repeat publishes its own events.
 */
export function seededIds(seed: string): IdGenerator {
  let [idCount, tokenCount] = [0, 0];
  const derive = (label: string): string => createHmac('sha256', seed).update(label).digest('hex').slice(0, 32);
  return {
    next: () => derive(`id ${(idCount += 1)}`),
    nextToken: () => derive(`token ${(tokenCount += 1)}`),
    nextUuid: () => randomUUID(),
  };
}

/** SHA-256 in hex: the form in which tokens and keys are stored (docs/decisions/0007-where-secrets-may-be.md). */
export function sha256Hex(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
