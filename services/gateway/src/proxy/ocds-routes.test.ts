import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeService, sendJson, type FakeService } from '../../test-support/fake-service.ts';
import { runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';
import { tenderReleaseUrl } from './ocds-routes.ts';

const id = 'a'.repeat(32);

let register: FakeService;
let gateway: RunningGateway;
beforeAll(async () => {
  register = await fakeService();
  gateway = await runningGateway({ REGISTER_URL: register.url, PUBLIC_BASE_URL: 'http://gateway.invalid' });
});
afterAll(async () => {
  await gateway.close();
  await register.close();
});
afterEach(() => {
  register.received.length = 0;
  register.respond = (_received, response) => sendJson(response, 200, '{"releases":[]}');
});

const get = async (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);

describe('/api/ocds', () => {
  it('is the register, with tags and cache times as the register has them', async () => {
    const body = `{"uri":"http://gateway.invalid/api/ocds/releases.json","releases":[{"url":"http://gateway.invalid/x"}]}`;
    register.respond = (_received, response) =>
      sendJson(response, 200, body, { etag: '"abc"', 'cache-control': 'public, max-age=15' });
    const response = await get('/api/ocds/releases.json?limit=2', { headers: { 'if-none-match': '"abc", W/"d"' } });
    expect(await response.text()).toBe(body.replaceAll('http://gateway.invalid', gateway.url));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: '"abc"',
      'cache-control': 'public, max-age=15',
      'access-control-allow-origin': '*',
    });
    const [received] = register.received;
    expect(received).toMatchObject({ url: '/ocds/releases.json?limit=2', identity: { group: 'anonymous' } });
    expect(received?.headers['if-none-match']).toBe('"abc", W/"d"');
  });

  it('formats answers as everywhere', async () => {
    register.respond = (_received, response) => sendJson(response, 200, '{"a":1}');
    expect(await (await get('/api/ocds?opt_pretty=1')).text()).toBe('{\n    "a": 1\n}');
    expect(await (await get('/api/ocds/records.json?opt_jsonp=f')).text()).toBe('/**/f({"a":1});');
  });

  it('stores no errors in caches', async () => {
    register.respond = (_received, response) => sendJson(response, 404, '{"status":"error","errors":[]}');
    expect((await get('/api/ocds/records/x')).headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/api/ocds/unknown', '/api/ocds/releases', `/api/ocds/tenders/2.5/${id}`, '/api/2.5/ocds'])(
    'has no %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ errors: [{ name: 'not_found' }] });
      expect(register.received).toEqual([]);
    },
  );

  it('is read-only', async () => {
    const response = await get('/api/ocds/releases.json', { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await get('/api/ocds', { method: 'OPTIONS' })).status).toBe(204);
    expect(register.received).toEqual([]);
  });

  it('streams a download compressed, with links to the address of the request', async () => {
    const line = `{"a":"\\"http://gateway.invalid/text","url":"http://gateway.invalid/api/ocds/x"}\n`;
    register.respond = (_received, response) => {
      response.writeHead(200, {
        'content-type': 'application/x-ndjson; charset=UTF-8',
        'content-disposition': 'attachment; filename="releases.jsonl"',
        link: '<http://gateway.invalid/api/ocds>; rel="describedby"',
      });
      const text = line.repeat(40);
      // Chunks that end everywhere, also inside of a link.
      for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
      response.end();
    };
    const expected = line.replace('"url":"http://gateway.invalid', `"url":"${gateway.url}`).repeat(40);
    const plain = await get('/api/ocds/releases.jsonl', { headers: { 'accept-encoding': 'identity' } });
    expect(await plain.text()).toBe(expected);
    expect(plain.headers.get('link')).toBe(`<${gateway.url}/api/ocds>; rel="describedby"`);
    const compressed = await get('/api/ocds/releases.jsonl', { headers: { 'accept-encoding': 'gzip' } });
    expect([compressed.headers.get('content-encoding'), await compressed.text()]).toEqual(['gzip', expected]);
  });

  it('ends the connection when a download fails', async () => {
    register.respond = (_received, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"a":1}\n');
      setImmediate(() => response.destroy());
    };
    await expect(get('/api/ocds/records.jsonl').then(async (response) => response.text())).rejects.toThrow(
      'terminated',
    );
  });
});

describe('opt_schema', () => {
  it.each([
    ['2.5', '2.5'],
    ['2.4', '2.5'],
    ['2.3', '2.3'],
    ['0', '0'],
    ['0.2', '0.1'],
  ])('of a tender in segment %s is asked from the register', async (segment, named) => {
    const response = await get(`/api/${segment}/tenders/${id}?opt_schema=OCDS-1.1`);
    expect(await response.json()).toEqual({ releases: [] });
    expect(register.received.map(({ url }) => url.split('?')[0])).toEqual([`/ocds/tenders/${named}/${id}`]);
  });

  it.each([
    ['GET', `/api/2.5/tenders/${id}?opt_schema=ocds`, true],
    ['HEAD', `/api/2.5/tenders/${id}?a=1&opt_schema=x-OcDs`, true],
    ['POST', `/api/2.5/tenders/${id}?opt_schema=ocds`, false],
    ['GET', `/api/2.5/tenders/${id}?opt_schema=eform`, false],
    ['GET', `/api/2.5/tenders/${id}?x=opt_schema=ocds`, false],
    ['GET', `/api/2.5/tenders?opt_schema=ocds`, false],
    ['GET', `/api/2.5/tenders/${id}/bids?opt_schema=ocds`, false],
    ['GET', `/api/1.0/tenders/${id}?opt_schema=ocds`, false],
    ['GET', `/api/2.5/tenders/${id}`, false],
  ])('%s %s: %s', (method, url, isRelease) => {
    expect(tenderReleaseUrl({ method, url }) !== undefined).toBe(isRelease);
  });
});
