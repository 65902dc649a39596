import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { reread, loadWebhook, webhookText } from './webhook-path.ts';

/** `DELETE /webhooks/{id}`: its last state. Nothing is sent after the answer. */
export function deleteWebhook(deps: WebhooksDeps): Handler {
  const { webhooks } = deps;
  return async (request, reply) => {
    const stored = await loadWebhook(deps, request);
    const { id, status } = stored;
    await webhooks.disable(id);
    deps.webhookChanged(id);
    const last = { ...(await reread(deps, stored)), status };
    await webhooks.remove(id);
    return sendJson(reply, 200, webhookText(last));
  };
}
