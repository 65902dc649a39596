import { actorOf } from '@procurement/kit/http/actor';
import { readJsonBody } from '@procurement/kit/http/body';
import { ignoredMembersRefusal } from '@procurement/kit/http/ignored-members';
import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { ParentKind } from '../domain/document.ts';
import { requestedBody } from './body-kind.ts';
import { documentPrecondition } from './document.etag.ts';
import { documentResponse } from './document-response.ts';
import { loadHistory, locateParent } from './path.ts';
import { ignoredInDocument } from './ignored-in-document.ts';
import { bodyTimeouts, readBodyBytes } from './read-body-bytes.ts';
import { writeDocument } from './write-document.ts';

/** `PATCH .../documents/{id}`: 200 with the newest version after it, also when nothing changed (http.md 2.3). */
export function patchDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const parentRef = await locateParent(deps, request, kind);
    const history = await loadHistory(deps, request, parentRef.facts);
    const bytes = await readBodyBytes(requestedBody(request), bodyTimeouts(deps));
    const body = readJsonBody(request.headers['content-type'], bytes);
    const stale = documentPrecondition(deps, request);
    const { version, parentState } = await writeDocument(deps, parentRef, {
      correlationId: request.id,
      audit: request.audit,
      isDryRun: request.isDryRun,
      precondition: (before, isShownToAll, after) =>
        ignoredMembersRefusal(
          request,
          reply,
          ignoredInDocument(deps, body, { before, after, isPublic: isShownToAll }),
        ) ?? stale(before, isShownToAll),
      newest: history.at(-1) ?? history[0],
      request: { type: 'ChangeDocument', body, meta: { actor: actorOf(request.identity), settings: deps.settings } },
    });
    return sendJson(reply, 200, documentResponse(deps, version, parentState));
  };
}
