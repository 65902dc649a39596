import type { Instant } from '@procurement/contracts/reading/instant';
import type { RouteContract, Segment } from '@procurement/contracts/api/route';
import type { Problem } from '@procurement/contracts/problems/problems';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The two generations that share segment 0.1 (generations.md 1). */
export type Generation01 = 'middle' | 'earliest';

/** What an answer belongs to. */
export interface EncodeContext {
  readonly route: RouteContract;
  readonly status: number;
  /** Query of the request, without the question mark. */
  readonly query: string;
  /** `data` of the request as the client sent it: a refusal names what the client knows (generations.md 7). */
  readonly sent?: JsonObject | undefined;
  /** The generation that was chosen on segment 0.1; absent means middle. Other segments have one only. */
  readonly generation01?: Generation01 | undefined;
}

/** What a request is read with. */
export interface DecodeContext {
  /** The moment of the request: a default of segment 0.1 lies between it and the end of a period. */
  readonly now: Instant;
  /** The object as its service shows it in segment 2.5; asked for by `needsStored`. */
  readonly stored?: JsonObject | undefined;
  readonly generation01?: Generation01 | undefined;
}

export type DecodeResult = { readonly data: JsonObject } | { readonly refused: Problem };

/**
 * One payload generation, as two pure directions. Services know the canonical shape only (that of segment 2.5); a codec
 * makes requests canonical and answers native to its segment. Adding a generation is adding a file and a table row.
 */
export interface Codec {
  /** The generation, by its proper segment. */
  readonly segment: Segment;
  /** True when request bodies of this route need no look: they are forwarded byte for byte. */
  passesRequestThrough(route: RouteContract): boolean;
  /**
   * True when `request` needs the stored canonical object, so that nothing is lost that this generation does not show
   * (generations.md 5.1). The wish that it then gives holds for the version that was read, and for no other.
   */
  needsStored(route: RouteContract, data: JsonObject): boolean;
  /**
   * `data` of a body in canonical shape, or why it cannot be read as this generation (422, step 11 of the checks). For a
   * PATCH of a stored object: the canonical PATCH that makes of it what the client wished.
   */
  decodeRequest(route: RouteContract, data: JsonObject, context: DecodeContext): DecodeResult;
  /** The query as the service understands it: names in `opt_fields` are canonical. */
  decodeQuery(route: RouteContract, query: string, generation01?: Generation01): string;
  /** True when answers of this route need no look: they are streamed. */
  passesResponseThrough(route: RouteContract): boolean;
  /** The text of an answer (refusals too) as this segment shows it. Never throws; absent members stay absent. */
  encodeResponse(context: EncodeContext, text: string): string;
}

/** Narrows parsed JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
