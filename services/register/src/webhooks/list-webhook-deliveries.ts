import { secondsText } from '@procurement/domain/feed-offset';
import type { Handler } from '@procurement/kit/http/mount';
import type { WebhooksDeps } from './deps.ts';
import type { StoredAttempt } from './webhook.store.ts';
import { dateText } from './webhook-path.ts';
import { sendRows } from './webhook-pages.ts';

/** `GET /webhooks/{id}/deliveries`: the last attempts, newest first. */
export function listWebhookDeliveries(deps: WebhooksDeps): Handler {
  return async (request, reply) =>
    sendRows(deps, request, reply, {
      name: 'deliveries',
      read: deps.webhooks.attempts,
      cursorOf: ({ n }) => n,
      view: attemptView,
    });
}

function attemptView({ n: _n, position, at, ...attempt }: StoredAttempt): object {
  return { ...attempt, ...(position === undefined ? {} : { position: secondsText(position) }), at: dateText(at) };
}
