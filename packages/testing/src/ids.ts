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
