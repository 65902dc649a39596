import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { readQuery } from './read-query.ts';
import { brokerOf, webhookView } from './webhook-path.ts';

/** `GET /webhooks`: those of the caller's broker, oldest first. */
export function listWebhooks({ webhooks }: Deps): Handler {
  return async (request, reply) => {
    const { broker } = brokerOf(request);
    readQuery(request, {});
    const found = await webhooks.list(broker);
    return sendJson(reply, 200, JSON.stringify({ data: found.map((one) => webhookView(one)) }));
  };
}
