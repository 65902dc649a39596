import type { Handler } from '@procurement/kit/http/mount';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { ParentKind } from '../domain/document.ts';
import { documentResponse } from './document-response.ts';
import { loadHistory, locateParent } from './path.ts';
import { takeDocument } from './take-document.ts';

/** `PUT .../documents/{id}`: one more version, 200 with its record (http.md 2.3, 2.4). A repeat makes no second one. */
export function putDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const parentRef = await locateParent(deps, request, kind);
    const history = await loadHistory(deps, request, parentRef.facts);
    const versionId = idGeneratorFor(request.identity, deps.ids).next();
    const existing =
      request.identity.seed === undefined ? undefined : history.find((version) => version.id === versionId);
    const newest = history.at(-1) ?? history[0];
    const command = { type: 'AddVersion', versionId } as const;
    const { version, parentState } =
      existing === undefined
        ? await takeDocument(deps, request, { parentRef, command, newest })
        : { version: existing, parentState: parentRef.facts };
    return sendJson(reply, 200, documentResponse(deps, version, parentState));
  };
}
