import type { Problem } from '../problems/problems.ts';

/**
 * The parsed body of a request, or why it could not be parsed. The refusal is passed on instead of thrown, because other
 * checks come first: an unknown object before a wrong content type (415), a missing permission before an unreadable body
 * (422) (http.md 0.2).
 */
export type BodyResult =
  | {
      readonly kind: 'data';
      readonly data: Readonly<Record<string, unknown>>;
      /** The other members of the body. */
      readonly beside?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Content type of a body that is a refusal: the codec of an older segment could not decode the request. The service answers
 * the refusal at the usual step of its checks (rulings R16). Only the gateway can send this type.
 */
export const REFUSAL_MEDIA_TYPE = 'application/vnd.procurement.refusal+json';
