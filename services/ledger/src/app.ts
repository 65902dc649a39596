import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyInstance } from 'fastify';
import { getLog } from './http/get-log.ts';
import type { ReadDeps } from './http/log-answer.ts';

const PATH = '/log/*';

/** Mounts every operation of this service. They are outside of the API's segments, and nothing is written. */
export function mountRoutes(app: FastifyInstance, deps: ReadDeps): void {
  app.get(PATH, getLog(deps));
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: PATH,
    handler: async () => {
      throw new ProblemError(problem('request.method', {}, { allow: 'GET, HEAD' }));
    },
  });
}
