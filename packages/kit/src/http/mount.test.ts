import { generateKeyPairSync } from 'node:crypto';
import { problem } from '@procurement/contracts/problems/problems';
import { z } from 'zod';
import { signedIdentity, verifyTestIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { publicKeyOf } from '../runtime/identity-keys.ts';
import { makeIdentitySigner, makeIdentityVerifier, type Identity, type IdentityVerifier } from './identity.ts';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { mountContracts, type Handler } from './mount.ts';
import { ConflictError } from '../database/transaction.ts';
import { buildServer, toProblem, sendJson } from './server.ts';

function buildContract(name: string, method: 'GET' | 'PATCH', path: string) {
  return {
    name,
    method,
    path,
    owner: 'tenders',
    spore: name,
    summary: name,
    description: name,
    segments: ['2.5'],
    responses: { 200: z.any() },
  } as const;
}

function makeServer(verifyIdentity: IdentityVerifier = verifyTestIdentity) {
  const app = buildServer({
    log: makeLog('test', 'fatal'),
    metrics: makeMetrics('test'),
    verifyIdentity,
    bodyBytesMax: 10,
    readiness: async () => ({ ready: true, checks: {} }),
  });
  mountContracts(
    app,
    {
      read: buildContract('read', 'GET', '/things/:thing_id'),
      change: buildContract('change', 'PATCH', '/things/:thing_id'),
    },
    {
      read: async (_request, reply) => sendJson(reply, 200, '{"data":1}'),
      change: async () => {
        throw new Error('a bug');
      },
    },
    async (request) => (request.url.endsWith('/none') ? problem('object.not-found', { kind: 'thing' }) : undefined),
  );
  return app;
}

describe('a dry run', () => {
  it('is refused by a service that does not follow it', async () => {
    const app = buildServer({
      log: makeLog('test', 'fatal'),
      metrics: makeMetrics('test'),
      verifyIdentity: verifyTestIdentity,
      bodyBytesMax: 10,
      readiness: async () => ({ ready: true, checks: {} }),
    });
    const change = { ...buildContract('change', 'PATCH', '/things'), owner: 'register' } as const;
    const done: string[] = [];
    const handler: Handler = async (request, reply) => {
      done.push(request.url);
      return sendJson(reply, 200, '{}');
    };
    mountContracts(app, { change }, { change: handler }, async () => undefined);
    const send = async (url: string) => app.inject({ method: 'PATCH', url, headers: signedIdentity() });
    const refused = await send('/things?opt_dry_run=1');
    expect([refused.statusCode, refused.json().errors[0].code, done]).toEqual([422, 'request.dry-run', []]);
    expect((await send('/things')).statusCode).toBe(200);
  });
});

describe('the identity of a request', () => {
  it('is refused at every other method and path', async () => {
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    const app = makeServer(makeIdentityVerifier([publicKeyOf(key)], 'things'));
    const identity = { broker: 'broker1', group: 'brokers', levels: '', segment: '2.5', expires: 4_000_000_000 };
    const scope = { audience: 'things', method: 'GET', path: '/things/1' };
    const given = { 'x-identity': makeIdentitySigner(key)(identity, scope) };
    const fetchStatus = async (method: 'GET' | 'PATCH', url: string): Promise<number> =>
      (await app.inject({ method, url, headers: given })).statusCode;
    expect(await fetchStatus('GET', '/things/1?opt_pretty=1')).toBe(200);
    expect(await fetchStatus('PATCH', '/things/1')).toBe(403);
    expect(await fetchStatus('GET', '/things/2')).toBe(403);
  });
});

function headers(identity: Partial<Identity> = {}): Record<string, string> {
  return signedIdentity({ broker: undefined, group: 'anonymous', levels: '', ...identity });
}

describe('buildServer', () => {
  it('accepts headers of 16 KiB, as the gateway does, beside those that the gateway adds', async () => {
    const app = makeServer();
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${url}/things/1`, { headers: { ...headers(), 'user-agent': 'x'.repeat(16 * 1024) } });
    expect(answer.status).toBe(200);
    await answer.text();
    await app.close();
  });

  it.each([
    ['GET', '/things/1', headers(), 200],
    ['GET', '/things/1', {}, 403],
    ['GET', '/things/1', { 'x-identity': 'forged.forged' }, 403],
    ['DELETE', '/things/1', headers(), 405],
    ['DELETE', '/things/none', headers(), 404],
    ['PATCH', '/things/1', headers({ allow: 'GET, HEAD' }), 405],
    ['PATCH', '/things/none', headers({ allow: 'GET, HEAD' }), 404],
    ['PATCH', '/things/1', headers(), 500],
    ['GET', '/elsewhere', headers(), 404],
    ['GET', '/live', {}, 200],
    ['GET', '/ready', {}, 200],
    ['GET', '/metrics', {}, 200],
  ] as const)('responds to %s %s', async (method, url, given, status) => {
    const answer = await makeServer().inject({ method, url, headers: given });
    expect(answer.statusCode).toBe(status);
    if (status >= 400) expect(answer.json().status).toBe('error');
  });

  it.each([
    [new ConflictError('lost'), 409, undefined],
    [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 503, '5'],
    [Object.assign(new Error('too large'), { statusCode: 413 }), 413, undefined],
    [Object.assign(new Error('odd'), { statusCode: 417 }), 400, undefined],
    [new Error('a bug'), 500, undefined],
  ])('maps %s to status %d', (error, status, retryAfter) => {
    const refusal = toProblem(error);
    expect([refusal.status, refusal.headers?.['retry-after']]).toEqual([status, retryAfter]);
  });

  it('lists in Allow the methods of the path, or those of the segment', async () => {
    const plain = await makeServer().inject({ method: 'DELETE', url: '/things/1', headers: headers() });
    expect(plain.headers.allow).toBe('GET, HEAD, PATCH');
    const restricted = await makeServer().inject({
      method: 'PATCH',
      url: '/things/1',
      headers: headers({ allow: 'GET, HEAD' }),
    });
    expect(restricted.headers.allow).toBe('GET, HEAD');
  });

  it('refuses a body above its limit, and hides the text of internal errors', async () => {
    const big = await makeServer().inject({
      method: 'PATCH',
      url: '/things/1',
      headers: headers(),
      payload: 'x'.repeat(11),
    });
    expect(big.statusCode).toBe(413);
    const bug = await makeServer().inject({ method: 'PATCH', url: '/things/1', headers: headers() });
    expect(bug.body).not.toContain('a bug');
  });
});
