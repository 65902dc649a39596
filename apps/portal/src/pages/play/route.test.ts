import type { Fetch } from '@procurement/client';
import { makeLog } from '@procurement/kit/runtime/log';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { config } from '../../config.ts';
import { makeDeps, type Deps } from '../../deps.ts';

const OWN = 'http://portal.example';
const SAME = { 'sec-fetch-site': 'same-origin' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded', host: 'portal.example' };

let app: FastifyInstance | undefined;
let deps: Deps;
let sent: string[] = [];

/** The portal before an API that answers `/health` as given, and refuses all else. */
function portal({ isSandbox = true, play = 'auto' }: { isSandbox?: boolean; play?: string } = {}): FastifyInstance {
  sent = [];
  const settings = config({ API_URL: 'http://api', API_PUBLIC_URL: ':8080', PLAY: play });
  const headers = isSandbox ? { 'x-sandbox': '1' } : {};
  const fetch: Fetch = async (address, init) => {
    sent.push(`${init.method} ${address}`);
    return address.endsWith('/health')
      ? Response.json({ sandbox: true }, { headers })
      : Response.json({ status: 'error', errors: [] }, { status: 403, headers });
  };
  deps = {
    ...makeDeps(settings, makeLog('portal', 'fatal')),
    fetch,
    readApi: async () => ({ status: 200, body: {}, tag: '', isSandbox }),
  };
  app = buildApp(deps);
  return app;
}

afterEach(async () => {
  await app?.close();
  await deps.close();
});

/** The field that `GET /play` puts into its form. */
async function fetchRun(server: FastifyInstance): Promise<string> {
  const { payload } = await server.inject({ url: '/play', headers: { host: 'portal.example' } });
  return /name="run" value="([^"]+)"/.exec(payload)?.[1] ?? '';
}

async function post(server: FastifyInstance, headers: Readonly<Record<string, string>>, run?: string) {
  const payload = new URLSearchParams({ run: run ?? (await fetchRun(server)), do: 'next' }).toString();
  return server.inject({ method: 'POST', url: '/en/play', headers: { ...FORM, ...headers }, payload });
}

describe('/play', () => {
  it.each([
    ['outside of a sandbox', { isSandbox: false }],
    ['with PLAY=off', { play: 'off' }],
  ])('is 404 %s, also for POST, and sends nothing', async (_where, settings) => {
    const server = portal(settings);
    const read = await server.inject({ url: '/play', headers: { host: 'portal.example' } });
    expect([read.statusCode, (await post(server, SAME, 'x')).statusCode, sent]).toEqual([404, 404, []]);
  });

  it('lets browsers say where its form comes from, and is never stored', async () => {
    const { headers } = await portal().inject({ url: '/play', headers: { host: 'portal.example' } });
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
  });

  it.each([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site', origin: OWN }],
    ['a foreign Origin', { origin: 'http://evil.example' }],
    ['Origin: null', { origin: 'null' }],
    ['neither', {}],
  ])('refuses a form with %s, and sends nothing', async (_what, headers) => {
    const answer = await post(portal(), headers);
    expect([answer.statusCode, sent]).toEqual([403, []]);
  });

  it.each([
    ['Sec-Fetch-Site', SAME],
    ['the own Origin', { origin: OWN }],
  ])('plays a form with %s, and shows a refusal of the API with its request', async (_what, headers) => {
    const answer = await post(portal(), headers);
    expect([answer.statusCode, sent]).toEqual([200, ['GET http://api/health', 'POST http://api/api/2.5/tenders']]);
    expect(answer.payload).toContain('403 Forbidden');
    expect(answer.payload).toContain('The API refused');
  });

  it('refuses a run that was changed, and sends nothing', async () => {
    const answer = await post(portal(), SAME, 'eyJydW4iOiJ4In0');
    expect([answer.statusCode, sent]).toEqual([400, []]);
  });

  it('plays one step of a visitor at a time', async () => {
    const server = portal();
    deps.playing.add('127.0.0.1');
    const answer = await post(server, SAME);
    expect([answer.statusCode, answer.headers['retry-after'], sent]).toEqual([429, '2', []]);
  });

  it('plays four steps at a time, and forgets a visitor whose step is over', async () => {
    const server = portal();
    for (const n of [1, 2, 3, 4]) deps.playing.add(`192.0.2.${n}`);
    expect((await post(server, SAME)).statusCode).toBe(429);
    deps.playing.delete('192.0.2.1');
    expect((await post(server, SAME)).statusCode).toBe(200);
    expect(deps.playing.has('127.0.0.1')).toBe(false);
  });
});
