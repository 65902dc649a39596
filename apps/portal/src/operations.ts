import { logOptions } from '@procurement/kit/http/app-server';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';

/** Probes and metrics, on a port of their own. The portal is ready before the API is: they start in any order. */
export function buildOperations({ log, metrics }: Deps, isEnding: () => boolean): FastifyInstance {
  const app = Fastify(logOptions(log));
  app.get('/live', async () => ({ live: true }));
  app.get('/ready', async (_request, reply) => reply.code(isEnding() ? 503 : 200).send({ ready: !isEnding() }));
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  return app;
}
