import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { basic, PUBLIC_BASE_URL, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const id = 'a'.repeat(32);
const JSON_TYPE = 'application/json; charset=UTF-8';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runningGateway({ UPSTREAM_TIMEOUT_MS: '300' });
});
afterAll(async () => gateway.close());
afterEach(() => {
  gateway.tenders.received.length = 0;
  gateway.tenders.respond = (_seen, response) => sendJson(response, 200, '{"data":{}}');
  gateway.accessLog.length = 0;
});

const request = async (path: string, init: RequestInit = {}, to = gateway) =>
  fetch(`${to.url}${path}`, { redirect: 'manual', ...init });
const tender = `/api/2.5/tenders/${id}`;

// The same must hold whichever way an answer takes: the short path, the proxy, or the gateway's own.
const RESPONSE_PATHS: [string, string][] = [
  ['a hot read', tender],
  ['a proxied read', `${tender}/bids`],
  ['an answer of the gateway', '/api/2.5/nothing'],
  ['the description', '/api/2.5/spore'],
];

describe.each(RESPONSE_PATHS)('headers of %s', (_what, path) => {
  it('carry a request id, and the client its own when it is well formed', async () => {
    const answer = await request(path, { headers: { 'x-client-request-id': 'abc.1:2_3-4' } });
    expect(answer.headers.get('x-request-id')).toMatch(
      /^req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(answer.headers.get('x-client-request-id')).toBe('abc.1:2_3-4');
    const other = await request(path, { headers: { 'x-client-request-id': 'a b' } });
    expect(other.headers.get('x-client-request-id')).toBeNull();
  });

  it('give a cookie to those who have none, always the same, and read none', async () => {
    const [first, second] = [await request(path), await request(path)];
    expect(first.headers.get('set-cookie')).toMatch(/^SERVER_ID=[0-9a-f]{32}; Path=\/$/);
    expect(second.headers.get('set-cookie')).toBe(first.headers.get('set-cookie'));
    for (const cookie of ['SERVER_ID=x; Path=/', 'SERVER_ID=x; Path=/; HttpOnly; Secure=; =; ;;']) {
      const answer = await request(path, { headers: { cookie } });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([first.status, null]);
    }
  });

  it('allow reading from other origins, forbid guessing types, and tell caches what to do', async () => {
    const answer = await request(path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-ID, X-Client-Request-ID, ETag, Retry-After',
      'x-content-type-options': 'nosniff',
      'content-type': JSON_TYPE,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    expect(answer.headers.get('date')).not.toBeNull();
    expect(answer.headers.get('x-sandbox')).toBeNull();
    const own = await request(path, { headers: basic('broker1') });
    expect(own.headers.get('cache-control')).toBe('private, no-store');
  });

  it('let nothing of a service through that is not meant for clients', async () => {
    gateway.tenders.respond = gateway.bids.respond = (_seen, response) =>
      sendJson(response, 200, '{}', {
        'x-internal': '1',
        'x-identity': 'x',
        server: 'x',
        'set-cookie': 'a=b',
        'proxy-authenticate': 'x',
      });
    const answer = await request(path);
    for (const name of ['x-internal', 'x-identity', 'server', 'proxy-authenticate'])
      expect(answer.headers.get(name)).toBeNull();
    expect(answer.headers.get('set-cookie')).not.toContain('a=b');
  });
});

describe('headers of a write', () => {
  it('http.md 3.2, R1: pass a 401 of the service on with its WWW-Authenticate', async () => {
    const challenge = 'Basic realm="tenders", charset="UTF-8"';
    gateway.tenders.respond = (_seen, response) =>
      sendJson(response, 401, '{"status":"error","errors":[]}', { 'www-authenticate': challenge });
    const answer = await request('/api/2.5/tenders', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('turn Location into the segment of the request, an alias as it was sent', async () => {
    gateway.tenders.respond = (_seen, response) =>
      sendJson(response, 201, '{"data":{}}', { location: `${PUBLIC_BASE_URL}/api/2.5/tenders/${id}` });
    for (const segment of ['2.5', '2.4', '2.3']) {
      const answer = await request(`/api/${segment}/tenders`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.headers.get('location')).toBe(`${PUBLIC_BASE_URL}/api/${segment}/tenders/${id}`);
    }
  });
});

describe('a tag', () => {
  it.each(['2.5', '2.4', '2.3'])('names segment %s, and only its own tags count', async (segment) => {
    gateway.tenders.respond = ({ headers }, response) => {
      if (headers['if-none-match'] === undefined) sendJson(response, 200, '{"data":{}}', { etag: '"7-2.5"' });
      else response.writeHead(304, { etag: '"7-2.5"' }).end();
    };
    const path = `/api/${segment}/tenders/${id}`;
    expect((await request(path)).headers.get('etag')).toBe(`"7-${segment}"`);
    const same = await request(path, { headers: { 'if-none-match': `"7-${segment}"` } });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, `"7-${segment}"`, '']);
    expect((await request(path, { headers: { 'if-none-match': '"7-0.1"' } })).status).toBe(200);
  });
});

describe('the form of an answer', () => {
  const text = '{"data":{"value":{"amount":500.0},"items":[]}}';
  const indented =
    '{\n    "data": {\n        "value": {\n            "amount": 500.0\n        },\n        "items": []\n    }\n}';
  const set = () => {
    gateway.tenders.respond = (_seen, response) => sendJson(response, 200, text);
  };

  it.each([['2.5'], ['2.3']])('opt_pretty indents by four spaces and keeps numbers, on segment %s', async (segment) => {
    set();
    const answer = await request(`/api/${segment}/tenders/${id}?opt_pretty=1`);
    expect(await answer.text()).toBe(indented);
    expect(Number(answer.headers.get('content-length'))).toBe(indented.length);
    expect(await (await request(`/api/${segment}/tenders/${id}?opt_pretty=`)).text()).toBe(text);
  });

  it('options.pretty in a body wins over the query', async () => {
    set();
    const patch = async (pretty: boolean, query: string) =>
      (
        await request(`${tender}${query}`, {
          method: 'PATCH',
          body: JSON.stringify({ data: {}, options: { pretty } }),
          headers: { 'content-type': 'application/json' },
        })
      ).text();
    expect(await patch(true, '')).toBe(indented);
    expect(await patch(false, '?opt_pretty=1')).toBe(text);
  });

  it('opt_jsonp wraps a read without credentials, and combines with opt_pretty', async () => {
    set();
    const answer = await request(`${tender}?opt_jsonp=show`);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'application/javascript; charset=UTF-8',
      `/**/show(${text});`,
    ]);
    expect(await (await request(`${tender}?opt_jsonp=show&opt_pretty=1`)).text()).toBe(`/**/show(${indented});`);
    expect(await (await request(`${tender}?opt_jsonp=show`, { headers: basic('broker1') })).text()).toBe(text);
  });

  it('refuses a callback that is no name, and never wraps a refusal', async () => {
    expect((await request(`${tender}?opt_jsonp=alert(1)`)).status).toBe(400);
    gateway.tenders.respond = (_seen, response) => sendJson(response, 404, '{"status":"error"}');
    const answer = await request(`${tender}?opt_jsonp=show`);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([JSON_TYPE, '{"status":"error"}']);
  });

  it('turns the offsets of a feed page of segment 2.3', async () => {
    const link = {
      offset: '1779360000.396982',
      path: '/api/2.5/tenders?offset=1779360000.396982',
      uri: `${PUBLIC_BASE_URL}/api/2.5/tenders?offset=1779360000.396982`,
    };
    gateway.tenders.respond = (_seen, response) =>
      sendJson(response, 200, `{"data":[],"next_page":${JSON.stringify(link)}}`);
    const page = (await (await request('/api/2.3/tenders')).json()) as { next_page: typeof link };
    expect(page.next_page).toEqual({
      offset: '2026-05-21T13:40:00.396982+03:00',
      path: '/api/2.3/tenders?offset=2026-05-21T13%3A40%3A00.396982%2B03%3A00',
      uri: `${PUBLIC_BASE_URL}/api/2.3/tenders?offset=2026-05-21T13%3A40%3A00.396982%2B03%3A00`,
    });
  });
});

describe('compression', () => {
  const long = JSON.stringify({ data: 'їжак '.repeat(1_000) });
  // fetch unpacks by itself, so this asks below it.
  const packed = async (path: string, accept: string) => {
    const asking = httpRequest(`${gateway.url}${path}`, { headers: { 'accept-encoding': accept } }).end();
    const [answer] = await once(asking, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return {
      encoding: answer.headers['content-encoding'],
      length: answer.headers['content-length'],
      bytes: Buffer.concat(chunks),
    };
  };

  it.each([
    ['a hot read', tender],
    ['a proxied read', `${tender}/bids`],
    ['a wrapped read', `${tender}?opt_jsonp=f`],
    ['segment 2.3', `/api/2.3/tenders/${id}`],
  ])('of %s: long JSON when it is accepted', async (_what, path) => {
    gateway.tenders.respond = gateway.bids.respond = (_seen, response) => sendJson(response, 200, long);
    const gzip = await packed(path, 'br;q=0.5, gzip');
    expect(gzip.encoding).toBe('gzip');
    expect(gunzipSync(gzip.bytes).toString()).toContain(long);
    expect((await packed(path, 'br')).encoding).toBe('br');
    const plain = await packed(path, 'gzip;q=0, identity');
    expect([plain.encoding, plain.bytes.toString().includes(long)]).toEqual([undefined, true]);
  });

  it('leaves short answers and the bytes of documents alone', async () => {
    expect((await packed(tender, 'gzip')).encoding).toBeUndefined();
    gateway.tenders.respond = (_seen, response) => sendJson(response, 200, long, { 'content-type': 'application/pdf' });
    expect((await packed(tender, 'gzip')).encoding).toBeUndefined();
  });
});

describe('a service that', () => {
  const refusal = (name: string, description: string) => ({
    status: 'error',
    errors: [{ location: 'url', name, description }],
  });
  const PATHS = [
    ['a hot read', `/api/2.5/tenders/${id}`, 'GET'],
    ['a proxied read', `/api/2.5/tenders/${id}?opt_pretty=1`, 'GET'],
    ['a write', '/api/2.5/tenders', 'POST'],
  ] as const;
  const init = (method: string): RequestInit =>
    method === 'POST' ? { method, body: '{}', headers: { 'content-type': 'application/json' } } : { method };

  it.each(PATHS)('is away: %s gets 503 with Retry-After, and the others go on', async (_what, path, method) => {
    const other = await runningGateway({ TENDERS_URL: 'http://127.0.0.1:1' });
    const answer = await request(path, init(method), other);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toEqual(refusal('service_unavailable', 'Service Unavailable'));
    expect((await request(`/api/2.5/tenders/${id}/bids`, {}, other)).status).toBe(200);
    await other.close();
  });

  it.each(PATHS)('is too slow: %s gets 504', async (_what, path, method) => {
    gateway.tenders.respond = () => undefined;
    const answer = await request(path, init(method));
    expect(answer.status).toBe(504);
    expect(await answer.json()).toEqual(refusal('gateway_timeout', 'Gateway Timeout'));
  });

  it.each(PATHS)('breaks: %s gets 502; a read was tried once more, a write was not', async (_what, path, method) => {
    gateway.tenders.respond = (_seen, response) => response.destroy();
    const answer = await request(path, init(method));
    expect(answer.status).toBe(502);
    expect(await answer.json()).toEqual(refusal('bad_gateway', 'Bad Gateway'));
    expect(gateway.tenders.received.length).toBe(method === 'GET' ? 2 : 1);
  });

  it.each(PATHS.slice(0, 2))('breaks once: %s succeeds', async (_what, path) => {
    gateway.tenders.respond = (_seen, response) => {
      if (gateway.tenders.received.length === 1) response.destroy();
      else sendJson(response, 200, '{"data":{}}');
    };
    expect((await request(path)).status).toBe(200);
  });

  it('says that it is busy is not asked again', async () => {
    gateway.tenders.respond = (_seen, response) =>
      sendJson(response, 503, '{"status":"error"}', { 'retry-after': '7' });
    for (const [, path] of PATHS.slice(0, 2)) {
      gateway.tenders.received.length = 0;
      const answer = await request(path);
      expect([answer.status, answer.headers.get('retry-after'), gateway.tenders.received.length]).toEqual([
        503,
        '7',
        1,
      ]);
    }
  });

  it.each([['2.5'], ['2.3']])('answers a great deal is passed on whole, on segment %s', async (segment) => {
    const text = `{"data":{"title":"${'ї'.repeat(1_000_000)}"}}`;
    gateway.tenders.respond = (_seen, response) => sendJson(response, 200, text);
    expect(await (await request(`/api/${segment}/tenders/${id}`)).text()).toBe(text);
  });

  it('hears when the client of a hot read has gone', async () => {
    let heard: Promise<unknown> | undefined;
    const arrived = new Promise<void>((resolve) => {
      gateway.tenders.respond = (_seen, response) => {
        heard = once(response, 'close');
        resolve();
      };
    });
    const leaving = new AbortController();
    const asking = request(tender, { signal: leaving.signal }).catch((error: Error) => error.name);
    await arrived;
    leaving.abort();
    expect(await asking).toBe('AbortError');
    await heard;
  });
});

describe('the access log', () => {
  it('has one line a request, with no key, token or signature in it', async () => {
    const headers = { ...basic('broker1'), 'x-access-token': 'SECRET', 'x-client-request-id': 'mine' };
    await request(`${tender}?acc_token=SECRET&Signature=SECRET&a=1`, { headers });
    await request(`${tender}/bids?acc%5Ftoken=SECRET`, { headers });
    await expect.poll(() => gateway.accessLog.length).toBe(2);
    expect(gateway.accessLog[0]).toMatchObject({
      method: 'GET',
      path: `${tender}?a=1`,
      status: 200,
      broker: 'broker1',
      role: 'brokers',
      clientRequestId: 'mine',
      requestId: expect.stringMatching(/^req-/),
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(gateway.accessLog)).not.toMatch(/SECRET|authorization/);
  });
});
