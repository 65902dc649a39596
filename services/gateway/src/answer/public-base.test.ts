import { LINKS_BASE } from '@procurement/kit/runtime/config';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basic, runningGateway, sendTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';
import { fakeService, sendJson } from '../../test-support/fake-service.ts';
import { requestBase } from '@procurement/kit/http/host-of';
import { jsonBytesWithBase, jsonWithBase } from './public-base.ts';

const FOLLOWING = { PUBLIC_BASE_URL: '', TRUSTED_PROXIES: '127.0.0.1' };
const gateway = setupGateway(FOLLOWING);
const id = 'a'.repeat(32);
const LAN = 'http://192.168.1.7:8080';
const PROXY = { 'x-forwarded-host': 'tenders.example.org', 'x-forwarded-proto': 'https' };
const page = `{"data":[],"next_page":{"uri":"${LINKS_BASE}/api/2.5/tenders?offset=1"}}`;

async function read(url: string, headers: Record<string, string> = {}, to = gateway()) {
  return sendTo(to, url, { headers: { host: '192.168.1.7:8080', ...headers } });
}

describe('issue 15 R29: links without PUBLIC_BASE_URL', () => {
  it.each([
    ['a feed page', '/api/2.5/tenders', '2.5'],
    ['a mapped feed page', '/api/2.3/tenders', '2.3'],
    ['an indented page', '/api/2.5/tenders?opt_pretty=1', '2.5'],
  ])('follow the request in %s', async (_what, url, segment) => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, page);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      // One cache serves both addresses.
      for (const [headers, base] of [
        [{}, LAN],
        [PROXY, 'https://tenders.example.org'],
      ] as const) {
        const { next_page: link } = JSON.parse((await read(url, headers)).text);
        expect(link.uri).toMatch(new RegExp(`^${base}/api/${segment}/tenders\\?offset=`));
      }
    }
  });

  it('follow it in JSONP, and HEAD has the length of GET', async () => {
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, page);
    expect((await read('/api/2.5/tenders?opt_jsonp=f')).text).toContain(`"${LAN}/api/2.5/tenders?offset=1"`);
    const headers = { host: '192.168.1.7:8080' };
    const head = await sendTo(gateway(), '/api/2.5/tenders', { method: 'HEAD', headers });
    const got = await read('/api/2.5/tenders');
    expect(head.headers['content-length']).toBe(String(got.text.length));
  });

  it('follow it in Location and in addresses of files', async () => {
    const url = `${LINKS_BASE}/get/${id}?KeyID=1`;
    gateway().tenders.respond = (_received, response) =>
      sendJson(response, 201, JSON.stringify({ data: { documents: [{ url }] } }), {
        location: `${LINKS_BASE}/api/2.5/tenders/${id}`,
      });
    const headers = { host: '192.168.1.7:8080', 'content-type': 'application/json', ...basic('broker1') };
    const created = await sendTo(gateway(), '/api/2.3/tenders', { method: 'POST', headers, body: '{}' });
    expect(created.headers.location).toBe(`${LAN}/api/2.3/tenders/${id}`);
    expect(JSON.parse(created.text).data.documents[0].url).toBe(`${LAN}/get/${id}?KeyID=1`);
  });

  it('follow it in answers of the document service, but not in files', async () => {
    const documents = await fakeService();
    const other = await runningGateway({ ...FOLLOWING, DOCUMENTS_URL: documents.url });
    const text = `{"upload_url":"${LINKS_BASE}/upload/${id}"}`;
    documents.respond = ({ url }, response) =>
      sendJson(response, url.startsWith('/get/') ? 200 : 201, text, { location: `${LINKS_BASE}/upload/${id}` });
    const headers = { host: '192.168.1.7:8080', ...basic('broker1') };
    const registered = await sendTo(other, '/register', { method: 'POST', headers, body: 'hash=md5:1' });
    expect([JSON.parse(registered.text).upload_url, registered.headers.location]).toEqual([
      `${LAN}/upload/${id}`,
      `${LAN}/upload/${id}`,
    ]);
    expect(registered.headers['content-length']).toBe(String(registered.text.length));
    expect((await read(`/get/${id}?KeyID=1`, {}, other)).text).toBe(text);
    await other.close();
    await documents.close();
  });

  it('follow it in the descriptions', async () => {
    expect(JSON.parse((await read('/api/2.5/spore')).text).base_url).toBe(`${LAN}/api/2.5`);
    expect(JSON.parse((await read('/api/2.3/openapi.json')).text).servers).toEqual([{ url: `${LAN}/api/2.3` }]);
  });

  it('follow forwarded headers from trusted proxies only', async () => {
    const other = await runningGateway({ PUBLIC_BASE_URL: '' });
    other.tenders.respond = (_received, response) => sendJson(response, 200, page);
    expect(JSON.parse((await read('/api/2.5/tenders', PROXY, other)).text).next_page.uri).toMatch(LAN);
    await other.close();
  });

  it('leave the texts of clients', async () => {
    const text = JSON.stringify({ data: { title: `see "${LINKS_BASE}/x" and \\"${LINKS_BASE}/` } });
    gateway().tenders.respond = (_received, response) => sendJson(response, 200, text);
    expect((await read(`/api/2.5/tenders/${id}`)).text).toBe(text);
  });

  it.each([
    ['host', 'a b'],
    ['host', 'a/b'],
    ['host', 'a"b'],
    ['host', 'user@a'],
    ['host', 'a:123456'],
    ['host', 'a:99999'],
    ['host', '[::g]'],
    ['x-forwarded-host', 'a/b'],
    ['x-forwarded-proto', 'javascript'],
  ])('refuse the %s %s', async (name, value) => {
    const refused = await read('/api/2.5/tenders', { [name]: value });
    expect([refused.status, refused.text.includes(value)]).toEqual([400, false]);
    expect(gateway().tenders.received).toEqual([]);
  });
});

describe('issue 15 R29: links with PUBLIC_BASE_URL', () => {
  it('follow the setting, whatever the host is', async () => {
    const other = await runningGateway();
    other.tenders.respond = (_received, response) => sendJson(response, 200, page);
    expect((await read('/api/2.5/tenders', { host: 'a b' }, other)).text).toBe(page);
    await other.close();
  });
});

describe('requestBase', () => {
  it('is the address of the socket for HTTP/1.0 without Host', () => {
    const at = (localAddress: string) =>
      requestBase({ host: '', protocol: 'http', raw: { socket: { localAddress, localPort: 8_080 } as never } });
    expect(['::ffff:10.0.0.1', '10.0.0.1', '::1'].map(at)).toEqual([
      'http://10.0.0.1:8080',
      'http://10.0.0.1:8080',
      'http://[::1]:8080',
    ]);
  });
});

describe('jsonBytesWithBase', () => {
  it('keeps other bytes, and answers without links as they are', () => {
    const plain = Buffer.from('{"title":"Папір"}');
    expect(jsonBytesWithBase(plain, LAN)).toBe(plain);
    const linked = Buffer.from(`{"title":"Папір","uri":"${LINKS_BASE}/x"}`);
    expect(jsonBytesWithBase(linked, LAN).toString()).toBe(`{"title":"Папір","uri":"${LAN}/x"}`);
  });

  it('replaces what jsonWithBase replaces', () => {
    const pieces = ['"', '\\', `${LINKS_BASE}/`, LINKS_BASE, 'ї', '{"uri":'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (chosen) => {
        const text = chosen.join('');
        expect(jsonBytesWithBase(Buffer.from(text), LAN).toString()).toBe(jsonWithBase(text, LAN));
      }),
      { numRuns: 300 },
    );
  });
});
