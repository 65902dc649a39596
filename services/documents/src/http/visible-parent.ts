import { actorOf } from '@procurement/kit/http/actor';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Audience } from '../document-view.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { DocumentVersion, ParentKind, ParentState } from '../domain/document.ts';
import { isPublic, visibilityRefusal } from '../domain/document.visibility.ts';
import { loadHistory, locateParent, type ParentRef } from './path.ts';

/** A parent whose documents the caller may see, and which kind of address they are shown with. */
interface VisibleParent {
  readonly parentState: ParentState;
  readonly audience: Audience;
}

/** The parent that the path names. Throws its 404, or 403 when the caller may not see its documents (http.md 2.7). */
export async function visibleParent(deps: Deps, request: FastifyRequest, kind: ParentKind): Promise<VisibleParent> {
  return visible(deps, request, await locateParent(deps, request, kind), 'list');
}

/** All versions of the document that the path names, and its parent. Throws the 404 of either before the 403 (http.md 0.2). */
export async function visibleDocument(
  deps: Deps,
  request: FastifyRequest,
  kind: ParentKind,
): Promise<VisibleParent & { readonly history: readonly [DocumentVersion, ...DocumentVersion[]] }> {
  const parentRef = await locateParent(deps, request, kind);
  const history = await loadHistory(deps, request, parentRef.facts);
  return { history, ...(await visible(deps, request, parentRef, 'document')) };
}

async function visible(
  deps: Deps,
  request: FastifyRequest,
  parentRef: ParentRef,
  scope: 'list' | 'document',
): Promise<VisibleParent> {
  const viewer = { actor: actorOf(request.identity), settings: deps.settings };
  return decideWithRefresh<ParentState, VisibleParent>(parentRef, dependsOnFacts, async (parentState) => {
    const refused = visibilityRefusal(parentState, viewer, scope);
    return refused === undefined ? { parentState, audience: isPublic(parentState) ? 'public' : 'sealed' } : { refused };
  });
}
