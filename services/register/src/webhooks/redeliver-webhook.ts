import { problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { decideRedelivery, RANGES_MAX } from './domain/webhook.decide.ts';
import { accepted, readBody, reread, loadWebhook, webhookText } from './webhook-path.ts';

/** `POST /webhooks/{id}/redeliver`: sends changes again, from a position on or in a range. */
export function redeliverWebhook(deps: WebhooksDeps): Handler {
  const { webhooks, isUrlAllowed, clock } = deps;
  return async (request, reply) => {
    const stored = await loadWebhook(deps, request);
    const context = { actor: actorOf(request.identity), isUrlAllowed, now: clock.now() };
    const redelivery = accepted(decideRedelivery(readBody(request), stored, context));
    if (!(await webhooks.redeliver(stored.id, redelivery)))
      throw new ProblemError(problem('webhook.redeliver-limit', { max: String(RANGES_MAX) }));
    deps.webhookChanged(stored.id);
    return sendJson(reply, 202, webhookText(await reread(deps, stored)));
  };
}
