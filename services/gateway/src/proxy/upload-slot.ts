import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';

/** 415 for a compressed body (decision 0013). */
export function contentEncodingProblem(request: FastifyRequest): Problem | undefined {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined;
  return problem('request.content-encoding');
}

/** Counts an upload of its sender until the response is closed; 429 when the sender runs too many. */
export function acquireUploadSlot(deps: Deps, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const release = deps.rateLimit.acquireUpload(request.context.caller, request.ip);
  if (release === undefined) return problem('request.too-many', {}, { 'retry-after': '10' });
  reply.raw.once('close', release);
  return undefined;
}
