import type { Mint } from '@procurement/kit/ids';

/**
 * A mint that counts: the first id is 1 in 32 hex digits, the first token begins with `f`, the first uuid is a valid version 4
 * ending in 1. Each kind counts for itself, so that one more token does not shift the ids of a recording.
 */
export function countingMint(): Mint {
  let ids = 0;
  let tokens = 0;
  let uuids = 0;
  return {
    id: () => hex(++ids, 32),
    token: () => `f${hex(++tokens, 31)}`,
    uuid: () => `00000000-0000-4000-8000-${hex(++uuids, 12)}`,
  };
}

function hex(count: number, digits: number): string {
  return count.toString(16).padStart(digits, '0');
}
