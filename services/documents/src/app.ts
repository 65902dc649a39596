import { documentCollections, documentRouteName, documentsApi } from '@procurement/contracts/api/documents.api';
import { holdContinue } from '@procurement/kit/http/expect-continue';
import { mountContracts, type Handler } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import type { ParentKind } from './domain/document.ts';
import { createDocument } from './http/create-document.ts';
import { getDocument } from './http/get-document.ts';
import { getFile } from './http/get-file.ts';
import { listDocuments } from './http/list-documents.ts';
import { patchDocument } from './http/patch-document.ts';
import { putDocument } from './http/put-document.ts';
import { requirePathObjects } from './http/path.ts';
import { registerFile } from './http/register-file.ts';
import { uploadFile } from './http/upload-file.ts';
import { uploadRegistered } from './http/upload-registered.ts';

/** Mounts every operation that the contracts give to this service, and the public endpoints of the document service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  holdContinue(app.server);
  // A separate scope in which bodies arrive as streams: a body is read only after its sender's permission was checked.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    mountDocuments(scope, deps);
    mountFiles(scope, deps);
  });
}

function mountDocuments(app: FastifyInstance, deps: Deps): void {
  const handlers: Record<string, Handler> = {};
  const kinds = new Map<string, ParentKind>();
  for (const collection of documentCollections) {
    const { parent, path } = collection;
    handlers[documentRouteName('list', collection)] = listDocuments(deps, parent);
    handlers[documentRouteName('create', collection)] = createDocument(deps, parent);
    handlers[documentRouteName('get', collection)] = getDocument(deps, parent);
    handlers[documentRouteName('put', collection)] = putDocument(deps, parent);
    handlers[documentRouteName('patch', collection)] = patchDocument(deps, parent);
    for (const url of [path, `${path}/:document_id`]) kinds.set(url, parent);
  }
  // Every path that is mounted here belongs to a collection, so the default is never used.
  const requireObjects = requirePathObjects(deps, (request) => kinds.get(request.routeOptions.url ?? '') ?? 'tender');
  mountContracts(app, documentsApi, handlers, requireObjects);
}

/** The document service (http.md 2.8), as the gateway forwards to it: under the same paths, with the caller's identity. */
function mountFiles(app: FastifyInstance, deps: Deps): void {
  app.post('/register', registerFile(deps));
  app.post('/upload', uploadFile(deps));
  app.post('/upload/:doc_id', uploadRegistered(deps));
  app.route({ method: ['GET', 'HEAD'], url: '/get/:doc_id', handler: getFile(deps) });
}
