import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { decideRotation } from './domain/webhook.decide.ts';
import { secretText } from './webhook-message.ts';
import { accepted, readBody, newSecret, reread, loadWebhook, webhookText } from './webhook-path.ts';

/** `POST /webhooks/{id}/secret`: a new secret, shown once; the one before signs as well for a while. */
export function rotateWebhookSecret(deps: WebhooksDeps): Handler {
  const { webhooks, secretBox, clock } = deps;
  return async (request, reply) => {
    const stored = await loadWebhook(deps, request);
    const { oldValid } = accepted(decideRotation(readBody(request), actorOf(request.identity)));
    const secret = newSecret(idGeneratorFor(request.identity, deps.ids));
    await webhooks.addSecret(stored.id, secretBox.seal(stored.id, secret), clock.now() + oldValid);
    deps.webhookChanged(stored.id);
    return sendJson(reply, 200, webhookText(await reread(deps, stored), secretText(secret)));
  };
}
