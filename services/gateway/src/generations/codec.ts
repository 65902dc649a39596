import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { RouteContract, Segment } from '@procurement/contracts/api/route';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { ResourceRoute } from './resource.ts';

/** The two generations that share segment 0.1 (generations.md 1). */
export type Generation01 = 'middle' | 'earliest';

/** The request that a response answers, and its status. */
export interface EncodeContext {
  readonly route: ResourceRoute;
  readonly status: number;
  /** Query of the request, without the question mark. */
  readonly query: string;
  /**
   * `data` of the request as the client sent it: an error keeps the name of a member that is in it (generations.md 7).
   */
  readonly sent?: JsonObject | undefined;
  /** The negotiated generation of segment 0.1; absent means middle. Other segments have one generation. */
  readonly generation01?: Generation01 | undefined;
}

/** What decoding needs beside the request. */
export interface DecodeContext {
  /** Time of the request: a default on segment 0.1 is the midpoint between it and the end of a period. */
  readonly now: Instant;
  /** The stored object in canonical shape, when `needsStored` was true. */
  readonly stored?: JsonObject | undefined;
  readonly generation01?: Generation01 | undefined;
}

export type DecodeResult = { readonly data: JsonObject } | { readonly refused: Problem };

/**
 * One payload generation. Services use only the canonical shape, that of segment 2.5
 * (docs/decisions/0002-canonical-shape.md); a codec decodes requests to it and encodes responses from it. All functions
 * are pure. A new generation needs a codec and a row in codecs-by-segment.ts.
 */
export interface Codec {
  /** Main segment of the generation, not an alias. */
  readonly segment: Segment;
  /** True when request bodies of this route are forwarded byte for byte. */
  passesRequestThrough(route: RouteContract): boolean;
  /**
   * True when decoding needs the stored canonical object, for example to keep hidden members (generations.md 5.1). The
   * decoded request is then valid only for the version that was read.
   */
  needsStored(route: RouteContract, data: JsonObject): boolean;
  /**
   * Decodes `data` of a body to canonical shape. A refusal is a 422 at step 11 of the checks. A PATCH becomes the
   * canonical PATCH with the same effect on the stored object.
   */
  decodeRequest(route: RouteContract, data: JsonObject, context: DecodeContext): DecodeResult;
  /** The query with canonical names in `opt_fields`. */
  decodeQuery(route: RouteContract, query: string, generation01?: Generation01): string;
  /** True when responses of this route are streamed unchanged. */
  passesResponseThrough(route: RouteContract): boolean;
  /** Encodes the text of a response, refusals included, for this segment. Never throws; absent members stay absent. */
  encodeResponse(context: EncodeContext, text: string): string;
}
