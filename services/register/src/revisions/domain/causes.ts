import { PUBLICATION_CAUSES, type PublicationCause } from '@procurement/contracts/resources/causes';

/** The causes in a stored set, in the order of the closed list. A bit of a newer release has no name and is left out. */
export function causesOf(set: bigint): readonly PublicationCause[] {
  return PUBLICATION_CAUSES.filter((_cause, bit) => ((set >> BigInt(bit)) & 1n) === 1n);
}
