import { makeReadinessMetrics } from '@procurement/kit/http/readiness-metrics';
import { JSON_TYPE } from '@procurement/kit/http/server';
import { busDetails, outboxDetails, type ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { DescriptionDeps } from './deps.ts';
import { SEGMENTS } from '../generations/segments.ts';
import type { HealthChecks, HealthState } from './health-watch.ts';

/** `/health` is for brokers and monitors: 200 or 503 (http.md 7). */
export function registerHealthEndpoints(app: FastifyInstance, deps: DescriptionDeps): void {
  const health = async (reply: FastifyReply): Promise<FastifyReply> => {
    const { checks, upstreams } = await deps.health.state();
    const routing = Object.values(upstreams).includes('up') ? 'ok' : 'fail';
    const { database, stream } = checks;
    const sandbox = deps.responseSettings.sandbox ? { sandbox: true } : {};
    if (isReady(checks) && routing === 'ok') return sendJson(reply, 200, { health: 'ok', ...sandbox });
    return sendJson(reply, 503, { health: 'fail', checks: { database, stream, routing }, ...sandbox });
  };
  app.get('/health', async (_request, reply) => health(reply));
  for (const segment of Object.keys(SEGMENTS))
    app.get(`/api/${segment}/health`, async (_request, reply) => health(reply));
}

/**
 * Builds the server of `OPERATIONS_PORT`, for operators and orchestrators. `/live` checks nothing but the process; `/ready` reports
 * every dependency; `/health` answers the same, and 503 while something is stuck, as on every service. Its port is never public (rulings R36).
 */
export function buildOperations(deps: Pick<DescriptionDeps, 'health' | 'metrics' | 'isServing'>): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.get('/live', async (_request, reply) => sendJson(reply, 200, { live: true }));
  const isReadyNow = (checks: HealthChecks): boolean => isReady(checks) && deps.isServing();
  const readiness = async () => {
    const state = await deps.health.state();
    const { outbox, busFault, ...states } = state.checks;
    // A service that is down affects its own paths only, so the gateway stays ready.
    return {
      ready: isReadyNow(state.checks),
      checks: states,
      upstreams: state.upstreams,
      ...(busFault === undefined ? {} : { busFault: busFault.text }),
      ...(outbox === undefined ? {} : { outbox }),
      details: stuckIn(state),
    };
  };
  app.get('/ready', async (_request, reply) => {
    const body = await readiness();
    return sendJson(reply, body.ready ? 200 : 503, body);
  });
  app.get('/health', async (_request, reply) => {
    const body = await readiness();
    return sendJson(reply, body.ready && body.details.length === 0 ? 200 : 503, body);
  });
  const readinessMetrics = makeReadinessMetrics(deps.metrics);
  app.get('/metrics', async (_request, reply) => {
    readinessMetrics.observe(await readiness());
    const { registry } = deps.metrics;
    return reply.header('content-type', registry.contentType).send(await registry.metrics());
  });
  return app;
}

/** What operators have to look at: services whose paths are answered 503, a bus that is away, events that are not published. */
function stuckIn({ checks: { busFault, outbox }, upstreams }: HealthState): readonly ReadyDetail[] {
  const down = Object.entries(upstreams).filter(([, state]) => state === 'down');
  return [
    ...down.map(([name]) => ({ kind: 'upstream', name, count: 1 })),
    ...busDetails(busFault),
    ...outboxDetails(outbox ?? { waiting: 0, oldestSeconds: 0 }),
  ];
}

/**
 * The gateway is ready when it has loaded the API keys from the database. It works without the bus: the periodic refresh
 * finds revoked keys.
 */
function isReady(checks: HealthChecks): boolean {
  return checks.database === 'ok';
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(JSON.stringify(body));
}
