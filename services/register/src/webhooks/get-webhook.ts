import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { loadWebhook, webhookText } from './webhook-path.ts';

/** `GET /webhooks/{id}`. */
export function getWebhook(deps: WebhooksDeps): Handler {
  return async (request, reply) => sendJson(reply, 200, webhookText(await loadWebhook(deps, request)));
}
