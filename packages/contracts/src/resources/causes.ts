/**
 * What may have made a public change of a tender, as far as the public may know (decision 0079). The position of a cause is its
 * bit in the stored set: the list grows at the end only, and readers accept causes that they do not know.
 */
export const PUBLICATION_CAUSES = [
  'tender.created',
  'tender.edited',
  'lots.changed',
  'question.answered',
  'cancellation.added',
  'cancellation.changed',
  'question.asked',
  'complaint.filed',
  'complaint.changed',
  'documents.changed',
  'awards.changed',
  'clock',
  'bids.closed',
  'auction.planned',
  'bids.opened',
  'auction.published',
  'auction.finished',
  'operator.edited',
  'baseline',
  'contract.signed',
  'contract.changed',
  'contract.paid',
  'contract.terminated',
] as const;

export type PublicationCause = (typeof PUBLICATION_CAUSES)[number];

/** The set of the named causes, as it is stored. A cause of a newer release has no bit here and is left out. */
export function causeBits(names: readonly string[]): bigint {
  let bits = 0n;
  for (const [bit, cause] of PUBLICATION_CAUSES.entries()) if (names.includes(cause)) bits |= 1n << BigInt(bit);
  return bits;
}

/** The causes in a stored set, in the order of the list. A bit of a newer release has no name here and is left out. */
export function causesIn(bits: bigint): readonly PublicationCause[] {
  return PUBLICATION_CAUSES.filter((_cause, bit) => ((bits >> BigInt(bit)) & 1n) === 1n);
}
