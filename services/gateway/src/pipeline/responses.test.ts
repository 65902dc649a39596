import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../test-support/fake-service.ts';
import { basic, PUBLIC_BASE_URL, runningGateway, requestsTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';

const id = 'a'.repeat(32);
const JSON_TYPE = 'application/json; charset=UTF-8';

const gateway = setupGateway({ UPSTREAM_TIMEOUT_MS: '300' });
const request = requestsTo(gateway);
const tender = `/api/2.5/tenders/${id}`;

// The same holds for every path of a response: direct read, proxy, or made by the gateway.
const RESPONSE_PATHS: [string, string][] = [
  ['a hot read', tender],
  ['a proxied read', `${tender}/bids`],
  ['a response of the gateway', '/api/2.5/nothing'],
  ['the description', '/api/2.5/spore'],
];

describe.each(RESPONSE_PATHS)('headers of %s', (_what, path) => {
  it('contain the request id, and the id of the client when it is well formed', async () => {
    const response = await request(path, { headers: { 'x-client-request-id': 'abc.1:2_3-4' } });
    expect(response.headers.get('x-request-id')).toMatch(
      /^req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(response.headers.get('x-client-request-id')).toBe('abc.1:2_3-4');
    const other = await request(path, { headers: { 'x-client-request-id': 'a b' } });
    expect(other.headers.get('x-client-request-id')).toBeNull();
  });

  it('set the same cookie on every request without one, and accept any cookie', async () => {
    const [first, second] = [await request(path), await request(path)];
    expect(first.headers.get('set-cookie')).toMatch(/^SERVER_ID=[0-9a-f]{32}; Path=\/$/);
    expect(second.headers.get('set-cookie')).toBe(first.headers.get('set-cookie'));
    for (const cookie of ['SERVER_ID=x; Path=/', 'SERVER_ID=x; Path=/; HttpOnly; Secure=; =; ;;']) {
      const response = await request(path, { headers: { cookie } });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([first.status, null]);
    }
  });

  it('allow reads of other origins, forbid content sniffing, and set caching', async () => {
    const response = await request(path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'X-Request-ID, X-Client-Request-ID, ETag, Retry-After, X-Feed-Position, Repr-Digest, Ignored-Members, Procurement-Receipt',
      'x-content-type-options': 'nosniff',
      'content-type': JSON_TYPE,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    expect(response.headers.get('date')).not.toBeNull();
    expect(response.headers.get('x-sandbox')).toBeNull();
    const own = await request(path, { headers: basic('broker1') });
    expect(own.headers.get('cache-control')).toBe('private, no-store');
  });

  it('contain no internal header of a service', async () => {
    gateway().tenders.respond = gateway().bids.respond = (_received, response) =>
      sendJson(response, 200, '{}', {
        'x-internal': '1',
        'x-identity': 'x',
        server: 'x',
        'set-cookie': 'a=b',
        'proxy-authenticate': 'x',
      });
    const response = await request(path);
    for (const name of ['x-internal', 'x-identity', 'server', 'proxy-authenticate'])
      expect(response.headers.get(name)).toBeNull();
    expect(response.headers.get('set-cookie')).not.toContain('a=b');
  });
});

describe('headers of a write', () => {
  it('http.md 3.2, R1: keep the WWW-Authenticate of a 401 of the service', async () => {
    const challenge = 'Basic realm="tenders", charset="UTF-8"';
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 401, '{"status":"error","errors":[]}', { 'www-authenticate': challenge });
    const response = await request('/api/2.5/tenders', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, challenge]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['2.5', 'bm90ZQ'],
    ['2.3', 'bm90ZQ'],
    ['0', null],
  ])('proof.md 5.3: on segment %s give the receipt of a bid: %s', async (segment, expected) => {
    gateway().bids.respond = (_received, response) =>
      sendJson(response, 200, `{"data":{"id":"${id}","tenderers":[]}}`, { 'procurement-receipt': 'bm90ZQ' });
    const response = await request(`/api/${segment}/tenders/${id}/bids/${id}`, { method: 'DELETE' });
    expect([response.status, response.headers.get('procurement-receipt')]).toEqual([200, expected]);
  });

  it('give Location in the segment of the request, also an alias', async () => {
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 201, '{"data":{}}', { location: `${PUBLIC_BASE_URL}/api/2.5/tenders/${id}` });
    for (const segment of ['2.5', '2.4', '2.3']) {
      const response = await request(`/api/${segment}/tenders`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      });
      expect(response.headers.get('location')).toBe(`${PUBLIC_BASE_URL}/api/${segment}/tenders/${id}`);
    }
  });
});

