import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { allBarriers } from '../../support/axe.ts';
import { openPage, WAIT } from '../../support/auction-pages.ts';
import { patientBroker } from '../../support/broker.ts';
import { findChromium, startBrowser } from '../../support/chromium.ts';
import { startRecordingProxy, startTestPortal, type RecordingProxy, type TestPortal } from '../../support/portal.ts';

const anyone = patientBroker(inject('gatewayUrl'), '', '2.5');
const chromium = findChromium();
const STEPS = 10;
const NONSENSE = /\bundefined\b|\bNaN\b|\[object/;

let proxy: RecordingProxy;
let portal: TestPortal;

beforeEach(async () => {
  proxy = await startRecordingProxy(inject('gatewayUrl'));
  portal = await startTestPortal(proxy.url);
  return async () => {
    await portal.stop();
    await proxy.stop();
  };
});

interface PlayPage {
  readonly status: number;
  readonly html: string;
  /** The hidden field; empty at the end. */
  readonly run: string;
}

async function readPage(answer: Response): Promise<PlayPage> {
  const html = await answer.text();
  return { status: answer.status, html, run: /name="run" value="([^"]+)"/.exec(html)?.[1] ?? '' };
}

const begin = async (path = '/en/play'): Promise<PlayPage> => readPage(await fetch(portal.url + path));

/** Sends the form as a browser without JavaScript does. */
async function send(
  run: string,
  what: 'next' | 'rest',
  headers: Readonly<Record<string, string>> = { origin: portal.url },
): Promise<PlayPage> {
  const body = new URLSearchParams({ run, do: what });
  return readPage(await fetch(`${portal.url}/en/play`, { method: 'POST', headers, body }));
}

const runIn = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
const writesTo = (): number => proxy.requests.filter(({ method }) => method !== 'GET').length;

describe('/play without JavaScript', () => {
  it('plays a tender to the signed contract, and its history can be read', async () => {
    let page = await begin();
    let tender = { id: '', number: '' };
    for (let step = 1; step <= STEPS; step += 1) {
      page = await send(page.run, 'next');
      expect([page.status, step, page.html.match(/<h1/g)?.length, NONSENSE.exec(page.html)]).toEqual([
        200,
        step,
        1,
        null,
      ]);
      expect(page.html).toContain(`id="step-${step}"`);
      if (step === 1) ({ tender } = runIn(page.run));
    }
    expect(page.html).toContain('The procurement is complete');
    expect((await anyone.get(`/tenders/${tender.id}`)).body.data).toMatchObject({
      status: 'complete',
      numberOfBids: 2,
    });
    const writes = writesTo();
    for (const part of ['history', 'history/1', 'history/1..3', 'history/3..1'])
      for (const language of ['', '/en']) {
        const { status, html } = await readPage(
          await fetch(`${portal.url}${language}/tenders/${tender.number}/${part}`),
        );
        expect([part, status, NONSENSE.exec(html)]).toEqual([part, 200, null]);
      }
    expect(writesTo()).toBe(writes);
  });

  it('repeats nothing when a form is sent again', async () => {
    let page = await begin();
    for (let step = 1; step <= 3; step += 1) page = await send(page.run, 'next');
    const [once, again] = [await send(page.run, 'next'), await send(page.run, 'next')];
    expect(again.run).toBe(once.run);
    expect(runIn(again.run).bids).toHaveLength(2);
  });
});

describe('/play with a form that somebody made', () => {
  it('writes nothing for another site, a changed run, or another address of the portal', async () => {
    const { run } = await begin();
    const changed = Buffer.from(JSON.stringify({ ...runIn(run), key: 'administrator' })).toString('base64url');
    const statuses = [
      (await send(run, 'rest', { origin: 'http://evil.example' })).status,
      (await send(run, 'rest', { origin: 'null' })).status,
      (await send(run, 'rest', {})).status,
      (await send(run, 'rest', { 'sec-fetch-site': 'cross-site', origin: portal.url })).status,
      (await send(changed, 'rest')).status,
      (await send('x'.repeat(5000), 'rest')).status,
    ];
    expect([statuses, writesTo()]).toEqual([[403, 403, 403, 403, 400, 400], 0]);
  });

  it('writes to no tender whose token it does not have', async () => {
    const own = await send((await begin()).run, 'next');
    const foreign = runIn((await send((await begin()).run, 'next')).run);
    const mixed = { ...runIn(own.run), step: 9, bids: Array(2).fill({ id: foreign.run, token: foreign.run }) };
    const run = Buffer.from(
      JSON.stringify({ ...mixed, tender: { ...foreign.tender, token: 'f'.repeat(32) } }),
    ).toString('base64url');
    const { status, html } = await send(run, 'rest');
    expect([status, html.includes('The API refused')]).toEqual([200, true]);
  });

  it.each([0, 2, 4])(
    'sends nothing after the first answer that does not say sandbox, which comes after %i',
    async (shown) => {
      const page = await send((await begin()).run, 'next');
      proxy.hideSandboxAfter(shown);
      const before = proxy.requests.length;
      const stopped = await send(page.run, 'rest');
      // The page itself reads whether this is a sandbox; then there is no such page.
      expect([404, 503]).toContain(stopped.status);
      expect(proxy.requests.slice(before).length).toBeLessThanOrEqual(shown + 1);
    },
  );
});

it('with PLAY=off there is no such page', async () => {
  const off = await startTestPortal(proxy.url, { PLAY: 'off' });
  try {
    const answers = [await fetch(`${off.url}/play`), await fetch(`${off.url}/play`, { method: 'POST' })];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  } finally {
    await off.stop();
  }
});

describe.skipIf(chromium === undefined)('/play in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(chromium ?? '');
  });
  afterAll(async () => browser.close());

  it.each(['/play', '/en/play'])('%s appends each step, gives it the focus, and has no barriers', async (path) => {
    const { page, errors } = await openPage(browser, portal.url + path, {});
    expect(await allBarriers(page)).toEqual([]);
    for (const step of [1, 2]) {
      await page.locator('button[value=next]').click();
      await page.locator(`#step-${step}:focus`).waitFor(WAIT);
    }
    expect(await page.locator('#play-steps > section').count()).toBe(2);
    await page.locator('#request-1-1').evaluate((code) => code.closest('details')?.setAttribute('open', ''));
    expect(await page.locator('#request-1-1').innerText()).toContain("-H 'Authorization: Bearer broker1'");
    expect(await allBarriers(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
