import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { readQuery } from '../requests/read-query.ts';
import { requireBroker } from '../requests/caller.ts';
import { webhookView } from './webhook-path.ts';

/** `GET /webhooks`: those of the caller's broker, oldest first. */
export function listWebhooks({ webhooks }: WebhooksDeps): Handler {
  return async (request, reply) => {
    const { broker } = requireBroker(request);
    readQuery(request, {});
    const found = await webhooks.list(broker);
    return sendJson(reply, 200, JSON.stringify({ data: found.map((one) => webhookView(one)) }));
  };
}
