import { actorOf } from '@procurement/kit/http/actor';
import { decideWithRefresh } from '@procurement/kit/http/decide-with-refresh';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Audience } from '../document-view.ts';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { ParentKind, ParentState } from '../domain/document.ts';
import { isPublic, visibilityRefusal } from '../domain/document.visibility.ts';
import { locateParent } from './path.ts';

/** A parent whose documents the caller may see, and which kind of address they are shown with. */
interface VisibleParent {
  readonly parentState: ParentState;
  readonly audience: Audience;
}

/** The parent that the path names. Throws its 404, or 403 when the caller may not see its documents (http.md 2.7). */
export async function visibleParent(
  deps: Deps,
  request: FastifyRequest,
  kind: ParentKind,
  scope: 'list' | 'document',
): Promise<VisibleParent> {
  const viewer = { actor: actorOf(request.identity), settings: deps.settings };
  const parentRef = await locateParent(deps, request, kind);
  return decideWithRefresh<ParentState, VisibleParent>(parentRef, dependsOnFacts, async (parentState) => {
    const refused = visibilityRefusal(parentState, viewer, scope);
    return refused === undefined ? { parentState, audience: isPublic(parentState) ? 'public' : 'sealed' } : { refused };
  });
}
