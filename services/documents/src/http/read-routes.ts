import { problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Audience } from '../document-view.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import { newestVersions } from '../domain/document.history.ts';
import { visibilityRefusal, isPublic } from '../domain/document.visibility.ts';
import type { ParentKind, ParentState } from '../domain/document.ts';
import { contentDisposition } from '../domain/file-name.ts';
import { loadHistory, locateParent } from './path.ts';

/** How long the address of a download is good for (http.md 2.5). */
const DOWNLOAD_VALID_SECONDS = 300;

/** `GET .../documents`: the newest version of each, `?all=` every version; 403 `document.list-sealed` (http.md 2.4, 2.7). */
export function listDocuments(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const { parentState, audience } = await visibleParent(deps, request, kind, 'list');
    const versions = await deps.documents.ofParent(parentState.parent);
    const listed = queryOf(request).get('all') ? versions : newestVersions(versions);
    return sendJson(
      reply,
      200,
      JSON.stringify({ data: listed.map((version) => deps.documentView(version, audience)) }),
    );
  };
}

/**
 * `GET .../documents/{id}`: the newest version and those before it, oldest first; with `?download=` the way to the file of one
 * version, 302 for five minutes. 403 `document.sealed`, 404 `document.download` (http.md 2.4, 2.5).
 */
export function getDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const { parentState, audience } = await visibleParent(deps, request, kind, 'document');
    const history = await loadHistory(deps, request, parentState);
    const key = queryOf(request).get('download');
    if (key) {
      const version = history.findLast(({ fileId }) => fileId === key);
      if (version === undefined) throw new ProblemError(problem('document.download'));
      const expires = Math.floor(deps.clock.now() / 1_000_000) + DOWNLOAD_VALID_SECONDS;
      const downloadUrl = deps.signedUrls.temporary(key, expires);
      return reply
        .code(302)
        .headers({
          location: downloadUrl,
          'content-type': version.record.format,
          'content-disposition': contentDisposition(version.record.title),
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': 'sandbox',
        })
        .send(JSON.stringify(downloadUrl));
    }
    const versions = history.map((version) => deps.documentView(version, audience));
    const newest = versions.at(-1);
    return sendJson(reply, 200, JSON.stringify({ data: { ...newest, previousVersions: versions.slice(0, -1) } }));
  };
}

/** The place of the request, if this caller may see its documents, and by which addresses. */
async function visibleParent(
  deps: Deps,
  request: FastifyRequest,
  kind: ParentKind,
  scope: 'list' | 'document',
): Promise<{ readonly parentState: ParentState; readonly audience: Audience }> {
  const viewer = { actor: actorOf(request.identity), settings: deps.settings };
  const parentRef = await locateParent(deps, request, kind);
  return decideWithRefresh<ParentState, VisibleParent>(parentRef, dependsOnFacts, async (parentState) => {
    const refused = visibilityRefusal(parentState, viewer, scope);
    return refused === undefined ? { parentState, audience: isPublic(parentState) ? 'public' : 'sealed' } : { refused };
  });
}

type VisibleParent = { readonly parentState: ParentState; readonly audience: Audience };

/** The query as it was written: names may be repeated, and the last one counts nowhere here. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}
