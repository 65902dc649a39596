import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AXE, barriers } from '../../support/axe.ts';
import { patientBroker, getReached, until, type Json } from '../../support/broker.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { findChromium, PAGE_WAIT_MS, startBrowser } from '../../support/chromium.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const chromium = findChromium();
const WAIT = { timeout: PAGE_WAIT_MS };

let browser: Browser;

beforeAll(async () => {
  if (chromium !== undefined) browser = await startBrowser(chromium);
});

afterAll(async () => browser?.close());

/** Opens a page and collects what its console reports as errors, failed requests included. */
async function open(path: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
  // The policy of the page forbids the script that the test adds. That it is sent is tested in the gateway.
  const context = await browser.newContext({ bypassCSP: true });
  // Clicks and fills too.
  context.setDefaultTimeout(PAGE_WAIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url + path, WAIT);
  return { page, errors };
}

/** In the markup of swagger-ui, which is not ours: a button that holds another one. */
const BARRIERS_OF_SWAGGER_UI = ['nested-interactive'];

/** Gives the page the script that finds barriers. */
async function load(page: Page): Promise<Page> {
  await page.evaluate(AXE);
  return page;
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  it('the guides can be read, and lead to each other', async () => {
    const { page, errors } = await open('/docs/guides');
    await page.getByRole('link', { name: 'First procedure' }).click();
    await page.getByRole('heading', { name: 'With curl' }).waitFor(WAIT);
    expect([await barriers(await load(page)), errors]).toEqual([[], []]);
  });

  it('the start page has the keys of the sandbox, and leads to the guides', async () => {
    const { page, errors } = await open('/');
    await page.getByRole('cell', { name: 'broker1' }).waitFor(WAIT);
    expect([await barriers(await load(page)), errors]).toEqual([[], []]);
    await page.getByRole('main').getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { name: 'Guides' }).waitFor(WAIT);
  });

  it('the reference opens on segment 2.5, and a request is tried from it', async () => {
    const { page, errors } = await open('/docs');
    const operation = page.locator('#operations-default-listTenders, [id$="-listTenders"]').first();
    await operation.waitFor(WAIT);
    await page.locator('section.models').waitFor(WAIT);
    expect(await page.locator('select#select').inputValue()).toBe('/api/2.5/openapi.json');
    expect(await barriers(await load(page), BARRIERS_OF_SWAGGER_UI)).toEqual([]);
    await operation.locator('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click(WAIT);
    await operation.getByRole('button', { name: 'Execute' }).click(WAIT);
    const answer = operation.locator('.live-responses-table .response .response-col_status');
    await answer.waitFor(WAIT);
    expect(await answer.innerText()).toContain('200');
    expect(errors).toEqual([]);
  });

  it('a page of the same host follows the stream with EventSource (A11)', async () => {
    const { page, errors } = await open('/');
    const { id, data } = await publish(buyer, minimalTender());
    const position = `/tenders/${id}/history?at_least=${encodeURIComponent(data.dateModified)}`;
    const [first] = (await getReached(buyer, position)).body.data;
    await page.evaluate((address) => {
      // Of the page, whose globals this program has no types for.
      const scope = globalThis as unknown as { EventSource: typeof EventTarget; notices: string[] };
      scope.notices = [];
      const source: EventTarget = Reflect.construct(scope.EventSource, [address]);
      source.addEventListener('message', (event) => scope.notices.push((event as Event & { data: string }).data));
    }, `/api/2.5/stream?mode=_all_&ids=${id}&offset=${first.position}`);
    const moved = await moveToNextCheck(buyer, id);
    const notice = await until('a notice in the page', async () => {
      const notices = await page.evaluate(() => (globalThis as unknown as { notices: string[] }).notices);
      return notices.map((text): Json => JSON.parse(text)).find(({ status }) => status === moved.status);
    });
    expect(notice).toMatchObject({ type: 'tender.changed', id, mode: 'test' });
    expect(errors).toEqual([]);
  });
});
