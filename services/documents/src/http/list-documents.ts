import type { Handler } from '@procurement/kit/http/mount';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { newestVersions } from '../domain/document.history.ts';
import type { ParentKind } from '../domain/document.ts';
import { parseQuery } from './path.ts';
import { visibleParent } from './visible-parent.ts';

/** `GET .../documents`: the newest version of each, `?all=` every version; 403 `document.list-sealed` (http.md 2.4, 2.7). */
export function listDocuments(deps: Deps, kind: ParentKind): Handler {
  return async (request, reply) => {
    const { parentState, audience } = await visibleParent(deps, request, kind);
    const versions = await deps.documents.ofParent(parentState.parent);
    const listed = parseQuery(request).get('all') ? versions : newestVersions(versions);
    const data = listed.map((version) => deps.documentView(version, audience));
    return sendJson(reply, 200, JSON.stringify({ data }));
  };
}
