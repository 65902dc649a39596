import { problem } from '@procurement/contracts/problems';
import { actorOf } from '@procurement/kit/actor';
import type { Handler } from '@procurement/kit/mount';
import { ProblemError } from '@procurement/kit/problem-error';
import { sendJson } from '@procurement/kit/server';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { ShownAs } from '../document-view.ts';
import { newestVersions } from '../domain/document.history.ts';
import { hiddenFrom, isPublic } from '../domain/document.visibility.ts';
import type { ParentKind, Place } from '../domain/document.ts';
import { contentDisposition } from '../domain/file-name.ts';
import { decideFreshly } from './decide-freshly.ts';
import { historyOf, locate } from './path.ts';

/** How long the address of a download is good for (http.md 2.5). */
const DOWNLOAD_SECONDS = 300;

/** `GET .../documents`: the newest version of each, `?all=` every version; 403 `document.list-sealed` (http.md 2.4, 2.7). */
export function listDocuments(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const { place, as } = await visiblePlace(deps, request, kind, 'list');
    const versions = await deps.documents.ofParent(place.parent);
    const shown = queryOf(request).get('all') ? versions : newestVersions(versions);
    return sendJson(reply, 200, JSON.stringify({ data: shown.map((version) => deps.show(version, as)) }));
  };
}

/**
 * `GET .../documents/{id}`: the newest version and those before it, oldest first; with `?download=` the way to the file of one
 * version, 302 for five minutes. 403 `document.sealed`, 404 `document.download` (http.md 2.4, 2.5).
 */
export function getDocument(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const { place, as } = await visiblePlace(deps, request, kind, 'one');
    const history = await historyOf(deps, request, place);
    const key = queryOf(request).get('download');
    if (key) {
      const version = history.findLast(({ fileId }) => fileId === key);
      if (version === undefined) throw new ProblemError(problem('document.download'));
      const expires = Math.floor(deps.clock.now() / 1_000_000) + DOWNLOAD_SECONDS;
      const address = deps.addresses.temporary(key, expires);
      return reply
        .code(302)
        .headers({
          location: address,
          'content-type': version.record.format,
          'content-disposition': contentDisposition(version.record.title),
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': 'sandbox',
        })
        .send(JSON.stringify(address));
    }
    const versions = history.map((version) => deps.show(version, as));
    const newest = versions.at(-1);
    return sendJson(reply, 200, JSON.stringify({ data: { ...newest, previousVersions: versions.slice(0, -1) } }));
  };
}

/** The place of the request, if this caller may see its documents, and by which addresses. */
async function visiblePlace(
  deps: Deps,
  request: FastifyRequest,
  kind: ParentKind,
  what: 'list' | 'one',
): Promise<{ readonly place: Place; readonly as: ShownAs }> {
  const viewer = { actor: actorOf(request.identity), settings: deps.settings };
  const located = await locate(deps, request, kind);
  return decideFreshly<Seen>(located, async (place) => {
    const refused = hiddenFrom(place, viewer, what);
    return refused === undefined ? { place, as: isPublic(place) ? 'public' : 'sealed' } : { refused };
  });
}

type Seen = { readonly place: Place; readonly as: ShownAs };

/** The query as it was written: names may be repeated, and the last one counts nowhere here. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}
