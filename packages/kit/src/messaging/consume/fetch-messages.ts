import type { Consumer as PullConsumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Msg, MsgCallback, Subscription } from '@nats-io/transport-node';
import { makeSignal } from '../../runtime/signal.ts';

export interface FetchLimits {
  readonly messagesMax: number;
  /** A message that is larger never comes. */
  readonly bytesMax: number;
  readonly expiresMs: number;
}

/** The library's types leave out the subscription of the request, and what that calls for each message. */
type FetchedMessages = ConsumerMessages & { readonly sub: Subscription & { callback: MsgCallback<Msg> } };

/** What the library requests at most with `max_bytes`. It allows no other number beside it. */
export const FETCH_MESSAGES_MAX = 100;
/** Room for subject and headers, which the server counts as well. */
const MESSAGE_OVERHEAD_BYTES = 65_536;
/** Time for one exchange with the server, which never comes when the connection is lost. */
const DRAIN_MS = 500;
/** Two missing heartbeats end a request that the server has lost. */
const HEARTBEAT_MS = 5_000;

/** The bytes of a fetch that gets a message of any size. `messageBytesMax`: `max_payload` of the server. */
export function bytesMaxOfFetch(messageBytesMax: number): number {
  return messageBytesMax + MESSAGE_OVERHEAD_BYTES;
}

/**
 * Requests messages once, and ends when the request has ended. The server sends no more than `bytesMax`: with a number of
 * messages only, it would send all of them, however large they are, also when the reader stops early. Any of `endings` ends
 * the request early and loses none of its messages: the server would redeliver a lost one only after the durable's `ack_wait`.
 * A lost connection has to be one of them: the library would ask again only after `expiresMs`.
 */
export async function* fetchMessages(
  consumer: PullConsumer,
  { messagesMax, bytesMax, expiresMs }: FetchLimits,
  endings: readonly AbortSignal[] = [],
): AsyncGenerator<JsMsg, void, void> {
  const request = { max_bytes: bytesMax, expires: expiresMs, idle_heartbeat: Math.min(HEARTBEAT_MS, expiresMs / 2) };
  const messages = (await consumer.fetch(request)) as FetchedMessages;
  messages.sub.callback = endAfterMessages(messages.sub.callback);
  const drain = (): void => void drainMessages(messages);
  // Not `AbortSignal.any`: its signals stay in memory as long as the one that lives longest.
  for (const ending of endings) ending.addEventListener('abort', drain, { once: true });
  if (endings.some(({ aborted }) => aborted)) drain();
  let received = 0;
  try {
    for await (const message of messages) {
      yield message;
      received += 1;
      // The request of the server ends at its own limit, but that of the library would wait until it expires.
      if (received >= Math.min(messagesMax, FETCH_MESSAGES_MAX)) return;
    }
  } catch (error) {
    if (received === 0 || !isFull(error)) throw error;
  } finally {
    for (const ending of endings) ending.removeEventListener('abort', drain);
  }
}

/** Headers and descriptions of nats-server. */
const PENDING_MESSAGES = 'Nats-Pending-Messages';
const ENDS: ReadonlySet<string> = new Set(['Batch Completed', 'Message Size Exceeds MaxBytes']);

/**
 * Passes the end of a request on after its messages. A server of a cluster sends a message when the others have agreed to its delivery, and
 * the end of the request at once (seen in 2.12.15): the library would unsubscribe first, and the messages would come again only after the
 * durable's `ack_wait`. Without the messages that the end counts, the library ends the request by its missing heartbeats.
 */
export function endAfterMessages(pass: MsgCallback<Msg>): MsgCallback<Msg> {
  let received = 0;
  let held: { readonly end: Msg; readonly after: number } | undefined;
  return (error, message) => {
    const after = error === null ? messagesBefore(message) : undefined;
    if (after !== undefined && received < after) {
      held = { end: message, after };
      return;
    }
    void pass(error, message);
    if (error !== null || isStatus(message)) return;
    received += 1;
    if (held === undefined || received < held.after) return;
    void pass(null, held.end);
    held = undefined;
  };
}

/** Messages that the server has sent when it ended the request; undefined for what is no such end. */
function messagesBefore({ headers }: Msg): number | undefined {
  if (headers === undefined || !ENDS.has(headers.description) || !headers.has(PENDING_MESSAGES)) return undefined;
  return FETCH_MESSAGES_MAX - Number(headers.get(PENDING_MESSAGES));
}

function isStatus({ headers }: Msg): boolean {
  return headers !== undefined && headers.code > 0;
}

/** Ends a request. Messages that the server sent before it heard of the end still come. */
async function drainMessages(messages: FetchedMessages): Promise<void> {
  await Promise.race([messages.sub.drain().catch(() => undefined), makeSignal().wait(DRAIN_MS)]);
  await messages.close();
}

/** The next message does not fit into the bytes that are left: the request ends as one that has expired. */
function isFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'message size exceeds maxbytes';
}
