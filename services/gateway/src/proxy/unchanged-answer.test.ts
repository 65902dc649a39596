import { LINKS_BASE } from '@procurement/kit/runtime/config';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeService, sendJson, type FakeService } from '../../test-support/fake-service.ts';
import { runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const PATH = `/api/2.5/tenders/${'a'.repeat(32)}/history/3`;
const TEXT = `{"data":{"documents":[{"url":"${LINKS_BASE}/get/a"}],"title":"${'x'.repeat(4_000)}"}}`;
const HEADERS = { etag: '"3-2.5-exact"', 'cache-control': 'public, max-age=86400', 'repr-digest': 'sha-256=:AA==:' };

let register: FakeService;
let gateway: RunningGateway;
beforeAll(async () => {
  register = await fakeService();
  gateway = await runningGateway({ REGISTER_URL: register.url, PUBLIC_BASE_URL: LINKS_BASE });
  register.respond = (_received, response) => sendJson(response, 200, TEXT, HEADERS);
});
afterAll(async () => {
  await gateway.close();
  await register.close();
});
afterEach(() => {
  register.received.length = 0;
});

const get = async (path: string, init: RequestInit = {}) => fetch(`${gateway.url}${path}`, init);

describe('a revision with exact=1 (proof.md 4)', () => {
  it('is passed on byte for byte: no address of the request, no coding, and its own digest', async () => {
    const answer = await get(`${PATH}?exact=1`, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(await answer.text()).toBe(TEXT);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...HEADERS, 'content-length': String(TEXT.length) });
    expect(answer.headers.get('content-encoding')).toBeNull();
    const head = await get(`${PATH}?exact=1`, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(TEXT.length), '']);
  });

  it('is asked for again with its tag', async () => {
    await get(`${PATH}?exact=1`, { headers: { 'if-none-match': '"3-2.5-exact", "other"' } });
    expect(register.received[0]?.headers['if-none-match']).toBe('"3-2.5-exact"');
  });

  it('is a usual answer without it: with links, and compressed', async () => {
    for (const query of ['', '?exact=', '?exact=0']) {
      const answer = await get(`${PATH}${query}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      expect(await answer.text()).toBe(TEXT.replace(LINKS_BASE, gateway.url));
    }
  });

  it('is refused by the register in a format, and does not exist in other segments', async () => {
    await get(`${PATH}?exact=1&opt_pretty=1`);
    expect(register.received[0]?.url).toContain('exact=1&opt_pretty=1');
    for (const segment of ['2.3', '0', '0.1'])
      expect((await get(`${PATH.replace('2.5', segment)}?exact=1`)).status).toBe(404);
    expect(register.received).toHaveLength(1);
  });
});
