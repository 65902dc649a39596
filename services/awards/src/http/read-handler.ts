import type { Handler } from '@procurement/kit/http/mount';
import { etagOf, sendTagged } from '@procurement/kit/http/etag';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Documents } from '../domain/awarding.view.ts';
import { loadPathTender, type TenderWithAwarding } from './path.ts';
import { dataText } from './response.ts';

type Find<T> = (found: TenderWithAwarding, request: FastifyRequest) => T;
type View<T> = (object: T, documents: Documents) => unknown;
type Send = (request: FastifyRequest, reply: FastifyReply, text: string) => FastifyReply;

/** A GET handler of one object, with its ETag. See `readHandler`. */
export function readOneHandler<T>(deps: Deps, find: Find<T>, view: View<T>): Handler {
  return makeHandler(deps, find, view, (request, reply, text) => sendTagged(request, reply, text, etagOf(text)));
}

/**
 * A GET handler of a list: 200 with the view of what `find` returns. `find` throws the 404 of an object that does not exist; it runs
 * before the documents are read.
 */
export function readHandler<T>(deps: Deps, find: Find<T>, view: View<T>): Handler {
  return makeHandler(deps, find, view, (_request, reply, text) => sendJson(reply, 200, text));
}

function makeHandler<T>(deps: Deps, find: Find<T>, view: View<T>, send: Send): Handler {
  return async (request, reply) => {
    const found = await loadPathTender(deps, request);
    const object = find(found, request);
    return send(request, reply, dataText(view(object, await deps.documents.find(found.state.id))));
  };
}
