import type { Consumer as PullConsumer, JsMsg } from '@nats-io/jetstream';

export interface FetchLimits {
  readonly messagesMax: number;
  /** A message that is larger never comes. */
  readonly bytesMax: number;
  readonly expiresMs: number;
}

/** What the library requests at most with `max_bytes`. It allows no other number beside it. */
export const FETCH_MESSAGES_MAX = 100;
/** Room for subject and headers, which the server counts as well. */
const MESSAGE_OVERHEAD_BYTES = 65_536;

/** The bytes of a fetch that gets a message of any size. `messageBytesMax`: `max_payload` of the server. */
export function fetchBytesMaxOf(messageBytesMax: number): number {
  return messageBytesMax + MESSAGE_OVERHEAD_BYTES;
}

/**
 * Requests messages once, and ends when the request has ended. The server sends no more than `bytesMax`: with a number of
 * messages only, it would send all of them, however large they are, also when the reader stops early.
 */
export async function* fetchMessages(
  consumer: PullConsumer,
  { messagesMax, bytesMax, expiresMs }: FetchLimits,
): AsyncGenerator<JsMsg, void, void> {
  let received = 0;
  try {
    for await (const message of await consumer.fetch({ max_bytes: bytesMax, expires: expiresMs })) {
      yield message;
      received += 1;
      // The request of the server ends at its own limit, but that of the library would wait until it expires.
      if (received >= Math.min(messagesMax, FETCH_MESSAGES_MAX)) return;
    }
  } catch (error) {
    if (received === 0 || !isFull(error)) throw error;
  }
}

/** The next message does not fit into the bytes that are left: the request ends as one that has expired. */
function isFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'message size exceeds maxbytes';
}
