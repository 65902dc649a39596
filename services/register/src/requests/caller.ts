import type { Actor } from '@procurement/contracts/api/actor';
import { anonymousProblem } from '@procurement/domain/admission';
import { actorOf } from '@procurement/kit/http/actor';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyRequest } from 'fastify';

/** The caller. Throws 401 without a key. */
export function requireBroker(request: FastifyRequest): Actor & { readonly broker: string } {
  const actor = actorOf(request.identity);
  const refused = anonymousProblem(actor);
  if (refused !== undefined) throw new ProblemError(refused);
  return { ...actor, broker: actor.broker ?? '' };
}