describe('ETag', () => {
  it.each(['2.5', '2.4', '2.3'])('names segment %s, and only ETags of that segment match', async (segment) => {
    gateway().tenders.respond = ({ headers }, response) => {
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

describe('format options', () => {
  const text = '{"data":{"value":{"amount":500.0},"items":[]}}';
  const indented =
    '{\n    "data": {\n        "value": {\n            "amount": 500.0\n        },\n        "items": []\n    }\n}';
  const respondWithText = () => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, text);
  };

  it.each([['2.5'], ['2.3']])('opt_pretty indents by four spaces and keeps numbers, on segment %s', async (segment) => {
    respondWithText();
    const response = await request(`/api/${segment}/tenders/${id}?opt_pretty=1`);
    expect(await response.text()).toBe(indented);
    expect(Number(response.headers.get('content-length'))).toBe(indented.length);
    expect(await (await request(`/api/${segment}/tenders/${id}?opt_pretty=`)).text()).toBe(text);
  });

  it('options.pretty of the body takes precedence over the query', async () => {
    respondWithText();
    const patch = async (pretty: boolean, query: string) =>
      (
        await request(`${tender}${query}`, {
          method: 'PATCH',
          body: JSON.stringify({ data: {}, options: { pretty } }),
          headers: { 'content-type': 'application/json', ...basic('broker1') },
        })
      ).text();
    expect(await patch(true, '')).toBe(indented);
    expect(await patch(false, '?opt_pretty=1')).toBe(text);
  });

  it('opt_jsonp wraps a read without credentials, and combines with opt_pretty', async () => {
    respondWithText();
    const response = await request(`${tender}?opt_jsonp=show`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'application/javascript; charset=UTF-8',
      `/**/show(${text});`,
    ]);
    expect(await (await request(`${tender}?opt_jsonp=show&opt_pretty=1`)).text()).toBe(`/**/show(${indented});`);
    expect(await (await request(`${tender}?opt_jsonp=show`, { headers: basic('broker1') })).text()).toBe(text);
  });

  it('opt_jsonp must be a function name, and a refusal is never wrapped', async () => {
    expect((await request(`${tender}?opt_jsonp=alert(1)`)).status).toBe(400);
    gateway().tenders.respond = (_received, response) => sendJson(response, 404, '{"status":"error"}');
    const response = await request(`${tender}?opt_jsonp=show`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([JSON_TYPE, '{"status":"error"}']);
  });

  it('converts the offsets of a feed page to segment 2.3', async () => {
    const link = {
      offset: '1779360000.396982',
      path: '/api/2.5/tenders?offset=1779360000.396982',
      uri: `${PUBLIC_BASE_URL}/api/2.5/tenders?offset=1779360000.396982`,
    };
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 200, `{"data":[],"next_page":${JSON.stringify(link)}}`);
    const page = (await (await request('/api/2.3/tenders')).json()) as { next_page: typeof link };
    expect(page.next_page).toEqual({
      offset: '2026-05-21T13:40:00.396982+03:00',
      path: '/api/2.3/tenders?offset=2026-05-21T13%3A40%3A00.396982%2B03%3A00',
      uri: `${PUBLIC_BASE_URL}/api/2.3/tenders?offset=2026-05-21T13%3A40%3A00.396982%2B03%3A00`,
    });
  });
});

describe('issue 14 S7: cached answers', () => {
  it('of one client do not reach another who asked in other words', async () => {
    const page = {
      data: [{ id, dateModified: '1', items: [{ description: 'x', deliveryDate: { endDate: '2026-05-12' } }] }],
      next_page: { offset: '1', path: '/api/2.5/tenders?offset=1', uri: `${PUBLIC_BASE_URL}/api/2.5/tenders?offset=1` },
    };
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, JSON.stringify(page));
    // Both members are `items` to the service.
    const [one, other] = ['opt_fields=itemsToBeProcured', 'opt_fields=deliveryDate'];
    const first = await (await request(`/api/0.1/tenders?${other}`)).text();
    for (let n = 0; n < 3; n += 1) await (await request(`/api/0.1/tenders?${one}`)).text();
    expect(await (await request(`/api/0.1/tenders?${other}`)).text()).toBe(first);
    expect(new Set(gateway().tenders.received.map(({ url }) => url)).size).toBe(1);
  });
});

describe('compression', () => {
  const long = JSON.stringify({ data: 'їжак '.repeat(1_000) });
  // fetch decompresses, so this uses node:http.
  const fetchCompressed = async (path: string, accept: string) => {
    const clientRequest = httpRequest(`${gateway().url}${path}`, { headers: { 'accept-encoding': accept } }).end();
    const [response] = await once(clientRequest, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return {
      encoding: response.headers['content-encoding'],
      length: response.headers['content-length'],
      bytes: Buffer.concat(chunks),
    };
  };

  it.each([
    ['a hot read', tender],
    ['a proxied read', `${tender}/bids`],
    ['a wrapped read', `${tender}?opt_jsonp=f`],
    ['segment 2.3', `/api/2.3/tenders/${id}`],
  ])('compresses long JSON of %s when accepted', async (_what, path) => {
    gateway().tenders.respond = gateway().bids.respond = (_received, response) => sendJson(response, 200, long);
    const gzip = await fetchCompressed(path, 'br;q=0.5, gzip');
    expect(gzip.encoding).toBe('gzip');
    expect(gunzipSync(gzip.bytes).toString()).toContain(long);
    expect((await fetchCompressed(path, 'br')).encoding).toBe('br');
    const plain = await fetchCompressed(path, 'gzip;q=0, identity');
    expect([plain.encoding, plain.bytes.toString().includes(long)]).toEqual([undefined, true]);
  });

  it('leaves short responses and documents uncompressed', async () => {
    expect((await fetchCompressed(tender, 'gzip')).encoding).toBeUndefined();
    gateway().bids.respond = (_received, response) =>
      sendJson(response, 200, long, { 'content-type': 'application/pdf' });
    expect((await fetchCompressed(`${tender}/bids`, 'gzip')).encoding).toBeUndefined();
  });
});

describe('responses of a service', () => {
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

  it.each(PATHS)(
    '%s gets 503 with Retry-After when the service does not listen; other services respond',
    async (_what, path, method) => {
      const other = await runningGateway({ TENDERS_URL: 'http://127.0.0.1:1' });
      const response = await request(path, init(method), other);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject(refusal('service_unavailable', 'Service Unavailable'));
      expect((await request(`/api/2.5/tenders/${id}/bids`, {}, other)).status).toBe(200);
      await other.close();
    },
  );

  it.each(PATHS)('%s gets 504 when the service is too slow', async (_what, path, method) => {
    gateway().tenders.respond = () => undefined;
    const response = await request(path, init(method));
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject(refusal('gateway_timeout', 'Gateway Timeout'));
  });

  it.each(PATHS)(
    '%s gets 502 when the connection breaks; a read is retried once, a write is not',
    async (_what, path, method) => {
      gateway().tenders.respond = (_received, response) => response.destroy();
      const response = await request(path, init(method));
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject(refusal('bad_gateway', 'Bad Gateway'));
      expect(gateway().tenders.received.length).toBe(method === 'GET' ? 2 : 1);
    },
  );

  it.each(PATHS.slice(0, 2))('%s succeeds when the connection breaks once', async (_what, path) => {
    gateway().tenders.respond = (_received, response) => {
      if (gateway().tenders.received.length === 1) response.destroy();
      else sendJson(response, 200, '{"data":{}}');
    };
    expect((await request(path)).status).toBe(200);
  });

  it('a read is not retried after a 503 of the service', async () => {
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 503, '{"status":"error"}', { 'retry-after': '7' });
    for (const [, path] of PATHS.slice(0, 2)) {
      gateway().tenders.received.length = 0;
      const response = await request(path);
      expect([response.status, response.headers.get('retry-after'), gateway().tenders.received.length]).toEqual([
        503,
        '7',
        1,
      ]);
    }
  });

  it.each([['2.5'], ['2.3']])('a long response arrives complete, on segment %s', async (segment) => {
    const text = `{"data":{"title":"${'ї'.repeat(1_000_000)}"}}`;
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, text);
    expect(await (await request(`/api/${segment}/tenders/${id}`)).text()).toBe(text);
  });

  it('the request of a hot read is aborted when its client disconnects', async () => {
    let closed: Promise<unknown> | undefined;
    const arrived = new Promise<void>((resolve) => {
      gateway().tenders.respond = (_received, response) => {
        closed = once(response, 'close');
        resolve();
      };
    });
    const abort = new AbortController();
    const pending = request(tender, { signal: abort.signal }).catch((error: Error) => error.name);
    await arrived;
    abort.abort();
    expect(await pending).toBe('AbortError');
    await closed;
  });
});

