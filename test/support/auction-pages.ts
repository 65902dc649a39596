import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startRoomSystem, type RoomSystem } from './room-system.ts';
import type { TestRoom } from './auction-room.ts';
import { AXE, barriersAt, WIDTHS } from './axe.ts';
import type { Json } from './broker.ts';
import { findChromium, PAGE_WAIT_MS, startBrowser } from './chromium.ts';

export const WAIT = { timeout: PAGE_WAIT_MS };

/** What tests of pages need. */
export interface RoomWithBrowser {
  /** Whether there is a browser on this machine. */
  readonly isPossible: boolean;
  readonly browser: Browser;
  readonly gatewayUrl: string;
  readonly room: TestRoom;
}

/** A browser, and a system with a room, run during the tests of a file. `env`: other settings of the room. */
export function useRoomWithBrowser(env: Readonly<Record<string, string>> = {}): RoomWithBrowser {
  const chromium = findChromium();
  let browser: Browser | undefined;
  let system: RoomSystem | undefined;
  beforeAll(async () => {
    if (chromium === undefined) return;
    browser = await startBrowser(chromium);
    system = await startRoomSystem(env);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });
  return {
    isPossible: chromium !== undefined,
    get browser() {
      return started(browser);
    },
    get gatewayUrl() {
      return started(system).gatewayUrl;
    },
    get room() {
      return started(system).room;
    },
  };
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('used outside of a test');
  return part;
}

/** A page of the room, with what its console says. */
export interface OpenPage {
  readonly page: Page;
  /** Violations of the policy of content included. */
  readonly errors: readonly string[];
  /** Addresses of other origins that the page asked for. */
  readonly elsewhere: readonly string[];
  /** Requests that show the secret of a link in their address or as where they come from, but for the link itself. */
  readonly leaks: readonly string[];
}

/** A bidder at its page. */
export interface Player {
  readonly opened: OpenPage;
  readonly accepted: string;
  /** Types an amount and sends it. */
  readonly offer: (amount: number) => Promise<void>;
}

const CONSENT = '[data-testid=confirm]';
const OWN = '[data-testid=own] h2';

/** The policy of the page stays in force: the script that finds barriers is there before it. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
  script = '',
): Promise<OpenPage> {
  const context = await browser.newContext(options);
  await context.addInitScript({ content: AXE + script });
  // Clicks and fills too.
  context.setDefaultTimeout(PAGE_WAIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  const elsewhere: string[] = [];
  const leaks: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith('data:'))
      elsewhere.push(request.url());
    const shown = `${request.method()} ${request.url()} ${request.headers()['referer'] ?? ''}`;
    if (shown.includes('hash=') && shown.trim() !== `GET ${address}`) leaks.push(shown);
  });
  await page.goto(address, WAIT);
  return { page, errors, elsewhere, leaks };
}

/** What keeps people from using the page at any width, light or dark: barriers, and content that is wider than the page. */
export async function barriersAtAllWidths(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const isWider = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = (globalThis as Json).document.documentElement;
      return scrollWidth > clientWidth;
    });
    if (isWider) found.push(`${width}: scrolls sideways`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(
        ...(await barriersAt(page, colorScheme, width)).map((barrier) => `${width} ${colorScheme}: ${barrier}`),
      );
    }
  }
  return found;
}

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => (globalThis as Json).document.activeElement?.id)) === id) return;
  }
  throw new Error(`${id} is not reached with Tab`);
}

/**
 * Waits until the script of the page shows the state of the auction: the server writes no countdown. A page announces only what changes
 * after that.
 */
async function waitForScript(page: Page): Promise<void> {
  await page.waitForSelector(OWN, WAIT);
  await page.getByTestId('countdown').filter({ hasText: ':' }).waitFor(WAIT);
}

/** Opens a link and consents, with the mouse. `accepted` is what the page says of an accepted offer. */
export async function enterWithMouse(
  browser: Browser,
  link: string,
  options: BrowserContextOptions,
  accepted: string,
  script = '',
): Promise<Player> {
  const opened = await openPage(browser, link, options, script);
  const { page } = opened;
  await page.click(CONSENT);
  await waitForScript(page);
  return {
    opened,
    accepted,
    async offer(amount) {
      await page.fill('[data-testid=amount]', String(amount));
      await page.click('[data-testid=place]');
    },
  };
}

/** The same without a mouse. */
export async function enterWithKeyboard(
  browser: Browser,
  link: string,
  options: BrowserContextOptions,
  accepted: string,
): Promise<Player> {
  const opened = await openPage(browser, link, options);
  const { page } = opened;
  await tabTo(page, 'confirm');
  await page.keyboard.press('Enter');
  await waitForScript(page);
  return {
    opened,
    accepted,
    async offer(amount) {
      await tabTo(page, 'bid-amount-input');
      await page.keyboard.type(String(amount));
      await page.keyboard.press('Enter');
    },
  };
}

/** The largest amount that the bidder may offer now. */
export async function fetchLimit({ opened: { page } }: Player): Promise<number> {
  const { pathname, origin } = new URL(page.url());
  return (await (await page.request.get(`${origin}${pathname}/mine`)).json()).limit;
}

/** A clock of the machine that is wrong by seven minutes. */
export const WRONG_CLOCK = `{
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...given) { if (given.length === 0) super(Real.now() + 420_000); else super(...given); }
    static now() { return Real.now() + 420_000; }
  };
}`;
