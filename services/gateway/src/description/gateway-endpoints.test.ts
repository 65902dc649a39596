import { selectRoutes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import type { HealthChecks } from './health-watch.ts';
import { fakeService, sendJson } from '../../test-support/fake-service.ts';
import { basic, PUBLIC_BASE_URL, runningGateway, requestsTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';
import { patternOf } from '../request/routes.table.ts';

// Plain JSON: the tests assert its shape.
type Json = any;

const gateway = setupGateway();
const request = requestsTo(gateway);
const read = async (path: string, to = gateway()): Promise<Json> => (await request(path, {}, to)).json();

describe('GET /api/<v>/spore', () => {
  it.each(['2.5', '2.4', '2.3'])('describes segment %s without credentials', async (segment) => {
    const description = await read(`/api/${segment}/spore`);
    expect(description).toMatchObject({
      version: segment,
      base_url: `${PUBLIC_BASE_URL}/api/${segment}`,
      expected_status: [200],
    });
    expect(Object.keys(description.methods)).toEqual(
      expect.arrayContaining(['get_spore', 'head_spore', 'get_health', 'get_version', 'post_tenders']),
    );
  });

  it.each(['2.3', '2.5'])('http.md 8.16: HEAD /api/%s/spore answers 200 with Set-Cookie and Date', async (segment) => {
    const answer = await request(`/api/${segment}/spore`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('set-cookie')).toMatch(/^SERVER_ID=/);
    expect(answer.headers.get('date')).not.toBeNull();
  });

  it('http.md 8.15: a cookie sent back verbatim is accepted', async () => {
    expect((await request('/api/2.3/spore', { headers: { cookie: 'SERVER_ID=x; Path=/' } })).status).toBe(200);
  });

  it('accepts opt_pretty like every GET', async () => {
    expect(await (await request('/api/2.3/spore?opt_pretty=1')).text()).toMatch(/^\{\n {4}"name"/);
  });
});

describe('other methods of the endpoints of the gateway', () => {
  it.each(
    ['2.5', '2.3', '0', '0.1'].flatMap((segment) =>
      ['spore', 'version', 'health', 'openapi.json'].map((name) => `/api/${segment}/${name}`),
    ),
  )('%s answers 405 with Allow', async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await request(path, { method, ...(method === 'DELETE' ? {} : { body: '{"data":{}}' }) });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      const errors = [{ location: 'url', name: 'method_not_allowed', description: 'Method Not Allowed' }];
      const isExplained = path.startsWith('/api/2.5/');
      const explained = { code: 'request.method', link: '/docs/errors#request.method' };
      const expected = errors.map((error) => ({ ...error, ...(isExplained ? explained : {}) }));
      expect(await answer.json()).toEqual({ status: 'error', errors: expected });
    }
  });
});

describe('GET /api/<v>/openapi.json', () => {
  it.each(['2.5', '2.3'] as const)('has every routed method and path of segment %s', async (segment) => {
    const document = await read(`/api/${segment}/openapi.json`);
    const routed = [...gateway().deps.table.values()]
      .flat()
      .filter((entry) => entry.segment === segment)
      .flatMap((entry) => [...entry.methods.keys()].map((method) => [method.toLowerCase(), patternOf(entry)] as const));
    const contracts = selectRoutes({ sandbox: false }).filter((route) => route.outsideSegments !== true);
    expect(routed.length).toBe(contracts.filter((route) => route.segments.includes(segment)).length);
    for (const [method, url] of routed) {
      const path = url.replace(`/api/${segment}`, '').replaceAll(/:(\w+)/g, '{$1}');
      expect(document.paths[path]?.[method], `${method} ${path}`).toBeDefined();
    }
    expect(document.paths['/spore'].get).toBeDefined();
    if (segment === '2.5')
      expect(document.paths['/ocds/releases.json'].get.servers).toEqual([{ url: `${PUBLIC_BASE_URL}/api` }]);
    expect(document.servers).toEqual([{ url: `${PUBLIC_BASE_URL}/api/${segment}` }]);
  });

  it('describes bids in the shape of segment 2.3', async () => {
    const party = (document: Json) => document.components.schemas.Bid.properties.tenderers.items;
    expect(party(await read('/api/2.3/openapi.json')).properties.id.properties.uid).toEqual({ type: 'string' });
    expect(party(await read('/api/2.5/openapi.json'))).toEqual({
      $ref: '#/components/schemas/BusinessOrganization',
    });
  });

  it.each(['2.5', '2.3', '0', '0.1'])(
    'has periods of the future in the request of a tender on segment %s',
    async (segment) => {
      const { components } = await read(`/api/${segment}/openapi.json`);
      const { data } = components.examples.createTenderRequest.value;
      // Named by their segments.
      const ends = [
        ...JSON.stringify(data).matchAll(/"(?:endDate|clarificationPeriod|tenderPeriodEnd)":"([^"]+)"/g),
      ].map(([, end = '']) => Date.parse(end));
      expect(ends.length).toBeGreaterThan(0);
      for (const end of ends) expect(end).toBeGreaterThan(Date.now() + 86_400_000);
    },
  );

  it('also answers at the root', async () => {
    expect(await read('/openapi.json')).toEqual(await read('/api/2.5/openapi.json'));
  });
});

