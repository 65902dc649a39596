import { problem } from '@procurement/contracts/problems/problems';
import { readDecimalOffset } from '@procurement/domain/feed-offset';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { retryRefusal } from './domain/webhook.decide.ts';
import { readBody, reread, loadWebhook, webhookText } from './webhook-path.ts';

/** `POST /webhooks/{id}/dead-letters/{position}/retry`: the change waits again, with a fresh schedule. */
export function retryWebhookDeadLetter(deps: WebhooksDeps): Handler {
  return async (request, reply) => {
    const stored = await loadWebhook(deps, request);
    // Safe cast: the path of the contract has this parameter.
    const { position: text } = request.params as { readonly position: string };
    const position = readDecimalOffset(text);
    const refused = retryRefusal(readBody(request), actorOf(request.identity));
    if (refused !== undefined) throw new ProblemError(refused);
    const isFound = position !== undefined && (await deps.webhooks.retryDeadLetter(stored.id, position));
    if (!isFound) throw new ProblemError(problem('dead-letter.not-found'));
    deps.webhookChanged(stored.id);
    return sendJson(reply, 202, webhookText(await reread(deps, stored)));
  };
}
