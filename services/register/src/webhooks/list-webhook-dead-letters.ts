import { secondsText } from '@procurement/domain/feed-offset';
import type { Handler } from '@procurement/kit/http/mount';
import type { WebhooksDeps } from './deps.ts';
import type { ParkedChange } from './domain/delivery-window.ts';
import { dateText } from './webhook-path.ts';
import { sendRows } from './webhook-pages.ts';

/** `GET /webhooks/{id}/dead-letters`: changes that were given up, in order. */
export function listWebhookDeadLetters(deps: WebhooksDeps): Handler {
  return async (request, reply) =>
    sendRows(deps, request, reply, {
      name: 'dead-letters',
      read: deps.webhooks.deadLetters,
      cursorOf: ({ position }) => position,
      view: deadLetterView,
    });
}

function deadLetterView({ position, tender, attempts, lastError, deadAt }: ParkedChange): object {
  return { position: secondsText(position), tender, attempts, lastError, date: dateText(deadAt ?? 0) };
}
