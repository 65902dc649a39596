import type { Problem } from '@procurement/contracts/problems/problems';
import { etagOf, preconditionRefusal } from '@procurement/kit/http/etag';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Audience } from '../document-view.ts';
import type { DocumentVersion } from '../domain/document.ts';

/** The ETag of a document. Only its newest version can change, and earlier versions change only when one is added. */
export function documentEtag(deps: Pick<Deps, 'documentView'>, newest: DocumentVersion, audience: Audience): string {
  return etagOf(JSON.stringify({ version: newest.id, shown: deps.documentView(newest, audience) }));
}

/** The check of `If-Match`. */
export function documentPrecondition(
  deps: Pick<Deps, 'documentView'>,
  request: FastifyRequest,
): (newest: DocumentVersion, isPublic: boolean) => Problem | undefined {
  return (newest, isPublic) =>
    preconditionRefusal(request, () => documentEtag(deps, newest, isPublic ? 'public' : 'sealed'));
}