describe('the access log', () => {
  it('has one line per request, without key, token or signature', async () => {
    const headers = { ...basic('broker1'), 'x-access-token': 'SECRET', 'x-client-request-id': 'mine' };
    await request(`${tender}?acc_token=SECRET&Signature=SECRET&a=1`, { headers });
    await request(`${tender}/bids?acc%5Ftoken=SECRET`, { headers });
    await expect.poll(() => gateway().accessLog.length).toBe(2);
    expect(gateway().accessLog[0]).toMatchObject({
      method: 'GET',
      path: `${tender}?a=1`,
      status: 200,
      broker: 'broker1',
      role: 'brokers',
      clientRequestId: 'mine',
      requestId: expect.stringMatching(/^req-/),
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(gateway().accessLog)).not.toMatch(/SECRET|authorization/);
  });
});

describe('Repr-Digest', () => {
  const sha256 = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
  const long = JSON.stringify({ data: { title: 'x'.repeat(5_000) } });

  it.each([
    ['the text of the service', '', {}, 'identity'],
    ['an indented text', '?opt_pretty=1', {}, 'identity'],
    ['a call of a function', '?opt_jsonp=show', {}, 'identity'],
    ['compressed bytes', '', { 'accept-encoding': 'gzip' }, 'gzip'],
  ])('is of the bytes that are sent: %s', async (_what, query, headers, coding) => {
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 200, long, { 'repr-digest': 'sha-256=:x:' });
    const [response] = await once(
      httpRequest(`${gateway().url}${tender}/questions${query}`, { headers }).end(),
      'response',
    );
    expect(response.headers['content-encoding'] ?? 'identity').toBe(coding);
    expect(response.headers['repr-digest']).toBe(sha256(await buffer(response)));
  });
});
