import type { Problem } from '../problems/problems.ts';

/**
 * What reading the bytes of a body came to. A refusal is carried along, because others may come first: an unknown object
 * before a wrong content type (415), a missing permission before an unreadable body (422) (http.md 0.2).
 */
export type BodyResult =
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Content type of a body that holds a refusal instead of a document: the codec of an older segment could not read what the
 * client sent, and the refusal takes its place in the order of checks (rulings R16). Only the gateway can send it.
 */
export const REFUSAL_MEDIA_TYPE = 'application/vnd.procurement.refusal+json';
