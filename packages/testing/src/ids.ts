import type { IdGenerator } from '@procurement/kit/runtime/ids';

/**
 * Generates ids by counting: the first id is 1 in 32 hex digits, the first token begins with `f`, the first uuid is a valid version 4
 * that ends in 1. Each kind has its own count, so that one more token does not change the ids of a recording.
 */
export function countingIds(): IdGenerator {
  let idCount = 0;
  let tokenCount = 0;
  let uuidCount = 0;
  return {
    next: () => hex(++idCount, 32),
    nextToken: () => `f${hex(++tokenCount, 31)}`,
    nextUuid: () => `00000000-0000-4000-8000-${hex(++uuidCount, 12)}`,
  };
}

function hex(count: number, digits: number): string {
  return count.toString(16).padStart(digits, '0');
}

/** A readable id: the tail after zeros, 32 characters in all. */
export function padId(tail: string): string {
  return tail.padStart(32, '0');
}

// Ids of the lots of a test tender.
export const LOT_1 = '1'.repeat(32);
export const LOT_2 = '2'.repeat(32);
