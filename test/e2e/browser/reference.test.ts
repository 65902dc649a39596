import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium, startBrowser } from '../../support/chromium.ts';
import type { Json } from '../../support/broker.ts';

const url = inject('gatewayUrl');
const chromium = findChromium();
const WAIT = { timeout: 60_000 };

let browser: Browser;

beforeAll(async () => {
  if (chromium !== undefined) browser = await startBrowser(chromium);
});

afterAll(async () => browser?.close());

/** What the first steps of the page print as something to enter or to press. */
async function namedIn(steps: Locator, element: 'code' | 'b'): Promise<readonly string[]> {
  return steps.locator(element).allInnerTexts();
}

async function authorize(page: Page, key: string): Promise<void> {
  await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click(WAIT);
  const form = page.locator('.auth-container').filter({ hasText: 'Basic' });
  await form.getByLabel('Username').fill(key);
  await form.getByRole('button', { name: 'Authorize' }).click();
  await form.getByRole('button', { name: 'Close' }).click();
}

describe.skipIf(chromium === undefined)('the reference in a browser', () => {
  it('publishes a tender for a stranger who follows its first steps, and sends the example as it is shown', async () => {
    // With the policy of the page: no test adds a script.
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${url}/docs`, WAIT);
    const steps = page.locator('#first-steps');
    const [key = ''] = await namedIn(steps, 'code');
    expect(await namedIn(steps, 'b')).toEqual(expect.arrayContaining(['Authorize', 'POST /tenders', 'Execute']));

    await authorize(page, key);
    await steps.getByRole('link', { name: 'POST /tenders' }).click(WAIT);
    const operation = page.locator('#operations-tenders-createTender');
    await operation.getByRole('button', { name: 'Execute' }).click(WAIT);
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor(WAIT);
    expect(await answer.locator('.response-col_status').innerText()).toContain('201');
    const { data, access }: Json = JSON.parse(await answer.locator('.highlight-code code').first().innerText());
    expect(access.token).toMatch(/^[0-9a-f]{32}$/);
    const published: Json = await (await fetch(`${url}/api/2.5/tenders/${data.id}`)).json();
    expect(published.data).toMatchObject({ id: data.id, owner: key, status: 'active.enquiries' });
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe('the example of a tender', () => {
  it.each(['2.5', '2.3', '0', '0.1'])('is accepted as it is shown on segment %s', async (segment) => {
    const document: Json = await (await fetch(`${url}/api/${segment}/openapi.json`)).json();
    const body = JSON.stringify(document.components.examples.createTenderRequest.value);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer broker1' };
    const answer = await fetch(`${url}/api/${segment}/tenders`, { method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining('"token"')]);
  });
});
