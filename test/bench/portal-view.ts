import type { Browser } from 'playwright-core';
import { findChromium, startBrowser } from '../support/chromium.ts';
import type { BenchmarkRow } from './row.ts';

const REQUESTS_MAX = 4;
const PAINT_MS_MAX = 1_000;
/** A processor of this part of the speed, as in a cheap telephone. */
const SLOWER = 4;
/** Shifts of less are those of rounding. */
const SHIFT_MAX = 0.005;

/** What a visitor waits for at the first view of a page, on a slow processor (portal.md 11). No rows without Chromium. */
export async function firstViewRows(urls: readonly string[]): Promise<readonly BenchmarkRow[]> {
  const chromium = findChromium();
  if (chromium === undefined) return [];
  const browser = await startBrowser(chromium);
  try {
    // One after the other: two at once would wait for each other.
    const views: FirstView[] = [];
    for (const url of urls) views.push(await firstView(browser, url));
    const most = (of: (view: FirstView) => number): number => Math.max(...views.map(of));
    const row = (what: string, value: number, bar: number, figures: string): BenchmarkRow => ({
      what: `first view: ${what}`,
      ratio: value / bar,
      atMost: 1,
      figures,
    });
    const [requests, hosts, paintMs, shift] = [
      most((view) => view.requests),
      most((view) => view.hosts),
      most((view) => view.paintMs),
      most((view) => view.shift),
    ];
    return [
      row(`requests, of ${REQUESTS_MAX}`, requests, REQUESTS_MAX, String(requests)),
      row('hosts, of 1', hosts, 1, String(hosts)),
      row('layout shift, of 0.00', shift, SHIFT_MAX, shift.toFixed(3)),
      row(
        `largest paint at ${SLOWER} × slower processor, of ${PAINT_MS_MAX} ms`,
        paintMs,
        PAINT_MS_MAX,
        `${Math.round(paintMs)} ms`,
      ),
    ];
  } finally {
    await browser.close();
  }
}

interface FirstView {
  readonly requests: number;
  readonly hosts: number;
  readonly paintMs: number;
  readonly shift: number;
}

/** A text: what compiles this file would put names of its own into a function. Observers are called after this turn with what was before. */
const SEEN = `new Promise((resolve) => {
  const seen = { paintMs: 0, shift: 0 };
  const observe = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { seen.paintMs = startTime; });
  observe('layout-shift', ({ value }) => { seen.shift += value; });
  setTimeout(() => resolve(seen), 500);
})`;

async function firstView(browser: Browser, url: string): Promise<FirstView> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url, { waitUntil: 'networkidle' });
  const { paintMs, shift }: Pick<FirstView, 'paintMs' | 'shift'> = await page.evaluate(SEEN);
  await context.close();
  if (paintMs === 0) throw new Error(`${url} painted nothing`);
  return { requests: asked.length, hosts: new Set(asked.map((address) => new URL(address).host)).size, paintMs, shift };
}