describe.each(['identity', 'gzip', 'br'])('a description for a client that accepts %s', (coding) => {
  const get = async (path: string) => request(path, { headers: { 'accept-encoding': coding } });

  it.each(['/api/2.5/openapi.json', '/api/0.1/spore'])(
    '%s has its coding in the header, and its second answer is the first',
    async (path) => {
      const [first, second] = [await get(path), await get(path)];
      expect(first.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
      expect(second.headers.get('content-encoding')).toBe(first.headers.get('content-encoding'));
      const text = await first.text();
      expect(await second.text()).toBe(text);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
    },
  );
});

describe('health', () => {
  const down = { TENDERS_URL: 'http://127.0.0.1:1', BIDS_URL: 'http://127.0.0.1:1' };

  it.each(['/health', '/api/2.3/health?health_threshold=10000', '/api/2.5/health'])(
    'GET %s answers ok',
    async (path) => {
      const answer = await request(path);
      expect([answer.status, await answer.json()]).toEqual([200, { health: 'ok' }]);
    },
  );

  it('answers 503 when the database or all services are down, and says which', async () => {
    const other = await runningGateway(down);
    expect((await request('/health', {}, other)).status).toBe(503);
    expect(await read('/health', other)).toEqual({
      health: 'fail',
      checks: { database: 'ok', stream: 'ok', routing: 'fail' },
    });
    await other.close();
    const healthWith = async (checks: HealthChecks) => {
      gateway().checks = checks;
      return read('/health');
    };
    expect(await healthWith({ database: 'fail', stream: 'ok' })).toEqual({
      health: 'fail',
      checks: { database: 'fail', stream: 'ok', routing: 'ok' },
    });
    expect(await healthWith({ database: 'ok', stream: 'fail' })).toEqual({ health: 'ok' });
    await healthWith({ database: 'ok', stream: 'ok' });
  });

  it('GET /ready reports each service, and stays ready without one', async () => {
    gateway().checks = { database: 'ok', stream: 'ok', outbox: { waiting: 2, oldestSeconds: 1 } };
    const answer = await gateway().operations('/ready');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      {
        ready: true,
        checks: { database: 'ok', stream: 'ok' },
        upstreams: {
          tenders: 'up',
          bids: 'up',
          awards: 'down',
          documents: 'down',
          auction: 'down',
          register: 'down',
        },
        outbox: { waiting: 2, oldestSeconds: 1 },
        details: ['awards', 'documents', 'auction', 'register'].map((name) => ({ kind: 'upstream', name, count: 1 })),
      },
    ]);
  });

  it('GET /health on the port of operations answers what /ready does, and 503 while a detail is stuck', async () => {
    const [ready, health] = [await gateway().operations('/ready'), await gateway().operations('/health')];
    expect([ready.status, health.status, health.text]).toEqual([200, 503, ready.text]);
    const services = ['TENDERS', 'BIDS', 'AWARDS', 'DOCUMENTS', 'AUCTION', 'REGISTER'];
    const allUp = await runningGateway(
      Object.fromEntries(services.map((name) => [`${name}_URL`, gateway().tenders.url])),
    );
    expect((await allUp.operations('/health')).status).toBe(200);
    await allUp.close();
  });

  it('GET /ready and /metrics say why the bus is not connected, and the public /health does not', async () => {
    const busFault = { text: 'Authorization Violation', seconds: 61 };
    const outbox = { waiting: 3, oldestSeconds: 62 };
    gateway().checks = { database: 'ok', stream: 'fail', busFault, outbox };
    const ready = JSON.parse((await gateway().operations('/ready')).text);
    expect(ready).toMatchObject({ ready: true, checks: { stream: 'fail' }, busFault: 'Authorization Violation' });
    expect(ready.details).toEqual(
      expect.arrayContaining([
        { kind: 'bus', name: 'nats', count: 1, oldestSeconds: 61, text: 'Authorization Violation' },
        { kind: 'outbox', name: 'events', count: 3, oldestSeconds: 62 },
      ]),
    );
    expect((await gateway().operations('/metrics')).text).toContain('service_stuck{kind="bus",name="nats"');
    expect(await read('/health')).toEqual({ health: 'ok' });
    gateway().checks = { database: 'ok', stream: 'ok' };
  });

  it('GET /live and /metrics answer', async () => {
    expect(JSON.parse((await gateway().operations('/live')).text)).toEqual({ live: true });
    const metrics = (await gateway().operations('/metrics')).text;
    expect(metrics).toContain('http_request_duration_seconds_bucket');
    expect(metrics).toContain('broker_keys_known{service="gateway"} 10');
  });

  it.each(['/live', '/ready', '/metrics'])('issue 14 S6: %s is not on the public port', async (path) => {
    expect((await request(path)).status).toBe(404);
  });

  it('GET /api/<v>/version answers release and segments', async () => {
    expect(await read('/api/2.3/version')).toEqual({
      API: expect.stringMatching(/^\d+\.\d+\.\d+/),
      segments: ['0', '0.1', '2.3', '2.5'],
    });
  });
});

