import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allBarriers, AXE } from '../../support/axe.ts';
import { findChromium, PAGE_WAIT_MS, startBrowser } from '../../support/chromium.ts';
import { freePorts } from '@procurement/local-stack/ports';

const chromium = findChromium();
const PORTAL = join(import.meta.dirname, '../../../apps/portal');
const TENDER = '/tenders/UA-2026-03-02-000001';
const PATHS = [
  '/',
  '/tenders?q=a',
  '/tenders.atom',
  TENDER,
  `${TENDER}.atom`,
  `${TENDER}/history`,
  `${TENDER}/history/2`,
  `${TENDER}/history/1..2`,
  '/buyers/UA-EDR-25733061',
  '/suppliers/UA-EDR-25733061',
  '/statistics',
  '/contracts',
];

/** What an attack has done to a page: `hit` is set by the attacker's scripts; the widest element names who widens the page. */
const FAULTS = `[
  ...(window.hit === undefined ? [] : ['ran ' + window.hit]),
  ...(document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] : [
    'too wide: ' + [...document.querySelectorAll('main *')]
      .filter((it) => it.closest('.scroll') === null && it.getBoundingClientRect().right > innerWidth)
      .map((it) => it.outerHTML.slice(0, 120)).at(-1),
  ]),
]`;

describe.skipIf(chromium === undefined)('a tender that attacks its readers (P9)', () => {
  let browser: Browser;
  let url: string;
  let stop: () => void;

  beforeAll(async () => {
    const { portal } = await freePorts();
    const program = join(PORTAL, 'test-support/serve-hostile.ts');
    const child = spawn(process.execPath, ['--conditions=source', '--import=tsx', program, String(portal)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TSX_TSCONFIG_PATH: join(PORTAL, 'tsconfig.json') },
    });
    stop = () => child.stdin.end();
    await once(child.stdout, 'data');
    url = `http://127.0.0.1:${portal}`;
    browser = await startBrowser(chromium ?? '');
  });

  afterAll(async () => {
    await browser.close();
    stop();
  });

  it('runs nothing, asks no other host and widens no page, even where the policy of the pages is off', async () => {
    const context = await browser.newContext({ bypassCSP: true, viewport: { width: 390, height: 844 } });
    context.setDefaultNavigationTimeout(PAGE_WAIT_MS);
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) foreign.push(request.url());
    });
    const faults: string[] = [];
    const look = async (path: string): Promise<void> => {
      const answer = await page.goto(url + path);
      if (answer?.status() !== 200) faults.push(`${path}: status ${answer?.status()}`);
      // A feed is no page.
      if (path.includes('.atom')) return;
      await page.evaluate(`document.querySelectorAll('details').forEach((it) => (it.open = true))`);
      faults.push(...(await page.evaluate<string[]>(FAULTS)).map((fault) => `${path}: ${fault}`));
      await page.evaluate(AXE);
      faults.push(...(await allBarriers(page)).map((barrier) => `${path}: ${barrier}`));
    };
    for (const path of PATHS) for (const lang of ['', '/en']) await look(path === '/' ? lang || '/' : lang + path);
    const contract = await page.locator('main a[href^="/en/contracts/"]').first().getAttribute('href');
    for (const path of [contract ?? '', contract?.replace('/en', '') ?? '']) await look(path);
    expect([faults, foreign]).toEqual([[], []]);
    await context.close();
  });
});
