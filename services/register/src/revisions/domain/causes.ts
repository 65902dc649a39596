import { PUBLICATION_CAUSES, type PublicationCause } from '@procurement/contracts/resources/causes';

/** The causes in a stored set, in the order of the closed list. A bit of a newer release has no name and is left out. */
export function causesIn(set: bigint): readonly PublicationCause[] {
  return PUBLICATION_CAUSES.filter((_cause, bit) => ((set >> BigInt(bit)) & 1n) === 1n);
}

/** The set of the named causes. A cause of a newer release has no bit here and is left out. */
export function causeBits(names: readonly string[]): bigint {
  let bits = 0n;
  for (const [bit, cause] of PUBLICATION_CAUSES.entries()) if (names.includes(cause)) bits |= 1n << BigInt(bit);
  return bits;
}
