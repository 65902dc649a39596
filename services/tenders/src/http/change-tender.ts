import type { Handler } from '@procurement/kit/http/mount';
import { readJsonBody } from '@procurement/kit/http/body';
import { preconditionRefusal, revisionEtag } from '@procurement/kit/http/etag';
import { ignoredMembersRefusal } from '@procurement/kit/http/ignored-members';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { actorOf } from '@procurement/kit/http/actor';
import { changeByRequest } from './change-by-request.ts';
import { ignoredInTender } from './ignored-in-tender.ts';
import { tenderIdOf } from './path.ts';
import { tenderText } from './tender-text.ts';

/** PATCH and PUT, which differ in the command only. `If-Match` with another revision is 412 (http.md 5.4). */
export function changeTender(deps: Deps, type: 'PatchTender' | 'PutTender'): Handler {
  return async (request, reply) => {
    const id = tenderIdOf(request);
    const body = readJsonBody(request.headers['content-type'], request.body);
    const actor = actorOf(request.identity);
    const outcome = await changeByRequest(deps, request, {
      makeCommand: (meta) => ({ type, body, meta }),
      precondition: ({ state: before, publicRev }, after) =>
        ignoredMembersRefusal(request, reply, ignoredInTender(deps, { body, actor, before, after })) ??
        preconditionRefusal(request, () => revisionEtag(publicRev)),
    });
    // A request of the chronograph may have ended tendering. It is answered after the other services have reacted.
    const isChronograph = request.identity.group === 'chronograph' && !request.isDryRun;
    if (isChronograph) await deps.handshakes.awaitDone(id);
    const shown = (isChronograph ? undefined : outcome.body) ?? (await deps.tenders.view(id))?.bytes;
    return sendJson(reply, 200, shown === undefined ? '' : tenderText(request, shown));
  };
}
