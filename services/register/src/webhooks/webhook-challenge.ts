import { formatServerDate } from '@procurement/contracts/reading/instant';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import { eventBody, messageId } from './webhook-message.ts';
import type { AttemptOutcome } from './domain/webhook.ts';
import type { WebhookMessages } from './webhook-messages.ts';

interface ChallengeDeps {
  readonly ids: IdGenerator;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const VERIFY_MS_MAX = 10_000;

/** Whether an address accepts webhooks (register.md 5.5): it must answer 2xx and repeat the challenge. */
export async function sendChallenge(
  messages: WebhookMessages,
  webhook: string,
  { ids, clock, signal }: ChallengeDeps,
): Promise<AttemptOutcome> {
  const challenge = ids.nextToken();
  const body = eventBody({ type: 'webhook.verify', timestamp: formatServerDate(clock.now()), data: { challenge } });
  const answer = await messages.send(messageId(webhook, challenge), body, false, signal, VERIFY_MS_MAX);
  const isRefused = answer.ok && !repeats(answer.text, challenge);
  return isRefused ? { ...answer, ok: false, error: 'challenge' } : answer;
}

/** Whether a JSON body has the challenge, at its top or in the `data` of the request that it echoes. */
function repeats(text: string, challenge: string): boolean {
  try {
    // Safe cast: every member is compared, whatever it is.
    const body = JSON.parse(text) as { challenge?: unknown; data?: { challenge?: unknown } } | null;
    return body?.challenge === challenge || body?.data?.challenge === challenge;
  } catch {
    return false;
  }
}
