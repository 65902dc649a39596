import { anonymousProblem } from '@procurement/domain/admission';
import { problem } from '@procurement/contracts/problems/problems';
import { actorOf } from '@procurement/kit/http/actor';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';

/** Groups that may upload to the document service (http.md 2.8). */
const UPLOADER_GROUPS: ReadonlySet<string> = new Set(['brokers', 'auction', 'bots', 'reviewers', 'admins']);

/**
 * The name of a caller who may upload. Throws 401 without a known key (http.md 2.8, rulings R1), 403 `request.forbidden` for
 * other groups.
 */
export function requireUploader(request: FastifyRequest): string {
  const actor = actorOf(request.identity);
  const anonymous = anonymousProblem(actor);
  if (anonymous !== undefined) throw new ProblemError(anonymous);
  if (actor.broker === undefined || !UPLOADER_GROUPS.has(actor.group))
    throw new ProblemError(problem('request.forbidden'));
  return actor.broker;
}

/** The id of the file of the path. The router gives text for every named parameter of a matched path. */
export function fileIdOf(request: FastifyRequest): string {
  return (request.params as { doc_id: string }).doc_id;
}
