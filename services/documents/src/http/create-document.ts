import type { Handler } from '@procurement/kit/http/mount';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import type { ParentKind } from '../domain/document.ts';
import { documentResponse } from './document-response.ts';
import { locateParent } from './path.ts';
import { takeDocument } from './take-document.ts';

/**
 * `POST .../documents`: 201 with the record and its `Location`. A repeat of a request that may have come through is answered with
 * what the first one made (http.md 2.3, 2.6).
 */
export function createDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const parentRef = await locateParent(deps, request, kind);
    const id = idGeneratorFor(request.identity, deps.ids).next();
    const existing = request.identity.seed === undefined ? undefined : await deps.documents.version(id);
    const command = { type: 'AddDocument', id, versionId: id } as const;
    const { version, parentState } =
      existing === undefined
        ? await takeDocument(deps, request, { parentRef, command })
        : { version: existing, parentState: parentRef.facts };
    const path = request.url.split('?', 1)[0] ?? '';
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5${path}/${version.record.id}`);
    return sendJson(reply, 201, documentResponse(deps, version, parentState));
  };
}
