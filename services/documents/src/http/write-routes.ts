import { actorOf } from '@procurement/kit/actor';
import type { Handler } from '@procurement/kit/mount';
import { readJsonBody } from '@procurement/kit/request-body';
import { mintOf } from '@procurement/kit/request-mint';
import { sendJson } from '@procurement/kit/server';
import type { Deps } from '../deps.ts';
import { isPublic } from '../domain/document.visibility.ts';
import type { DocumentVersion, ParentKind, Place } from '../domain/document.ts';
import { jsonBytes } from './json-body.ts';
import { historyOf, locate } from './path.ts';
import { bodyOf } from './sent.ts';
import { metaOf, patienceOf, takeDocument, writeDocument } from './write-document.ts';

/**
 * `POST .../documents`: 201 with the record and its `Location`. A repeat of a request that may have come through answers what
 * the first one made (http.md 2.3, 2.6).
 */
export function createDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const located = await locate(deps, request, kind);
    const { seed } = request.identity;
    const id = mintOf(request.identity, deps.mint).id();
    const made = seed === undefined ? undefined : await deps.documents.version(id);
    const version =
      made ??
      (await takeDocument(deps, request, {
        located,
        write: 'add',
        versionId: id,
        command: (file, meta) => ({ type: 'AddDocument', id, versionId: id, file, meta }),
      }));
    const path = request.url.split('?', 1)[0] ?? '';
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5${path}/${version.record.id}`);
    return sendJson(reply, 201, body(deps, version, located.place));
  };
}

/** `PUT .../documents/{id}`: one more version, 200 with its record (http.md 2.3, 2.4). A repeat makes no second one. */
export function putDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const located = await locate(deps, request, kind);
    const history = await historyOf(deps, request, located.place);
    const { seed } = request.identity;
    const versionId = mintOf(request.identity, deps.mint).id();
    const made = seed === undefined ? undefined : history.find(({ id }) => id === versionId);
    const newest = history.at(-1) ?? history[0];
    const version =
      made ??
      (await takeDocument(deps, request, {
        located,
        write: 'update',
        newest,
        versionId,
        command: (file, meta) => ({ type: 'AddVersion', versionId, file, meta }),
      }));
    return sendJson(reply, 200, body(deps, version, located.place));
  };
}

/** `PATCH .../documents/{id}`: 200 with the newest version after it; also when nothing changed (http.md 2.3). */
export function patchDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const located = await locate(deps, request, kind);
    const history = await historyOf(deps, request, located.place);
    const bytes = await jsonBytes(bodyOf(request), patienceOf(deps));
    const sent = readJsonBody(request.headers['content-type'], bytes);
    const actor = actorOf(request.identity);
    const version = await writeDocument(deps, located, {
      requestId: request.id,
      newest: history.at(-1) ?? history[0],
      commandAt: (place, now) => ({ type: 'ChangeDocument', body: sent, meta: metaOf(deps, place, actor, now) }),
    });
    return sendJson(reply, 200, body(deps, version, located.place));
  };
}

/** Who may write may see; by which address depends on whether everybody may. */
function body(deps: Deps, version: DocumentVersion, place: Place): string {
  return JSON.stringify({ data: deps.show(version, isPublic(place) ? 'public' : 'sealed') });
}
