import type { Caller } from '../auth/caller.ts';
import type { IdempotencyClaim } from '../idempotency/idempotency-key.ts';
import type { Generation01, JsonObject } from '../generations/codec.ts';
import type { PathEntry } from '../routes.table.ts';

/**
 * What the gateway knows of one request, gathered in the order of checks. Lives on the request (`request.exchange`) and
 * nowhere else.
 */
export interface RequestContext {
  readonly requestId: string;
  /** The client's own id, when it is well formed: logged, passed on, echoed. */
  readonly clientRequestId?: string;
  readonly path: string;
  /** Without question mark and without the owner token. */
  readonly query: string;
  readonly queryTokens: readonly string[];
  readonly write: boolean;
  /** As sent. */
  readonly contentType?: string;
  /** Where it is routed; absent on our own endpoints and on unknown paths. */
  entry?: PathEntry;
  caller: Caller;
  /** The generation that answers on segment 0.1; set there for every request. */
  generation01?: Generation01;
  /** `data` of a request that a codec read, as it was sent: a refusal names what the client knows. */
  sent?: JsonObject;
  /** Set when the change depends on what is stored, and is made when that is read (proxy/stored-write.ts). */
  deferredData?: JsonObject;
  /** From the body, once it was read. */
  bodyToken?: string;
  pretty: boolean;
  /** Name of the function that an answer is wrapped in (JSONP). */
  jsonpCallback?: string;
  /** JSON of a write as the client sent it, without the token: by this a repeat is known, whatever a codec makes of it. */
  originalBody?: Buffer;
  /** Body of a JSON write, as it goes to the service. */
  body?: Buffer;
  /** Set when the answer is kept for repeats of the request. */
  idempotencyClaim?: IdempotencyClaim;
  /** Set when the body is not forwarded as JSON but stands for a refusal of the codec. */
  bodyContentType?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any other hook of ours runs. */
    context: RequestContext;
  }
}
