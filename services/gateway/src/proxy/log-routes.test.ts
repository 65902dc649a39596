import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeService, sendJson, type FakeService } from '../../test-support/fake-service.ts';
import { runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const KEY = { authorization: `Basic ${Buffer.from('broker:').toString('base64')}` };

let ledger: FakeService;
let gateway: RunningGateway;
beforeAll(async () => {
  ledger = await fakeService();
  gateway = await runningGateway({ LEDGER_URL: ledger.url, PUBLIC_BASE_URL: 'http://gateway.invalid' });
});
afterAll(async () => {
  await gateway.close();
  await ledger.close();
});
afterEach(() => {
  ledger.received.length = 0;
});

const get = async (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);

/** `fetch` does not send every method. */
async function fetchStatus(method: string, path: string): Promise<number | undefined> {
  const request = httpRequest(`${gateway.url}${path}`, { method }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

function respondWith(status: number, type: string, body: string | Buffer, cache = 'public, max-age=5'): void {
  ledger.respond = (_received, response) => {
    response.writeHead(status, {
      'content-type': type,
      'cache-control': cache,
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
}

describe('/log', () => {
  it('is the ledger, byte for byte, with its types and cache times', async () => {
    const tile = Buffer.from(Array.from({ length: 8_192 }, (_, n) => n % 256));
    respondWith(200, 'application/octet-stream', tile, 'public, max-age=31536000, immutable');
    const answer = await get('/log/tile/0/x001/234.p/5', { headers: { 'accept-encoding': 'gzip' } });
    expect(Buffer.from(await answer.arrayBuffer()).equals(tile)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '8192',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    });
    const names = ['set-cookie', 'content-encoding'];
    expect(names.map((name) => answer.headers.get(name))).toEqual([null, null]);
    expect(ledger.received).toMatchObject([
      { method: 'GET', url: '/log/tile/0/x001/234.p/5', identity: { group: 'anonymous' } },
    ]);
  });

  it('writes no address into links, wraps nothing and indents nothing', async () => {
    const body = '{"next":"http://gateway.invalid/log"}';
    respondWith(200, 'application/json; charset=UTF-8', body);
    const answer = await get('/log/tenders/a?after=1&opt_pretty=1&opt_jsonp=f');
    expect(await answer.text()).toBe(body);
    expect(ledger.received[0]?.url).toBe('/log/tenders/a?after=1&opt_pretty=1&opt_jsonp=f');
  });

  it('answers HEAD without the body', async () => {
    respondWith(200, 'text/plain; charset=utf-8', 'note');
    const answer = await get('/log/checkpoint', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '4', '']);
  });

  it('reads no key', async () => {
    respondWith(200, 'text/plain; charset=utf-8', 'note');
    expect((await get('/log/checkpoint', { headers: KEY })).headers.get('cache-control')).toBe('public, max-age=5');
    expect(ledger.received).toMatchObject([{ identity: { group: 'anonymous' } }]);
    expect(ledger.received[0]?.headers.authorization).toBeUndefined();
    const answer = await get('/log/checkpoint?acc_token=x');
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: [{ location: 'params', name: 'acc_token' }] },
    ]);
  });

  it('stores no errors in caches', async () => {
    ledger.respond = (_received, response) => sendJson(response, 404, '{"status":"error","errors":[]}');
    expect((await get('/log/tile/0/x01')).headers.get('cache-control')).toBe('no-store');
  });

  it('is read-only', async () => {
    expect(await fetchStatus('TRACE', '/log/tile/0/000')).toBe(405);
    for (const method of ['POST', 'DELETE']) {
      const answer = await get('/log/checkpoint', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    expect((await get('/log/checkpoint', { method: 'OPTIONS' })).status).toBe(204);
    expect((await get('/log/tile/0/x%2f001')).status).toBe(404);
    expect(ledger.received).toEqual([]);
  });

  it('is 503 while the ledger is away', async () => {
    const alone = await runningGateway({ LEDGER_URL: 'http://127.0.0.1:9' });
    const answer = await fetch(`${alone.url}/log/checkpoint`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await fetch(`${alone.url}/health`)).status).toBe(200);
    await alone.close();
  });

  it('counts as a read, and a large file by its size', async () => {
    const { rateLimit } = gateway.deps;
    const { consume, charge } = rateLimit;
    const counted: unknown[] = [];
    Object.assign(rateLimit, {
      consume: (...args: Parameters<typeof consume>) => {
        counted.push([args[2], args[3]]);
        return consume(...args);
      },
      charge: (...[, , , tokens, rateClass]: Parameters<typeof charge>) => void counted.push([tokens, rateClass]),
    });
    respondWith(200, 'application/octet-stream', Buffer.alloc(2 * 1_048_576));
    await (await get('/log/tile/entries/000')).arrayBuffer();
    Object.assign(rateLimit, { consume, charge });
    expect(counted).toEqual([
      [false, undefined],
      [2, undefined],
    ]);
  });

  it('does not exist without a ledger', async () => {
    const without = await runningGateway();
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await fetch(`${without.url}/log/checkpoint`, { method });
      expect([method, answer.status]).toEqual([method, 404]);
    }
    await without.close();
  });
});
