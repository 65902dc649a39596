import type { Msg } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';
import type { Logger } from './log.ts';

/** What came of asking another service: its answer (undefined: it knows none), or that it could not be asked. */
export type Asked = { readonly kind: 'answer'; readonly value: unknown } | { readonly kind: 'unavailable' };

/** Asks the owner of facts over core NATS; for facts that have not arrived by event yet. Never throws. */
export async function ask(bus: Bus, subject: string, question: unknown, timeoutMs = 1_000): Promise<Asked> {
  if (!bus.connected()) return { kind: 'unavailable' };
  try {
    const reply = await bus.connection.request(subject, JSON.stringify(question), { timeout: timeoutMs });
    const answer = reply.json<{ found?: unknown; failed?: true }>();
    return answer.failed === true ? { kind: 'unavailable' } : { kind: 'answer', value: answer.found };
  } catch {
    return { kind: 'unavailable' };
  }
}

/** Answers such questions; replicas of one service share them. A failing answer is logged and told as such. */
export function answer(bus: Bus, subject: string, log: Logger, find: (question: unknown) => Promise<unknown>): void {
  const queue = subject.replaceAll('.', '-');
  async function respond(message: Msg): Promise<void> {
    try {
      message.respond(JSON.stringify({ found: await find(message.json()) }));
    } catch (failure) {
      log.error({ err: failure, subject }, 'question not answered');
      message.respond(JSON.stringify({ failed: true }));
    }
  }
  bus.whenOpen((connection) => {
    connection.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error === null) void respond(message);
      },
    });
  });
}
