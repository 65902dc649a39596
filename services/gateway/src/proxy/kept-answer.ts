import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { problem, unavailable } from '@procurement/contracts/problems/problems';
import { toProblem, sendProblem } from '@procurement/kit/http/server';
import { QueueFullError } from '@procurement/kit/runtime/fair-queue';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chargeAnswer } from '../limits/answer-weight.ts';
import type { ByteBudget, ByteLease } from '../limits/byte-budget.ts';
import type { RateLimit } from '../limits/rate-limit.ts';

/**
 * The first bytes of an answer are not counted: nearly all answers are shorter, and the number of requests bounds them. Longer ones
 * are kept in memory as far as the budget goes, so that a slow client holds neither a connection to the service nor more memory.
 */
export const UNCOUNTED_BYTES_MAX = 64 * 1024;

/** An answer does not fit into the budget. */
export class TooManyBytesError extends Error {}
export const TOO_MANY_BYTES = unavailable(1);

/** A lease that ends when the client has taken its response, or has gone. */
export function leaseUntilClosed(budget: ByteBudget, address: string, response: ServerResponse): ByteLease {
  const lease = budget.lease(address);
  response.once('close', lease.release);
  return lease;
}

/** The whole answer. Throws TooManyBytesError, and ends the answer, when it does not fit. */
export async function keepAnswer(answer: Readable, lease: ByteLease): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    // Answers of undici are streams of bytes.
    const chunk = part as Buffer;
    chunks.push(chunk);
    size += chunk.length;
    if (size > UNCOUNTED_BYTES_MAX && !lease.take(chunk.length)) throw new TooManyBytesError();
  }
  return Buffer.concat(chunks, size);
}

/** Answers for a service whose answer does not fit, or cannot be read. */
export function sendUnreadable(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof TooManyBytesError) return sendProblem(reply, TOO_MANY_BYTES);
  if (error instanceof QueueFullError) return sendProblem(reply, toProblem(error));
  request.log.error({ err: error, requestId: request.context.requestId }, 'response not readable');
  return sendProblem(reply, problem('service.bad-gateway'));
}

/**
 * Sends an answer once it is whole, so that its links can follow the request. It is kept in memory as far as the budget goes, so that a
 * slow client does not hold a connection to the service.
 */
export function sendKept(
  deps: { readonly answerBytes: ByteBudget; readonly rateLimit: RateLimit },
  request: FastifyRequest,
  reply: FastifyReply,
  stream: Readable,
): void {
  reply.removeHeader('content-length');
  keepAnswer(stream, leaseUntilClosed(deps.answerBytes, request.context.address, reply.raw))
    .then((answer) => {
      chargeAnswer(deps, request, { bytes: answer.length });
      return answer;
    })
    .then(
      (answer) => reply.send(answer),
      (error: unknown) => sendUnreadable(request, reply, error),
    );
}
