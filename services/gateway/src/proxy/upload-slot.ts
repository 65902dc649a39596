import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { askForBody } from '@procurement/kit/http/expect-continue';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProxyDeps } from './deps.ts';

/** 415 for a compressed body (decision 0013). */
export function contentEncodingProblem(request: FastifyRequest): Problem | undefined {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined;
  return problem('request.content-encoding');
}

/**
 * Counts an upload of its sender until the response is closed, and lets a client that waits send it; 429 when the sender or its
 * address has too many.
 */
export function acquireUploadSlot(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const { caller, address } = request.context;
  const release = deps.rateLimit.acquireUpload(caller, address);
  if (release === undefined) return TOO_MANY_FILES;
  reply.raw.once('close', release);
  const failure = acquireFileSlot(deps, request, reply);
  if (failure === undefined) askForBody(request.raw);
  return failure;
}

/** Counts a file that is sent or received for its address until the response is closed; 429 when the address has too many. */
export function acquireFileSlot(deps: ProxyDeps, request: FastifyRequest, reply: FastifyReply): Problem | undefined {
  const { address } = request.context;
  if (!deps.concurrency.files.enter(address)) return TOO_MANY_FILES;
  reply.raw.once('close', () => deps.concurrency.files.leave(address));
  return undefined;
}

const TOO_MANY_FILES = problem('request.too-many', {}, { 'retry-after': '10' });
