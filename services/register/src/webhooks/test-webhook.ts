import { problem } from '@procurement/contracts/problems/problems';
import { SECOND } from '@procurement/contracts/reading/instant';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { decideTest } from './domain/webhook.decide.ts';
import { eventBody, messageId, signedHeaders } from './webhook-message.ts';
import type { StoredWebhook } from './domain/webhook.ts';
import type { TransportAnswer } from './webhook-transport.ts';
import { readBody, dateText, loadWebhook } from './webhook-path.ts';

const TYPE = 'webhook.test';
const TEST_MS_MAX = 10_000;
/** A caller waits as long as the receiver does: these wait at the same time in one process. */
const TESTS_MAX = 8;

/** `POST /webhooks/{id}/test`: sends `webhook.test` now, and answers what came of it. */
export function testWebhook(deps: WebhooksDeps): Handler {
  let running = 0;
  return async (request, reply) => {
    const stored = await loadWebhook(deps, request);
    const refused = decideTest(readBody(request), stored, actorOf(request.identity));
    if (refused !== undefined) throw new ProblemError(refused);
    if (running >= TESTS_MAX) throw new ProblemError(problem('request.too-many', {}, { 'retry-after': '1' }));
    running += 1;
    try {
      const { status, error, milliseconds } = await send(deps, stored);
      return await sendJson(reply, 200, JSON.stringify({ data: { status, error, milliseconds } }));
    } finally {
      running -= 1;
    }
  };
}

async function send(deps: WebhooksDeps, { id, url }: StoredWebhook): Promise<TransportAnswer> {
  const { webhooks, secretBox, clock, ids, webhookTransport } = deps;
  const at = clock.now();
  const secrets = (await webhooks.secrets(id, at)).map((sealed) => secretBox.open(id, sealed));
  const body = eventBody({ type: TYPE, timestamp: dateText(at), data: { webhook: id } });
  const headers = signedHeaders(messageId(id, ids.nextToken()), Math.floor(at / SECOND), body, secrets);
  const answer = await webhookTransport.post({ url, headers, body, timeoutMs: TEST_MS_MAX });
  const { status, error, milliseconds } = answer;
  const outcome = { ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) };
  await webhooks.addAttempt(id, { type: TYPE, at, ...outcome, milliseconds, attempt: 1 });
  return answer;
}
