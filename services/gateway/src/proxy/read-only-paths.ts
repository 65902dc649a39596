import { problem } from '@procurement/contracts/problems/problems';
import { sendProblem } from '@procurement/kit/http/server';
import type { FastifyInstance } from 'fastify';
import { sendPreflight } from '../answer/preflight.ts';
import { READ_ONLY } from '../request/routes.table.ts';

/** Answers what is not a read at paths outside of segments, and lets no cache keep a refusal of this scope. */
export function readOnlyPaths(scope: FastifyInstance, paths: readonly string[]): void {
  scope.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode >= 400) void reply.header('cache-control', 'no-store');
  });
  for (const path of paths) {
    scope.options(path, async (_request, reply) => sendPreflight(reply, READ_ONLY));
    scope.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url: path,
      handler: async (_request, reply) => sendProblem(reply, problem('request.method', {}, { allow: READ_ONLY })),
    });
  }
}
