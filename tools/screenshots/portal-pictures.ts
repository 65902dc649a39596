import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePorts } from '@procurement/local-stack/ports';
import type { Page } from 'playwright-core';
import type { Picture } from './shoot.ts';

const PORTAL = join(import.meta.dirname, '../../apps/portal');
const WIDE = { width: 1280, height: 960 } as const;
const TELEPHONE = { width: 390, height: 844 } as const;

/** A run of `/play` that has not begun, with ids of its own: those of a page are random. */
const RUN = Buffer.from(
  JSON.stringify({ run: 'f'.repeat(32), at: '2026-11-25T09:47:20.000Z', step: 0, bids: [] }),
).toString('base64url');

/** Starts the pages of the portal with fixed data at a fixed time (`apps/portal/test-support`). */
export async function startShowcase(): Promise<{ readonly pictures: readonly Picture[]; stop(): void }> {
  const { portal, portalOperations: sandbox } = await freePorts();
  const program = join(PORTAL, 'test-support/serve-showcase.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--import=tsx', program, String(portal), String(sandbox)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TSX_TSCONFIG_PATH: join(PORTAL, 'tsconfig.json') },
    },
  );
  const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (String(first) !== 'ready\n') throw new Error(`the pages of the portal did not start: ${String(first)}`);
  return {
    pictures: listPictures(`http://127.0.0.1:${portal}`, `http://127.0.0.1:${sandbox}`),
    stop: () => child.stdin.end(),
  };
}

function listPictures(portal: string, sandbox: string): readonly Picture[] {
  const bidding = `${portal}/en/tenders/UA-2026-11-12-000214`;
  const search = `${portal}/en/tenders?q=school`;
  return [
    { name: 'start', url: `${portal}/`, ...WIDE },
    { name: 'search', url: search, ...WIDE },
    { name: 'search-390', url: search, ...TELEPHONE },
    { name: 'tender-bidding', url: bidding, ...WIDE },
    { name: 'tender-dark', url: bidding, ...WIDE, isDark: true },
    { name: 'tender-390', url: `${portal}/tenders/UA-2026-11-12-000214`, ...TELEPHONE },
    { name: 'tender-complete', url: `${portal}/en/tenders/UA-2026-10-05-000063`, ...WIDE, isWhole: true },
    { name: 'statistics', url: `${portal}/en/statistics`, ...WIDE, height: 1400 },
    { name: 'buyer', url: `${portal}/en/buyers/UA-EDR-90113205`, ...WIDE, height: 1300 },
    { name: 'play', url: `${sandbox}/en/play`, ...WIDE, height: 1040, first: playOneStep },
  ];
}

async function playOneStep(page: Page): Promise<void> {
  await page.locator('[name=run]').evaluate((field, run) => field.setAttribute('value', run), RUN);
  await page.click('[name=do][value=next]');
  await page.waitForSelector('#step-1');
  // The request of the step, as a reader opens it.
  await page.locator('#step-1 summary').first().click();
  await page.locator('#step-1').evaluate((step) => step.scrollIntoView());
}
