import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium, PAGE_WAIT_MS, startBrowser } from '../../support/chromium.ts';
import { cutTexts, focusFaults } from '../../support/page-reading.ts';
import { playTender, startTestPortal, type TestPortal } from '../../support/portal.ts';

const chromium = findChromium();
/** Ends a search for a link that is not on the page. */
const TABS_MAX = 300;

describe.skipIf(chromium === undefined)('a visitor (P8)', () => {
  let portal: TestPortal;
  let browser: Browser;
  let number: string;

  beforeAll(async () => {
    [portal, browser] = await Promise.all([startTestPortal(inject('gatewayUrl')), startBrowser(chromium ?? '')]);
    ({ number } = await playTender(portal));
  });

  afterAll(async () => {
    await browser.close();
    await portal.stop();
  });

  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PAGE_WAIT_MS);
    context.setDefaultNavigationTimeout(PAGE_WAIT_MS);
    return context.newPage();
  }

  /** Presses Tab until the focus is on what the selector names. Every stop on the way must be in sight. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      await page.keyboard.press('Tab');
      expect([selector, await page.evaluate(focusFaults)]).toEqual([selector, []]);
      if ((await page.locator(`${selector}:focus`).count()) > 0) return;
    }
    throw new Error(`the focus never comes to ${selector}`);
  }

  it.each([1280, 320])(
    'finds a tender, sees what changed and plays a step with the keyboard alone, %i px wide',
    { timeout: PAGE_WAIT_MS * 4 },
    async (width) => {
      const page = await openPage({ viewport: { width, height: 700 } });
      await page.goto(`${portal.url}/en`);
      await page.keyboard.press('Tab');
      await page.locator('.skip-link:focus').press('Enter');
      await tabTo(page, 'input[name=q]');
      await page.keyboard.type('paper');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/en\/tenders\?q=paper/);
      await tabTo(page, `.result-row a[href="/en/tenders/${number}"]`);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/en\/tenders\/UA-/);
      await tabTo(page, '#history a[href*=".."]');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/history\/\d+\.\.\d+$/);
      expect(await page.locator('.diff-table').count()).toBeGreaterThan(0);
      await tabTo(page, '.sandbox-bar a');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/en\/play$/);
      await tabTo(page, 'button[value=next]');
      await page.keyboard.press('Space');
      await page.locator('#step-1:focus').waitFor();
      await tabTo(page, '#step-1 summary');
      await page.keyboard.press('Enter');
      await page.locator('#step-1 details[open]').waitFor();
      await page.context().close();
    },
  );

  const paths = (): readonly string[] =>
    ['', '/en'].flatMap((lang) =>
      ['/', '/tenders', `/tenders/${number}`, `/tenders/${number}/history/1..3`, '/statistics', '/play', '/about'].map(
        (path) => (path === '/' && lang === '/en' ? '/en' : lang + path),
      ),
    );

  /** WCAG 1.4.12. */
  const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`;

  // 1,280 px at 400 % are 320 px.
  it.each([
    { name: 'at 400 %', width: 320, height: 256, style: '' },
    { name: 'with wide text at 400 %', width: 320, height: 256, style: SPACING },
    { name: 'with wide text', width: 1280, height: 900, style: SPACING },
  ])('reads everything $name', { timeout: PAGE_WAIT_MS * 4 }, async ({ width, height, style }) => {
    const page = await openPage({ viewport: { width, height }, bypassCSP: true });
    for (const path of paths()) {
      await page.goto(portal.url + path);
      if (style !== '') await page.addStyleTag({ content: style });
      expect([path, await page.evaluate(cutTexts)]).toEqual([path, []]);
    }
    await page.context().close();
  });

  it('sees states and controls in forced colours', { timeout: PAGE_WAIT_MS * 4 }, async () => {
    const page = await openPage({ forcedColors: 'active', viewport: { width: 1280, height: 900 } });
    for (const path of paths()) {
      await page.goto(portal.url + path);
      // Fills are gone: what had one needs a border.
      const without =
        await page.evaluate(`[...document.querySelectorAll('.tag, .card, .now, .notice, .button, .mark, input:not([type=checkbox]), select')]
        .filter((it) => it.getClientRects().length > 0 && parseFloat(getComputedStyle(it).borderTopWidth) === 0)
        .map((it) => it.outerHTML.slice(0, 80))`);
      const filled = await page.evaluate(`[...document.querySelectorAll('.mark')]
        .filter((it) => getComputedStyle(it).backgroundColor !== getComputedStyle(document.documentElement).backgroundColor).length`);
      expect([path, without, filled, await page.evaluate(cutTexts)]).toEqual([path, [], 0, []]);
    }
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focusFaults)).toEqual([]);
    await page.context().close();
  });

  it(
    'prints everything: black on white, nothing folded, with address and instant',
    { timeout: PAGE_WAIT_MS * 4 },
    async () => {
      // A page of A4 with the margins of Chromium.
      const page = await openPage({ viewport: { width: 718, height: 1000 }, colorScheme: 'dark' });
      for (const path of paths()) {
        await page.goto(portal.url + path);
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        const printed = (await page.evaluate(`(() => {
        const isSeen = (it) => it.checkVisibility();
        const colours = [...document.querySelectorAll('main, main *')].filter((it) => isSeen(it) && it.textContent.trim() !== '').map((it) => getComputedStyle(it).backgroundColor);
        return {
          hidden: ['.site-header', '.sandbox-bar', 'form', 'main button'].filter((it) => [...document.querySelectorAll(it)].some(isSeen)),
          folded: [...document.querySelectorAll('main details > :not(summary)')].filter((it) => it.textContent.trim() !== '' && it.closest('.contents-nav, form') === null && !isSeen(it)).length,
          dark: colours.filter((it) => /^rgb\\((\\d|[1-9]\\d), /.test(it)),
          page: [getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.querySelector('h1')).color],
          footer: document.querySelector('.site-footer').innerText,
        };
      })()`)) as { footer: string };
        expect([path, printed]).toEqual([
          path,
          {
            hidden: [],
            folded: 0,
            dark: [],
            page: ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'],
            footer: expect.stringContaining(portal.url + path),
          },
        ]);
        expect(printed.footer).toMatch(/\d{4}, \d\d:\d\d/);
        expect([path, await page.evaluate(cutTexts)]).toEqual([path, []]);
        await page.emulateMedia({ media: 'screen' });
      }
      await page.context().close();
    },
  );
});
