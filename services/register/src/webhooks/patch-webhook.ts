import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { decidePatch } from './domain/webhook.decide.ts';
import { accepted, readBody, reread, loadWebhook, webhookText } from './webhook-path.ts';

/** `PATCH /webhooks/{id}`: settings, and the change to `active` or `paused`. */
export function patchWebhook(deps: WebhooksDeps): Handler {
  const { webhooks, isUrlAllowed, clock } = deps;
  return async (request, reply) => {
    const stored = await loadWebhook(deps, request);
    const now = clock.now();
    const actor = actorOf(request.identity);
    const { terms, status, isMoved } = accepted(decidePatch(readBody(request), stored, { actor, isUrlAllowed, now }));
    await webhooks.update(stored.id, { terms, status, isMoved, now });
    deps.webhookChanged(stored.id);
    return sendJson(reply, 200, webhookText(await reread(deps, stored)));
  };
}
