import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Passes a request with `Expect: 100-continue` on like any other. Without this Node answers 100 before anything is checked. */
export function holdContinue(server: Server): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}

/** Lets a client that waits for `100 Continue` send its body. Called when the body is about to be read. */
export function askForBody({ headers }: FastifyRequest, reply: FastifyReply): void {
  // Node answers any other expectation with 417.
  if (headers.expect !== undefined) reply.raw.writeContinue();
}
