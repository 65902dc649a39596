import { createHash } from 'node:crypto';

export const REPR_DIGEST_HEADER = 'repr-digest';

/** `Repr-Digest` of a representation (RFC 9530): of the bytes that are sent, with their content coding. */
export function reprDigestOf(representation: string | Buffer): string {
  return `sha-256=:${createHash('sha256').update(representation).digest('base64')}:`;
}
