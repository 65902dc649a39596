import { afterAll, expect, it } from 'vitest';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { IDENTITY_HEADER, type Identity } from './identity.ts';
import { READS_PATH } from './read-frames.ts';
import { buildServer, sendJson } from './server.ts';

let isLost = false;
const identity = { broker: 'broker1', segment: '2.3' } as unknown as Identity;
const app = buildServer({
  log: makeLog('test', 'fatal'),
  metrics: makeMetrics('test'),
  verifyIdentity: (header) => (header === 'signed' ? identity : undefined),
  bodyBytesMax: 1_000,
  refusesWrites: () => isLost,
  readiness: async () => ({ ready: true, checks: {} }),
});
let handled = 0;
for (const url of ['/things', READS_PATH]) {
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: async (_request, reply) => {
      handled += 1;
      return sendJson(reply, 200, '{}');
    },
  });
}
afterAll(async () => app.close());

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', query = '') {
  return app.inject({ method, url: `/things${query}`, headers: { [IDENTITY_HEADER]: 'signed' }, payload: '{}' });
}

it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'refuses %s while the service may have to take it back',
  async (method) => {
    isLost = true;
    const before = handled;
    const { statusCode, headers, body } = await send(method);
    expect([statusCode, headers['retry-after'], handled]).toEqual([503, '60', before]);
    expect(JSON.parse(body)).toMatchObject({ status: 'error', errors: [{ name: 'service_unavailable' }] });
    expect((await send(method, '?opt_dry_run=true')).statusCode).toBe(503);
    isLost = false;
    expect([(await send(method)).statusCode, handled]).toEqual([200, before + 1]);
  },
);

it('answers reads meanwhile, and says nothing to strangers', async () => {
  isLost = true;
  expect((await send('GET')).statusCode).toBe(200);
  const together = {
    method: 'POST',
    url: READS_PATH,
    headers: { [IDENTITY_HEADER]: 'signed' },
    payload: '[]',
  } as const;
  expect((await app.inject(together)).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/things' })).statusCode).toBe(403);
});
