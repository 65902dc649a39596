import { RESPONSE_MS_MAX } from '@procurement/contracts/events/subjects';
import type { Logger } from '../../runtime/log.ts';
import type { Bus } from '../bus.ts';
import { requestInParts, respondBytes } from './request.ts';

/**
 * Sends a question over core NATS whose answer is lines of text, of up to 48 MB. Undefined when no complete answer came in time:
 * nobody answers, the responder has failed, or a part was lost. Never throws.
 */
export async function askLines(
  bus: Bus,
  subject: string,
  question: unknown,
  timeoutMs = RESPONSE_MS_MAX,
): Promise<readonly string[] | undefined> {
  if (!bus.connected()) return undefined;
  try {
    const bytes = await requestInParts(bus, subject, JSON.stringify(question), timeoutMs);
    return bytes.toString().split('\n');
  } catch {
    return undefined;
  }
}

/** Answers such questions; the replicas of one service share them. The lines contain no line feed. */
export function answerLines(
  bus: Bus,
  subject: string,
  log: Logger,
  handler: (question: unknown) => Promise<readonly string[]>,
): void {
  respondBytes(bus, subject, log, async (question) => Buffer.from((await handler(question)).join('\n')));
}
