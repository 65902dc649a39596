import type { RouteContract, Segment } from '@procurement/contracts/api/route';
import type { Problem } from '@procurement/contracts/problems';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What an answer belongs to. */
export interface AnswerContext {
  readonly route: RouteContract;
  readonly status: number;
  /** Query of the request, without the question mark. */
  readonly query: string;
}

/**
 * One payload generation, as two pure directions. Services know the canonical shape only (that of segment 2.5); a codec
 * makes requests canonical and answers native to its segment. Adding a generation is adding a file and a table row.
 */
export interface Codec {
  /** The generation, by its proper segment. */
  readonly segment: Segment;
  /** True when request bodies of this route need no look: they are forwarded byte for byte. */
  passesBody(route: RouteContract): boolean;
  /** `data` of a body in canonical shape, or why it cannot be read as this generation (422, step 11 of the checks). */
  request(route: RouteContract, data: JsonObject): { readonly data: JsonObject } | { readonly refused: Problem };
  /** True when answers of this route need no look: they are streamed. */
  passThrough(route: RouteContract): boolean;
  /** The text of an answer (refusals too) as this segment shows it. Never throws; absent members stay absent. */
  response(answer: AnswerContext, text: string): string;
}

/** Narrows parsed JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
