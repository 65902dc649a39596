import type { Msg } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import type { Logger } from '../runtime/log.ts';

/** What came of asking another service: its answer (undefined: it knows none), or that it could not be asked. */
export type RequestResult = { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'unavailable' };

/** Asks the owner of facts over core NATS; for facts that have not arrived by event yet. Never throws. */
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

/** Answers such questions; replicas of one service share them. A failing answer is logged and told as such. */
export function respondTo(
  bus: Bus,
  subject: string,
  log: Logger,
  handler: (question: unknown) => Promise<unknown>,
): void {
  const queue = subject.replaceAll('.', '-');
  async function handle(message: Msg): Promise<void> {
    try {
      message.respond(JSON.stringify({ found: await handler(message.json()) }));
    } catch (failure) {
      log.error({ err: failure, subject }, 'question not answered');
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