describe('limits', () => {
  const busy = {
    status: 'error',
    errors: [{ location: 'url', name: 'too_many_requests', description: 'Too Many Requests' }],
  };

  it('answers 429 with Retry-After above the rate, and does not limit components', async () => {
    const other = await runningGateway({ RATE_READS_PER_SECOND: '0.01', RATE_WRITES_PER_SECOND: '0.01' });
    const status = async (init: RequestInit = {}) => (await request('/api/2.5/tenders', init, other)).status;
    const post = (key: string) => ({
      method: 'POST',
      body: '{}',
      headers: { ...basic(key), 'content-type': 'application/json' },
    });
    expect([await status(), await status()]).toEqual([200, 429]);
    expect([await status(post('broker1')), await status(post('broker1')), await status(post('broker2'))]).toEqual([
      200, 429, 200,
    ]);
    const answer = await request('/api/2.5/tenders', post('broker1'), other);
    expect([answer.status, await answer.json()]).toMatchObject([429, busy]);
    // Of 100 s from the first of them.
    const retryAfter = Number(answer.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(40);
    expect(retryAfter).toBeLessThanOrEqual(100);
    for (let n = 0; n < 5; n += 1) expect(await status(post('auction'))).toBe(200);
    await other.close();
  });

  it('issue 14 S8: count every path, also one with an escape and the pages of the gateway', async () => {
    const other = await runningGateway({ RATE_READS_PER_SECOND: '0.01' });
    const paths = ['/docs', '/openapi.json', `/get/${'a'.repeat(32)}`, '/%67et/a', '/%61pi/2.5/tenders', '/nothing'];
    const statuses = await Promise.all(paths.map(async (path) => (await request(path, {}, other)).status));
    // The first request takes the only token.
    expect(statuses.slice(1)).toEqual([429, 429, 429, 429, 429]);
    for (let n = 0; n < 3; n += 1) expect((await request('/health', {}, other)).status).toBe(200);
    await other.close();
  });

  it('issue 14 S9: count an unknown key for its address before the database is asked', async () => {
    const asked: string[] = [];
    const findKey = async (keyHash: string): Promise<undefined> => void asked.push(keyHash);
    const other = await runningGateway({ RATE_READS_PER_SECOND: '0.01', RATE_WRITES_PER_SECOND: '0.01' }, { findKey });
    const statuses: number[] = [];
    for (const [n, method] of ['GET', 'GET', 'POST', 'POST'].entries()) {
      const headers = { ...basic(`guess ${n}`), 'content-type': 'application/json' };
      statuses.push((await request('/api/2.5/tenders', { method, headers }, other)).status);
    }
    expect(statuses).toEqual([200, 429, 200, 429]);
    expect(asked).toHaveLength(2);
    await other.close();
  });

  it('are told to clients that write and to those that are refused', async () => {
    const other = await runningGateway({ RATE_WRITES_PER_SECOND: '2' });
    const post = async () => request('/api/2.5/tenders', { method: 'POST', headers: basic('broker1') }, other);
    const answers = [await post(), await post(), await post()];
    expect(
      answers.map(({ status, headers }) => [status, headers.get('ratelimit'), headers.get('retry-after')]),
    ).toEqual([
      [200, '"writes";r=1;t=1', null],
      [200, '"writes";r=0;t=1', null],
      [429, '"writes";r=0;t=1', '1'],
    ]);
    expect(answers[2]?.headers.get('ratelimit-policy')).toBe('"writes";q=2;w=1');
    await other.close();
  });

  it('limits the concurrent uploads of a broker', async () => {
    const documents = await fakeService();
    const other = await runningGateway({ UPLOADS_MAX: '1', DOCUMENTS_URL: documents.url });
    const upload = async () =>
      request(
        `/api/2.5/tenders/${'a'.repeat(32)}/documents`,
        { method: 'POST', body: 'bytes', headers: { ...basic('broker1'), 'content-type': 'application/pdf' } },
        other,
      );
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      documents.respond = (_seen, response) => {
        release = () => sendJson(response, 201, '{}');
        resolve();
      };
    });
    const first = upload();
    await arrived;
    expect((await upload()).status).toBe(429);
    release();
    expect((await first).status).toBe(201);
    documents.respond = (_seen, response) => sendJson(response, 201, '{}');
    await expect.poll(async () => (await upload()).status).toBe(201);
    await Promise.all([other.close(), documents.close()]);
  });

  it('refuses requests under pressure and while closing, but still answers health checks', async () => {
    const other = await runningGateway();
    other.deps.state.closing = true;
    const answer = await request('/api/2.5/tenders', {}, other);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await request('/health', {}, other)).status).toBe(200);
    expect((await other.operations('/live')).status).toBe(200);
    await other.close();
  });

  it('is not ready before it listens and from the signal to end on, while it still answers', async () => {
    const other = await runningGateway();
    expect((await other.operations('/ready')).status).toBe(200);
    other.deps.isServing = () => false;
    expect((await other.operations('/ready')).status).toBe(503);
    expect((await request('/health', {}, other)).status).toBe(200);
    await other.close();
  });

  it('accepts a forwarded address and request id from trusted proxies only', async () => {
    const other = await runningGateway({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1', RATE_READS_PER_SECOND: '1' });
    const from = async (address: string, to = other) =>
      request('/api/2.5/tenders', { headers: { 'x-forwarded-for': address, 'x-request-id': 'theirs' } }, to);
    const first = await from('192.0.2.1');
    expect([first.status, first.headers.get('x-request-id')]).toEqual([200, 'theirs']);
    expect([(await from('192.0.2.1')).status, (await from('192.0.2.2')).status]).toEqual([429, 200]);
    // One client has a network of IPv6.
    const networks = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'];
    expect(await Promise.all(networks.map(async (address) => (await from(address)).status))).toEqual([200, 429, 200]);
    expect((await from('192.0.2.3', gateway())).headers.get('x-request-id')).toMatch(/^req-/);
    await other.close();
  });
});

