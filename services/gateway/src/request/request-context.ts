import type { TraceContext } from '@procurement/kit/runtime/trace-context';
import type { Caller } from '../auth/caller.ts';
import type { IdempotencyClaim } from './idempotency-claim.ts';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Generation01 } from '../generations/codec.ts';
import type { PathEntry } from './routes.table.ts';

/**
 * State of one request, filled in the order of the checks. Stored as `request.context`.
 */
export interface RequestContext {
  readonly requestId: string;
  /** The client's id when it is well formed: logged, forwarded and returned. */
  readonly clientRequestId?: string;
  /** The gateway's span, in the trace of the client if it sent a valid `traceparent` (http.md 5.2). */
  readonly trace: TraceContext;
  /** Longest wait for the answer of a service, which the service is told. */
  readonly timeoutMs: number;
  /** Address of the client, behind trusted proxies; its network for IPv6. For limits only. */
  readonly address: string;
  /** Base of the links in the answer, where they follow the request (public-base.ts). */
  readonly publicBase?: string;
  readonly path: string;
  /** The query without the question mark and the owner token. */
  readonly query: string;
  readonly queryTokens: readonly string[];
  readonly write: boolean;
  /** `Content-Type` as sent. */
  readonly contentType?: string;
  /** Route of the path; absent for the gateway's own endpoints and unknown paths. */
  entry?: PathEntry;
  caller: Caller;
  /** Headers that tell the client how much of its rate is left. */
  rateLimitHeaders?: Readonly<Record<string, string>>;
  /** Generation of the response; set for every request on segment 0.1. */
  generation01?: Generation01;
  /** `data` as sent, when a codec decoded it: refusals name the members that the client sent. */
  sent?: JsonObject;
  /** `data` of a change that can be decoded only against the stored object (proxy/read-modify-write.ts). */
  deferredData?: JsonObject;
  /** Owner token from the body. */
  bodyToken?: string;
  pretty: boolean;
  /** Set while the request counts for its address. */
  isCounted?: true;
  /** Called when the answer to a costly read is ready (proxy/costly-read.ts). */
  endTurn?: () => void;
  /** Function name of JSONP. */
  jsonpCallback?: string;
  /** JSON of a write as sent, without the token: repeats are compared by it, before a codec changes it. */
  originalBody?: Buffer;
  /** JSON of a write as forwarded. */
  body?: Buffer;
  /** Set when the response will be stored for repeats. */
  idempotencyClaim?: IdempotencyClaim;
  /** Set when the service needs no body to answer: it gets none, and the client's is discarded (proxy/discard-body.ts). */
  bodyDiscarded?: true;
  /** Media type of the forwarded body when it is a refusal of the codec. */
  bodyContentType?: string;
  /** The answer of the service is sent as it is: no links, no format, no content coding. */
  unchanged?: true;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first `onRequest` hook. */
    context: RequestContext;
  }
}
