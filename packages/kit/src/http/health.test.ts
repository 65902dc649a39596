import { describe, expect, it } from 'vitest';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { buildServer, type Readiness } from './server.ts';

const stuck = { kind: 'flow', name: 'closing', count: 1, oldestSeconds: 90 } as const;

async function statuses(readiness: Readiness): Promise<{ ready: number; health: number; body: unknown }> {
  const app = buildServer({
    log: makeLog('test', 'fatal'),
    metrics: makeMetrics('test'),
    verifyIdentity: () => undefined,
    bodyBytesMax: 1,
    readiness: async () => readiness,
  });
  const [ready, health] = await Promise.all([app.inject('/ready'), app.inject('/health')]);
  await app.close();
  return { ready: ready.statusCode, health: health.statusCode, body: health.json() };
}

describe('/ready and /health', () => {
  it('are green while nothing is stuck', async () => {
    expect(await statuses({ ready: true, checks: {}, details: [] })).toMatchObject({ ready: 200, health: 200 });
  });

  it('name what is stuck: /health is red, and the service stays in the rotation', async () => {
    const readiness: Readiness = { ready: true, checks: {}, details: [stuck] };
    expect(await statuses(readiness)).toEqual({ ready: 200, health: 503, body: readiness });
  });

  it('are red without a database', async () => {
    expect(await statuses({ ready: false, checks: { database: 'fail' } })).toMatchObject({ ready: 503, health: 503 });
  });
});