describe('without sandbox mode', () => {
  it.each(['/sandbox/tenders/x/clock', '/api/2.5/sandbox/tenders/x/clock', '/api/2.3/sandbox/tenders/x/clock'])(
    '%s does not exist',
    async (path) => {
      const headers = { ...basic('broker1'), 'content-type': 'application/json' };
      for (const init of [{}, { method: 'POST', headers, body: '{"data":{"to":"next_check"}}' }]) {
        const answer = await request(path, init);
        expect([answer.status, answer.headers.get('x-sandbox')]).toEqual([404, null]);
      }
      expect(gateway().tenders.received).toEqual([]);
    },
  );

  it('the descriptions do not have it', async () => {
    for (const path of ['/api/2.5/openapi.json', '/api/2.5/spore'])
      expect(await (await request(path)).text()).not.toContain('/sandbox/');
  });
});

describe('sandbox mode', () => {
  it('is visible in /health and in every answer', async () => {
    const other = await runningGateway({ SANDBOX_MODE: 'on' });
    expect(await read('/health', other)).toEqual({ health: 'ok', sandbox: true });
    for (const path of ['/health', '/api/2.5/tenders', '/api/2.5/tenders?opt_pretty=1', '/api/2.5/nothing', '/docs']) {
      expect((await request(path, {}, other)).headers.get('x-sandbox'), path).toBe('1');
    }
    await other.close();
  });
});
