import { problems } from '@procurement/contracts/problems/problems';
import { describe, expect, it } from 'vitest';
import { requestsTo, runningGateway, sendTo } from '../../test-support/running-gateway.ts';
import { setupGateway } from '../../test-support/setup-gateway.ts';

// Plain JSON: the tests assert its shape.
type Json = any;

const gateway = setupGateway();
const request = requestsTo(gateway);
const read = async (path: string): Promise<Json> => (await request(path)).json();
/** What browsers send. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** What a page links and loads of this server. Fails when something comes from another host, or when it has an inline script. */
function findLinks(page: string): readonly string[] {
  expect(page).not.toMatch(/(?:src|action)="https?:|<link[^>]*"https?:|<script>|<[^>]*\son\w+=/);
  return [...new Set([...page.matchAll(/(?:src|href)="([^"#]+)/g)].map((match) => match[1] ?? ''))];
}

describe('GET /', () => {
  it('answers a small page whose parts come from this server, with scripts and sheets from their own folder only', async () => {
    const { host } = new URL(gateway().url);
    const answer = await request('/', { headers: BROWSER });
    const folders = `api.example.org/docs/assets/ ${host}/docs/assets/`;
    expect(answer.headers.get('content-security-policy')).toContain(`script-src ${folders}; style-src ${folders};`);
    const parts = findLinks(await answer.text());
    expect(parts).toEqual(
      expect.arrayContaining(['/docs', '/docs/guides', '/docs/errors', '/openapi.json', '/health']),
    );
    for (const part of parts) expect((await request(part)).status, part).toBe(200);
  });

  it('shows the keys of a sandbox only', async () => {
    const sandbox = await runningGateway({ SANDBOX_MODE: 'true' });
    const pages = await Promise.all([sandbox, gateway()].map(async (one) => (await request('/', {}, one)).text()));
    await sandbox.close();
    expect(pages.map((page) => page.includes('<code>broker1</code>'))).toEqual([true, false]);
  });
});

describe('GET / with PORTAL_PUBLIC_URL', () => {
  const startWithPortal = async (setting: string) => {
    const one = await runningGateway({ PORTAL_PUBLIC_URL: setting });
    return { one, get: async (headers: Record<string, string>) => sendTo(one, '/', { headers }) };
  };

  it('redirects browsers to the portal, in Ukrainian to those who prefer it', async () => {
    const { one, get } = await startWithPortal('https://portal.example.org/');
    const languages = [undefined, 'en', 'uk', 'uk-UA,uk;q=0.9,en;q=0.8', 'en-GB,uk;q=0.5', 'de', '*'];
    const answers = await Promise.all(
      languages.map(async (language) =>
        get({ ...BROWSER, ...(language === undefined ? {} : { 'accept-language': language }) }),
      ),
    );
    await one.close();
    expect(answers.map(({ status }) => status)).toEqual(languages.map(() => 302));
    expect(answers.map(({ headers }) => headers.location)).toEqual(
      ['/en', '/en', '/', '/', '/en', '/en', '/en'].map((path) => `https://portal.example.org${path}`),
    );
    expect(answers[0]?.headers).toMatchObject({ vary: 'Accept, Accept-Language', 'cache-control': 'no-store' });
  });

  it('puts a port on the host of the request', async () => {
    const { one, get } = await startWithPortal(':8088');
    const hosts = ['127.0.0.1:8080', 'sandbox.example.org', '[::1]:8080'];
    const answers = await Promise.all(hosts.map(async (host) => get({ ...BROWSER, host })));
    await one.close();
    expect(answers.map(({ headers }) => headers.location)).toEqual([
      'http://127.0.0.1:8088/en',
      'http://sandbox.example.org:8088/en',
      'http://[::1]:8088/en',
    ]);
  });

  it('answers the page, which links the portal, to those who do not name text/html', async () => {
    const { one, get } = await startWithPortal(':8088');
    const answers = await Promise.all(['*/*', 'text/*', 'text/html;q=0'].map(async (accept) => get({ accept })));
    const head = await sendTo(one, '/', { method: 'HEAD', headers: BROWSER });
    await one.close();
    expect(answers.map(({ status, text }) => [status, text.includes(':8088/en">Portal</a>')])).toEqual(
      answers.map(() => [200, true]),
    );
    expect(head.status).toBe(302);
  });

  it.each(['portal', 'ftp://portal.example.org', ':0', ':99999'])('refuses to start with %s', async (setting) => {
    await expect(runningGateway({ PORTAL_PUBLIC_URL: setting })).rejects.toThrow('PORTAL_PUBLIC_URL');
  });
});

describe('a page for a host that is an IPv6 address, which a policy cannot name', () => {
  it('has its sheet, and runs no script', async () => {
    const one = await runningGateway({ PUBLIC_BASE_URL: '' });
    const { headers } = await sendTo(one, '/', { headers: { host: '[::1]:8080' } });
    await one.close();
    expect(headers['content-security-policy']).toContain("script-src 'none'; style-src 'self';");
  });
});

describe('what browsers and crawlers ask for by themselves', () => {
  it('has an icon and rules for robots', async () => {
    expect((await request('/favicon.ico')).headers.get('location')).toBe('/favicon.svg');
    const icon = await request('/favicon.svg');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await (await request('/robots.txt')).text()).toBe('User-agent: *\nAllow: /docs\nDisallow: /\n');
  });
});

describe('GET /docs', () => {
  it('loads nothing from other hosts and has no inline script', async () => {
    const answer = await request('/docs');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const parts = findLinks(await answer.text());
    expect(parts).toEqual(expect.arrayContaining(['/api/2.5/openapi.json', '/docs?segment=2.3']));
    for (const part of parts) expect((await request(part)).status, part).toBe(200);
  });

  it('allows no answer of the API as a script, JSONP included', async () => {
    const { host } = new URL(gateway().url);
    const answer = await request('/docs');
    const policy = answer.headers.get('content-security-policy') ?? '';
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ');
    expect(scripts).toEqual(['api.example.org/docs/assets/', `${host}/docs/assets/`]);
    const sources = [...(await answer.text()).matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources).toHaveLength(3);
    for (const source of sources) {
      expect(source).toMatch(/^\/docs\/assets\//);
      const file = await (await request(source)).text();
      expect(await (await request(`${source}?opt_jsonp=alert`)).text()).toBe(file);
    }
    for (const path of ['missing.js', '..%2f..%2fapi%2f2.5%2ftenders']) {
      const refused = await request(`/docs/assets/${path}?opt_jsonp=alert`);
      expect([refused.status, (await refused.text()).includes('alert(')], path).toEqual([404, false]);
    }
  });

  it('writes no malformed host into the policy', async () => {
    const { headers } = await sendTo(gateway(), '/docs', { headers: { host: "x; script-src 'self'" } });
    expect(headers['content-security-policy']).toContain('script-src api.example.org/docs/assets/;');
  });

  it('names the key to enter in a sandbox only, and a dry run elsewhere', async () => {
    const sandbox = await runningGateway({ SANDBOX_MODE: 'true' });
    const pages = await Promise.all([sandbox, gateway()].map(async (one) => (await request('/docs', {}, one)).text()));
    await sandbox.close();
    expect(pages.map((page) => [page.includes('broker1'), page.includes('opt_dry_run')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it.each(['2.5', '2.3', '0', '0.1'])('has the description and all operations of segment %s', async (segment) => {
    const [page, document] = await Promise.all([
      (await request(`/docs?segment=${segment}`)).text(),
      read(`/api/${segment}/openapi.json`),
    ]);
    expect(page).toContain(`<a href="/docs?segment=${segment}" aria-current="page">`);
    expect(page).toContain(`<div id="swagger-ui" data-url="/api/${segment}/openapi.json">`);
    const operations = Object.values(document.paths).flatMap((methods: Json) => Object.values<Json>(methods));
    for (const { operationId, tags } of operations)
      expect(page.split(`<li><a href="#/${tags[0]}/${operationId}">`), operationId).toHaveLength(3);
    const counts = [...page.matchAll(/class="count">(\d+)</g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(counts).toBe(operations.length * 2);
  });

  it('opens segment 2.5 for a name that is no segment', async () => {
    expect(await (await request('/docs?segment=9')).text()).toContain('data-url="/api/2.5/openapi.json"');
  });

  it('serves only those files of the package that the page needs', async () => {
    for (const name of ['package.json', 'swagger-initializer.js', 'index.html', '..%2fpackage.json']) {
      expect((await request(`/docs/assets/${name}`)).status, name).toBe(404);
    }
  });
});

describe('GET /docs/guides', () => {
  it('answers the list and each guide, with scripts of the asset folder only', async () => {
    const list = await request('/docs/guides');
    const paths = [...(await list.text()).matchAll(/href="(\/docs\/guides\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(paths).toEqual(expect.arrayContaining(['/docs/guides/first-procedure', '/docs/guides/client']));
    for (const path of paths) {
      const answer = await request(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src [^';]+;/);
      const parts = findLinks(await answer.text());
      expect(parts.filter((part) => part.endsWith('.js'))).toEqual([expect.stringMatching(/^\/docs\/assets\/page\./)]);
    }
    expect((await request('/docs/guides/nothing')).status).toBe(404);
  });
});

describe('an address in the guides', () => {
  const WRITTEN = 'http://127.0.0.1:8080';

  it('is PUBLIC_BASE_URL where that is set', async () => {
    const page = await (await request('/docs/guides/first-procedure')).text();
    expect([page.includes('api=https://api.example.org/api/2.5'), page.includes(WRITTEN)]).toEqual([true, false]);
  });

  it('is the one by which the reader came, whoever read the page before', async () => {
    const one = await runningGateway({ PUBLIC_BASE_URL: '', TRUSTED_PROXIES: '127.0.0.1' });
    const read = async (headers: Record<string, string>) => sendTo(one, '/docs/guides/first-procedure', { headers });
    const hosts = Array.from({ length: 20 }, (_, n) => `host-${n}.example.org`);
    const answers = await Promise.all(
      [...hosts, 'host-0.example.org'].map(async (host) =>
        read({ 'x-forwarded-host': host, 'x-forwarded-proto': 'https' }),
      ),
    );
    const found = await sendTo(one, '/docs/guides?q=api', { headers: { host: 'other.example.org:81' } });
    await one.close();
    expect(answers.map(({ text }) => /api=(\S+)\/api\/2\.5/.exec(text)?.[1])).toEqual(
      [...hosts, 'host-0.example.org'].map((host) => `https://${host}`),
    );
    expect(answers[0]?.headers.vary).toBe('Accept-Encoding, Host, X-Forwarded-Host, X-Forwarded-Proto');
    expect([found.text.includes('http://other.example.org:81/'), found.text.includes(WRITTEN)]).toEqual([true, false]);
  });
});

describe('GET /docs/guides?q=', () => {
  it('answers sections that hold all words, and escapes the query', async () => {
    const found = await (await request('/docs/guides?q=Idempotency-Key%20%22%3Cb%3E')).text();
    expect(found).toContain('value="Idempotency-Key &quot;&lt;b&gt;"');
    expect(found).toContain('No section of the guides holds all of these words.');
    const sections = await (await request('/docs/guides?q=Owner+token')).text();
    expect(sections).toContain('<a href="/docs/guides/tokens#owner-tokens">');
    expect(sections).toContain('<mark>Owner</mark> <mark>token</mark>s');
  });
});

describe('a page with a slash at its end', () => {
  it.each([
    ['/docs/', '/docs'],
    ['/docs/guides/', '/docs/guides'],
    ['/docs/guides/?q=a%20b', '/docs/guides?q=a%20b'],
    ['/docs/errors/', '/docs/errors'],
  ])('%s leads to %s', async (path, target) => {
    const answer = await request(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([301, target]);
  });

  it('is not found elsewhere', async () => {
    for (const path of ['/docs/guides/tokens/', '/api/2.5/tenders/', '/docs//'])
      expect((await request(path)).status, path).toBe(404);
  });
});

describe('GET /docs/errors', () => {
  it('has an entry at the anchor of every code, and loads files of the asset folder only', async () => {
    const page = await (await request('/docs/errors')).text();
    for (const code of Object.keys(problems)) expect(page).toContain(`<article class="entry" id="${code}"`);
    for (const part of findLinks(page)) expect((await request(part)).status, part).toBe(200);
  });
});

describe('404 and 503 of paths that are not of programs', () => {
  const OF_PROGRAMS = ['/api/9/x', '/ocds/x', '/sandbox/x', '/log/x', '/get/', '/upload/x/y', '/register/x', '/api'];

  it('are a page with links and the number of the request for those who name text/html', async () => {
    for (const path of ['/nothing', '/docs/guides/nothing', '/docs/nothing/', '/apiary']) {
      const answer = await request(path, { headers: BROWSER });
      const page = await answer.text();
      expect([answer.status, answer.headers.get('content-type')], path).toEqual([404, 'text/html; charset=UTF-8']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding');
      expect(page).toContain('<h1>Page not found</h1>');
      expect(page).toContain(`<code>${answer.headers.get('x-request-id')}</code>`);
      expect(findLinks(page)).toEqual(expect.arrayContaining(['/', '/docs/guides', '/docs']));
    }
  });

  it('keep their JSON for everybody else, for other methods and on paths of programs', async () => {
    const json = JSON.stringify({
      status: 'error',
      errors: [{ location: 'url', name: 'not_found', description: 'Not Found' }],
    });
    const plain = await request('/nothing', { headers: { accept: '*/*' } });
    expect([plain.status, await plain.text()]).toEqual([404, json]);
    const posted = await request('/nothing', { method: 'POST', headers: BROWSER });
    expect([posted.status, await posted.text()]).toEqual([404, json]);
    for (const path of OF_PROGRAMS) {
      const [browser, program] = await Promise.all([request(path, { headers: BROWSER }), request(path)]);
      const shown = [browser.status, browser.headers.get('content-type'), await browser.text()];
      expect(shown, path).toEqual([program.status, program.headers.get('content-type'), await program.text()]);
      expect(shown[1], path).toMatch(/^application\/json/);
    }
  });

  it('say when the service cannot answer, and keep Retry-After', async () => {
    const one = await runningGateway();
    one.deps.state.closing = true;
    const [browser, program] = await Promise.all([
      request('/docs', { headers: BROWSER }, one),
      request('/docs', {}, one),
    ]);
    one.deps.state.closing = false;
    await one.close();
    expect([browser.status, browser.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await browser.text()).toContain('<h1>Not available now</h1>');
    expect([program.status, program.headers.get('content-type')]).toEqual([503, 'application/json; charset=UTF-8']);
  });
});
