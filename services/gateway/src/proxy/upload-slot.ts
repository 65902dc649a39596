import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';

/** 415 of a body that came compressed. */
export function contentEncodingProblem(request: FastifyRequest): Problem | undefined {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined;
  return problem('request.content-encoding');
}

/** Takes one of the places that a sender has for uploads at once, until it is answered; 429 when none is free. */
export function acquireUploadSlot(deps: Deps, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const release = deps.rateLimit.acquireUpload(request.context.caller, request.ip);
  if (release === undefined) return problem('request.too-many', {}, { 'retry-after': '10' });
  reply.raw.once('close', release);
  return undefined;
}
