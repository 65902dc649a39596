import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import type { TestRoom } from '../support/auction-room.ts';
import type { Json } from '../support/broker.ts';
import { findChromium, startBrowser } from '../support/chromium.ts';
import { share } from './auctions.ts';
import type { BenchmarkRow } from './row.ts';

const PAGE_BYTES_MAX = 60_000;
const PAINT_MS_MAX = 500;
const ANSWER_MS_MAX = 100;
const CLOCK_MS_MAX = 50;
const WAY_MS = 200;
const WRONG_MS = 600_000;
/** Fewer presses than the burst of a session. */
const PRESSES = 8;

/** The page of an auction whose bidder is in its turn (bars B9 and B10 of auction-room.md 17). No rows without Chromium. */
export async function auctionPageRows(
  room: TestRoom,
  auctionId: string,
  link: string,
): Promise<readonly BenchmarkRow[]> {
  const path = `/tenders/${auctionId}`;
  const size = await sizeRow(room.url, path);
  const chromium = findChromium();
  if (chromium === undefined) return [size];
  const browser = await startBrowser(chromium);
  try {
    return [size, ...(await bidderRows(browser, link)), await clockRow(browser, room.url, auctionId)];
  } finally {
    await browser.close();
  }
}

/** What the page loads: sheet, icon, script, and what the script imports. */
async function fetchFiles(url: string, page: string): Promise<readonly string[]> {
  const waiting = [...page.matchAll(/ (?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => url + path);
  const files = new Map<string, string>();
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (files.has(address)) continue;
    const text = await (await fetch(address)).text();
    files.set(address, text);
    for (const [, from = ''] of text.matchAll(/ from ['"](\.[^'"]+)['"]/g)) waiting.push(new URL(from, address).href);
  }
  return [...files.values()];
}

async function sizeRow(url: string, path: string): Promise<BenchmarkRow> {
  const page = await (await fetch(url + path)).text();
  const sizes = [page, ...(await fetchFiles(url, page))].map((file) => gzipSync(file).length);
  let bytes = 0;
  for (const one of sizes) bytes += one;
  return {
    what: `the page with its modules and style, gzipped, of ${PAGE_BYTES_MAX / 1_000} kB (B9)`,
    ratio: bytes / PAGE_BYTES_MAX,
    atMost: 1,
    figures: `${(bytes / 1_000).toFixed(1)} kB`,
  };
}

async function bidderRows(browser: Browser, link: string): Promise<readonly BenchmarkRow[]> {
  const page = await browser.newPage({ locale: 'en-GB' });
  await page.goto(link);
  await page.click('[data-testid=confirm]');
  await page.waitForSelector('[data-testid=offer-form]');
  const paintMs: number = await page.evaluate(
    () => (globalThis as Json).performance.getEntriesByName('first-paint')[0]?.startTime,
  );
  const answers: number[] = [];
  const limit = Number((await (await page.request.get(`${page.url()}/mine`)).json()).limit);
  for (let press = 0; press < PRESSES; press += 1) answers.push(await pressAndWait(page, limit - press));
  await page.close();
  const p50 = share(answers, 0.5);
  return [
    {
      what: `first paint of the page of a bidder, of ${PAINT_MS_MAX} ms (B9)`,
      ratio: paintMs / PAINT_MS_MAX,
      atMost: 1,
      figures: `${Math.round(paintMs)} ms`,
    },
    {
      what: `from the press to the answer on the page, p50 of ${ANSWER_MS_MAX} ms (B9)`,
      ratio: p50 / ANSWER_MS_MAX,
      atMost: 1,
      figures: `p50 ${Math.round(p50)} ms of ${answers.length}`,
    },
  ];
}

/** Milliseconds until the page says something about the offer, by its own clock. */
async function pressAndWait(page: Page, amount: number): Promise<number> {
  await page.fill('[data-testid=amount]', String(amount));
  return page.evaluate(async () => {
    const { document, performance, MutationObserver } = globalThis as Json;
    const message = document.querySelector('[data-testid=offer-message]');
    message.textContent = '';
    return new Promise<number>((resolve) => {
      const beganMs: number = performance.now();
      new MutationObserver(() => resolve(performance.now() - beganMs)).observe(message, { childList: true });
      document.querySelector('[data-testid=place]').click();
    });
  });
}

/** The clock of the machine in the page is wrong by minutes, and each way of the network takes 200 ms. */
async function clockRow(browser: Browser, url: string, auctionId: string): Promise<BenchmarkRow> {
  const slow = await slowNetwork(Number(new URL(url).port));
  const page = await browser.newPage();
  await page.addInitScript(`{
    globalThis.RealDate = Date;
    globalThis.Date = class extends RealDate { static now() { return RealDate.now() + ${WRONG_MS}; } };
  }`);
  await page.goto(`${slow.url}/tenders/${auctionId}`);
  const errorMs: number = await page.evaluate(async (id) => {
    const { document, RealDate } = globalThis as Json;
    const script: string = document.querySelector('script[type=module]').src;
    const { makeClock } = (await import(script.replace('room.js', 'clock.js'))) as Json;
    const clock = makeClock(id);
    await clock.measure();
    return Math.abs(clock.now() - RealDate.now());
  }, auctionId);
  await page.close();
  slow.stop();
  return {
    what: `time of the page against room time, its machine wrong by 10 min, ${WAY_MS} ms each way, of ${CLOCK_MS_MAX} ms (B10)`,
    ratio: errorMs / CLOCK_MS_MAX,
    atMost: 1,
    figures: `${errorMs.toFixed(1)} ms`,
  };
}

/** Delays what goes through it, in both ways. */
async function slowNetwork(port: number): Promise<{ readonly url: string; stop(): void }> {
  const sockets = new Set<Socket>();
  const delay = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('data', (part) => setTimeout(() => to.writable && to.write(part), WAY_MS));
    from.on('close', () => setTimeout(() => to.destroy(), WAY_MS));
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    delay(near, far);
    delay(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Safe cast: it listens on TCP.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
