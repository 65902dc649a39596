import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { Deps } from '../deps.ts';
import type { StoredTransfer } from '../store/transfers.store.ts';
import { transferView } from './get-transfer.ts';
import { transferRefusal } from '../domain/transfer.decide.ts';

/** `POST /transfers`: 201 with the transfer and its tokens, which are not shown again (http.md 3.6). */
export function createTransfer(deps: Deps): Handler {
  return async (request, reply) => {
    const actor = actorOf(request.identity);
    const refused = transferRefusal(readJsonBody(request.headers['content-type'], request.body), actor);
    if (refused !== undefined) throw new ProblemError(refused);
    const ids = idGeneratorFor(request.identity, deps.ids);
    const access = { token: ids.nextToken(), transfer: ids.nextToken() };
    const transfer: StoredTransfer = {
      id: ids.next(),
      broker: actor.broker ?? '',
      tokenHash: sha256Hex(access.token),
      transferHash: sha256Hex(access.transfer),
      at: deps.clock.now(),
    };
    const made = request.isDryRun ? transfer : await deps.transfers.add(transfer);
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5/transfers/${made.id}`);
    return sendJson(reply, 201, JSON.stringify({ access, data: transferView(made, made.broker) }));
  };
}
