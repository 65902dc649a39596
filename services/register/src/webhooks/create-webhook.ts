import { problem, unavailable } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { WebhooksDeps } from './deps.ts';
import { decideCreate, WEBHOOKS_MAX } from './domain/webhook.decide.ts';
import { secretText } from './webhook-message.ts';
import { accepted, readBody, newSecret, webhookText } from './webhook-path.ts';

/** `POST /webhooks`: 201 with the secret, which is not shown again (register.md 5.1). A sender verifies the address then. */
export function createWebhook(deps: WebhooksDeps): Handler {
  const { webhooks, isUrlAllowed, clock, secretBox } = deps;
  return async (request, reply) => {
    const actor = actorOf(request.identity);
    const now = clock.now();
    const { terms, from } = accepted(decideCreate(readBody(request), { actor, isUrlAllowed, now }));
    const ids = idGeneratorFor(request.identity, deps.ids);
    const id = ids.next();
    const secret = newSecret(ids);
    const broker = actor.broker ?? '';
    const position = from ?? (await readHead(deps));
    const isAdded = await webhooks.add({ id, broker, terms, position, now, secret: secretBox.seal(id, secret) });
    if (!isAdded) throw new ProblemError(problem('webhook.limit', { max: String(WEBHOOKS_MAX) }));
    deps.webhookChanged(id);
    const added = await webhooks.find(broker, id);
    if (added === undefined) throw new ProblemError(unavailable(1));
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5/webhooks/${id}`);
    return sendJson(reply, 201, webhookText(added, secretText(secret)));
  };
}

/** Now, as a position. Throws 503 while a back-fill runs. */
async function readHead({ streamStore }: WebhooksDeps): Promise<bigint> {
  const head = await streamStore.head();
  if (head === undefined) throw new ProblemError(unavailable(5));
  return head.position;
}
