import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { RESPONSE_MS_MAX } from '@procurement/contracts/events/subjects';
import { publishIfOpen, type Bus } from '../bus.ts';
import type { Logger } from '../../runtime/log.ts';
import { openSpan, withinSpan } from '../../runtime/spans.ts';
import { parseTraceContext, traceMembers, type TraceContext } from '../../runtime/trace-context.ts';

/** Result of a request: the responder's value (undefined: it has none), or that it was unavailable. */
export type RequestResult = { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'unavailable' };

/** Header of a request whose response may come in parts, and of each part: their number. */
const PARTS_HEADER = 'Response-Parts';
const PART_BYTES = 512 * 1024;
/** The sum of the parts. NATS holds them for the requester, and disconnects one for which it holds 64 MB. */
export const RESPONSE_BYTES_MAX = 48 * 1024 * 1024;
const PARTS_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 1_000;

interface ResponseBody {
  readonly found?: unknown;
  readonly failed?: true;
  /** The response is larger than a message: it has to be requested in parts. */
  readonly large?: true;
}

/**
 * Sends a request over core NATS, for facts that no event has delivered yet. Waits for at most `RESPONSE_MS_MAX`, after which the server
 * passes no reply on. `trace` travels in the headers of the message. Never throws.
 */
export async function sendRequest(
  bus: Bus,
  subject: string,
  payload: unknown,
  timeoutMs = DEFAULT_TIMEOUT_MS * bus.waitFactor,
  trace?: TraceContext,
): Promise<RequestResult> {
  if (!bus.connected()) return { kind: 'unavailable' };
  const text = JSON.stringify(payload);
  const span =
    trace === undefined ? undefined : openSpan({ kind: 'client', name: `request ${subject}`, parent: trace });
  const sent = span?.context;
  const options = {
    timeout: Math.min(timeoutMs, RESPONSE_MS_MAX),
    ...(sent === undefined ? {} : { headers: traceHeaders(sent) }),
  };
  let failed = true;
  try {
    const response = (await bus.connection.request(subject, text, options)).json<ResponseBody>();
    const body = response.large === true ? await requestJsonInParts(bus, subject, text, sent) : response;
    failed = body.failed === true;
    return failed ? { kind: 'unavailable' } : { kind: 'answer', value: body.found };
  } catch {
    return { kind: 'unavailable' };
  } finally {
    span?.end({ failed });
  }
}

/** Repeats a request whose response is larger than a message. */
async function requestJsonInParts(
  bus: Bus,
  subject: string,
  text: string,
  trace: TraceContext | undefined,
): Promise<ResponseBody> {
  const messageHeaders = trace === undefined ? headers() : traceHeaders(trace);
  // Safe cast: the responder's `respondTo` has written it.
  return JSON.parse(String(await requestInParts(bus, subject, text, PARTS_TIMEOUT_MS, messageHeaders))) as ResponseBody;
}

/** Sends a request and reads its response in parts. Throws when a part does not come, or the responder has failed. */
export async function requestInParts(
  { connection, newInbox }: Bus,
  subject: string,
  text: string,
  timeoutMs: number,
  messageHeaders: MsgHdrs = headers(),
): Promise<Buffer> {
  const inbox = newInbox();
  messageHeaders.set(PARTS_HEADER, '0');
  const subscription = connection.subscribe(inbox);
  const timer = setTimeout(() => subscription.unsubscribe(), timeoutMs);
  const parts: Uint8Array[] = [];
  try {
    connection.publish(subject, text, { reply: inbox, headers: messageHeaders });
    for await (const message of subscription) {
      const count = Number(message.headers?.get(PARTS_HEADER));
      if (!(count > 0)) throw new Error(`${subject}: not a part of a response`);
      parts.push(message.data);
      if (parts.length === count) return Buffer.concat(parts);
    }
  } finally {
    clearTimeout(timer);
    subscription.unsubscribe();
  }
  throw new Error(`${subject}: ${parts.length} parts received in ${timeoutMs} ms`);
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
  respondBytes(bus, subject, log, async (request, trace) =>
    Buffer.from(JSON.stringify({ found: await handler(request, trace) })),
  );
}

/** The same for responses of any form. */
export function respondBytes(
  bus: Bus,
  subject: string,
  log: Logger,
  makeBody: (request: unknown, trace: TraceContext) => Promise<Buffer>,
): void {
  const queue = subject.replaceAll('.', '-');
  async function handle(message: Msg): Promise<void> {
    const span = openSpan({ kind: 'server', name: `respond ${subject}`, parent: parseTraceHeaders(message.headers) });
    const trace = span.context;
    let failed = false;
    try {
      const body = await withinSpan(trace, async () => makeBody(message.json(), trace));
      publishIfOpen(() => respond(message, body));
    } catch (failure) {
      failed = true;
      log.error({ err: failure, subject, traceId: trace.traceId }, 'request handler failed');
      publishIfOpen(() => message.respond(JSON.stringify({ failed: true })));
    }
    span.end({ failed });
  }
  /** Responds in one message, or in parts when the requester reads them (it sends the header then). */
  function respond(message: Msg, body: Buffer): void {
    const fitsOneMessage = body.length <= (bus.connection.info?.max_payload ?? PART_BYTES);
    if (body.length > RESPONSE_BYTES_MAX) throw new Error(`response of ${body.length} bytes`);
    if (message.headers?.has(PARTS_HEADER) === true) respondInParts(message, body);
    else message.respond(fitsOneMessage ? body : JSON.stringify({ large: true } satisfies ResponseBody));
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

function respondInParts(message: Msg, body: Buffer): void {
  // One also for no bytes: the requester waits for it.
  const count = Math.max(1, Math.ceil(body.length / PART_BYTES));
  const partHeaders = headers();
  partHeaders.set(PARTS_HEADER, String(count));
  for (let n = 0; n < count; n += 1) {
    message.respond(body.subarray(n * PART_BYTES, (n + 1) * PART_BYTES), { headers: partHeaders });
  }
}

function traceHeaders(trace: TraceContext): MsgHdrs {
  const messageHeaders = headers();
  for (const [name, value] of Object.entries(traceMembers(trace))) messageHeaders.set(name, value);
  return messageHeaders;
}

function parseTraceHeaders(messageHeaders: MsgHdrs | undefined): TraceContext | undefined {
  if (messageHeaders === undefined) return undefined;
  return parseTraceContext({
    traceparent: messageHeaders.get('traceparent'),
    tracestate: messageHeaders.get('tracestate'),
  });
}
