import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import type { Logger } from '../runtime/log.ts';
import { parseTraceContext, startSpan, traceMembers, type TraceContext } from '../runtime/trace-context.ts';

/** Result of a request: the responder's value (undefined: it has none), or that it was unavailable. */
export type RequestResult = { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'unavailable' };

/**
 * Sends a request over core NATS, for facts that no event has delivered yet. `trace` travels in the headers of the message.
 * Never throws.
 */
export async function sendRequest(
  bus: Bus,
  subject: string,
  payload: unknown,
  timeoutMs = 1_000,
  trace?: TraceContext,
): Promise<RequestResult> {
  if (!bus.connected()) return { kind: 'unavailable' };
  const options = { timeout: timeoutMs, ...(trace === undefined ? {} : { headers: traceHeaders(trace) }) };
  try {
    const reply = await bus.connection.request(subject, JSON.stringify(payload), options);
    const response = reply.json<{ found?: unknown; failed?: true }>();
    return response.failed === true ? { kind: 'unavailable' } : { kind: 'answer', value: response.found };
  } catch {
    return { kind: 'unavailable' };
  }
}

/**
 * Responds to such requests; the replicas of one service share them. `handler` gets a span in the trace of the requester. When
 * it throws, the error is logged and the requester gets `unavailable`.
 */
export function respondTo(
  bus: Bus,
  subject: string,
  log: Logger,
  handler: (request: unknown, trace: TraceContext) => Promise<unknown>,
): void {
  const queue = subject.replaceAll('.', '-');
  async function handle(message: Msg): Promise<void> {
    const trace = startSpan(traceOf(message.headers));
    try {
      message.respond(JSON.stringify({ found: await handler(message.json(), trace) }));
    } catch (failure) {
      log.error({ err: failure, subject, traceId: trace.traceId }, 'request handler failed');
      message.respond(JSON.stringify({ failed: true }));
    }
  }
  bus.onOpen((connection) => {
    connection.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error === null) void handle(message);
      },
    });
  });
}

function traceHeaders(trace: TraceContext): MsgHdrs {
  const messageHeaders = headers();
  for (const [name, value] of Object.entries(traceMembers(trace))) messageHeaders.set(name, value);
  return messageHeaders;
}

function traceOf(messageHeaders: MsgHdrs | undefined): TraceContext | undefined {
  if (messageHeaders === undefined) return undefined;
  return parseTraceContext({
    traceparent: messageHeaders.get('traceparent'),
    tracestate: messageHeaders.get('tracestate'),
  });
}
