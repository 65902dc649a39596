import { actorOf } from '@procurement/kit/http/actor';
import type { Handler } from '@procurement/kit/http/mount';
import { readJsonBody } from '@procurement/kit/http/body';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { isPublic } from '../domain/document.visibility.ts';
import type { DocumentVersion, ParentKind, ParentState } from '../domain/document.ts';
import { readBodyBytes } from './read-body-bytes.ts';
import { loadHistory, locateParent } from './path.ts';
import { bodyStream } from './body-kind.ts';
import { metaOf, bodyTimeouts, takeDocument, writeDocument } from './write-document.ts';

/**
 * `POST .../documents`: 201 with the record and its `Location`. A repeat of a request that may have come through answers what
 * the first one made (http.md 2.3, 2.6).
 */
export function createDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const parentRef = await locateParent(deps, request, kind);
    const { seed } = request.identity;
    const id = idGeneratorFor(request.identity, deps.ids).next();
    const existing = seed === undefined ? undefined : await deps.documents.version(id);
    const version =
      existing ??
      (await takeDocument(deps, request, {
        parentRef,
        write: 'add',
        versionId: id,
        toCommand: (file, meta) => ({ type: 'AddDocument', id, versionId: id, file, meta }),
      }));
    const path = request.url.split('?', 1)[0] ?? '';
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5${path}/${version.record.id}`);
    return sendJson(reply, 201, responseBody(deps, version, parentRef.facts));
  };
}

/** `PUT .../documents/{id}`: one more version, 200 with its record (http.md 2.3, 2.4). A repeat makes no second one. */
export function putDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const parentRef = await locateParent(deps, request, kind);
    const history = await loadHistory(deps, request, parentRef.facts);
    const { seed } = request.identity;
    const versionId = idGeneratorFor(request.identity, deps.ids).next();
    const existing = seed === undefined ? undefined : history.find(({ id }) => id === versionId);
    const newest = history.at(-1) ?? history[0];
    const version =
      existing ??
      (await takeDocument(deps, request, {
        parentRef,
        write: 'update',
        newest,
        versionId,
        toCommand: (file, meta) => ({ type: 'AddVersion', versionId, file, meta }),
      }));
    return sendJson(reply, 200, responseBody(deps, version, parentRef.facts));
  };
}

/** `PATCH .../documents/{id}`: 200 with the newest version after it; also when nothing changed (http.md 2.3). */
export function patchDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const parentRef = await locateParent(deps, request, kind);
    const history = await loadHistory(deps, request, parentRef.facts);
    const bytes = await readBodyBytes(bodyStream(request), bodyTimeouts(deps));
    const reading = readJsonBody(request.headers['content-type'], bytes);
    const actor = actorOf(request.identity);
    const version = await writeDocument(deps, parentRef, {
      requestId: request.id,
      newest: history.at(-1) ?? history[0],
      commandAt: (parentState, now) => ({
        type: 'ChangeDocument',
        body: reading,
        meta: metaOf(deps, parentState, actor, now),
      }),
    });
    return sendJson(reply, 200, responseBody(deps, version, parentRef.facts));
  };
}

/** Who may write may see; by which address depends on whether everybody may. */
function responseBody(deps: Deps, version: DocumentVersion, parentState: ParentState): string {
  return JSON.stringify({ data: deps.documentView(version, isPublic(parentState) ? 'public' : 'sealed') });
}
