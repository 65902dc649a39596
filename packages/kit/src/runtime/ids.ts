import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';

/** Makes identifiers. Injected, so that tests can count instead. */
export interface IdGenerator {
  /** 32 lower-case hex digits: ids of objects. */
  next(): string;
  /** 32 lower-case hex digits from the secure generator: secrets that are shown once. */
  nextToken(): string;
  /** RFC 9562 version 4, for events and requests. */
  nextUuid(): string;
}

// One call into the generator gives 256 ids; asking it for 16 bytes at a time costs ten times as much.
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

/** The production mint. */
export const secureIds: IdGenerator = {
  next: hex32,
  nextToken: () => randomBytes(16).toString('hex'),
  nextUuid: () => randomUUID(),
};

/**
 * The same ids and tokens, in the same order, for the same seed. Events keep ids of their own: what happens twice is told
 * twice.
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

/** SHA-256 in hex: how tokens and keys are stored (docs/decisions/0007-tokens-stored-hashed.md). */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
