import type { Msg } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import type { Logger } from '../runtime/log.ts';

/** Result of a request: the responder's value (undefined: it has none), or that it was unavailable. */
export type RequestResult = { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'unavailable' };

/** Sends a request over core NATS, for facts that no event has delivered yet. Never throws. */
export async function sendRequest(
  bus: Bus,
  subject: string,
  payload: unknown,
  timeoutMs = 1_000,
): Promise<RequestResult> {
  if (!bus.connected()) return { kind: 'unavailable' };
  try {
    const reply = await bus.connection.request(subject, JSON.stringify(payload), { timeout: timeoutMs });
    const response = reply.json<{ found?: unknown; failed?: true }>();
    return response.failed === true ? { kind: 'unavailable' } : { kind: 'answer', value: response.found };
  } catch {
    return { kind: 'unavailable' };
  }
}

/**
 * Responds to such requests; the replicas of one service share them. When `handler` throws, the error is logged and the
 * requester gets `unavailable`.
 */
export function respondTo(
  bus: Bus,
  subject: string,
  log: Logger,
  handler: (request: unknown) => Promise<unknown>,
): void {
  const queue = subject.replaceAll('.', '-');
  async function handle(message: Msg): Promise<void> {
    try {
      message.respond(JSON.stringify({ found: await handler(message.json()) }));
    } catch (failure) {
      log.error({ err: failure, subject }, 'request handler failed');
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
