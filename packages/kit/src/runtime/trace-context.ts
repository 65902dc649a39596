import { secureIds } from './ids.ts';

/** Position in a distributed trace (W3C Trace Context, https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 lower-case hex digits, the same for all that one client request causes. */
  readonly traceId: string;
  /** 16 lower-case hex digits: the work of one process for one request or event. */
  readonly spanId: string;
  /** Whether the caller records this trace. */
  readonly sampled: boolean;
  /** Header `tracestate` of other tracing systems, passed on unchanged. */
  readonly state?: string;
}

// version "-" trace id "-" parent id "-" flags. A later version may append members; version ff is invalid.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;
/** The specification asks for at least 512 characters to be passed on. */
const STATE_CHARACTERS_MAX = 512;
const STATE = /^[\x20-\x7e]+$/;

/**
 * Reads `traceparent` and `tracestate` of HTTP headers or of an envelope. Undefined when `traceparent` is missing or invalid; `tracestate` counts only with a
 * valid one, and is dropped when it is too long. A version later than 00 is read by the members of 00.
 */
export function parseTraceContext(members: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const { traceparent, tracestate } = members;
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', appended] = match;
  if (version === '00' && appended !== undefined) return undefined;
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  const isStateValid =
    typeof tracestate === 'string' && tracestate.length <= STATE_CHARACTERS_MAX && STATE.test(tracestate);
  return { traceId, spanId, sampled, ...(isStateValid ? { state: tracestate } : {}) };
}

/** The context of this process: a new span in the trace of `parent`, or a new trace. A new trace is not marked as recorded. */
export function startSpan(parent: TraceContext | undefined): TraceContext {
  const spanId = secureIds.next().slice(0, 16);
  return parent === undefined ? { traceId: secureIds.next(), spanId, sampled: false } : { ...parent, spanId };
}

/** The members by which a context is passed on, always as version 00. */
export function traceMembers(context: TraceContext): { traceparent: string; tracestate?: string } {
  const traceparent = `00-${context.traceId}-${context.spanId}-${context.sampled ? '01' : '00'}`;
  return context.state === undefined ? { traceparent } : { traceparent, tracestate: context.state };
}
