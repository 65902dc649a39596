import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { until } from '../../support/broker.ts';
import {
  FAULTS,
  playOn,
  playTender,
  parseRun,
  startRecordingProxy,
  startTestPortal,
  type RecordingProxy,
  type TestPortal,
} from '../../support/portal.ts';

/** What the register answers. */
const REGISTER = /\/(?:search|statistics|lookup|history)\b/;
/** Ends a page that never comes; the portal gives up after 3 s. */
const PAGE_MS_MAX = 30_000;

let proxy: RecordingProxy;
let portal: TestPortal;
let number: string;
let id: string;

beforeAll(async () => {
  proxy = await startRecordingProxy(inject('gatewayUrl'));
  portal = await startTestPortal(proxy.url);
  ({ number } = await playTender(portal));
  const found = await fetch(`${proxy.url}/api/2.5/lookup?ids=${number}`);
  id = ((await found.json()) as { data: { id: string }[] }).data[0]!.id;
});

afterEach(() => proxy.breakWith(undefined));

afterAll(async () => {
  await portal.stop();
  await proxy.stop();
});

interface Shown {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly retryAfter: string | null;
}

async function show(path: string, at = portal): Promise<Shown> {
  const signal = AbortSignal.timeout(PAGE_MS_MAX);
  const { status, headers, ...answer } = await readAnswer(await fetch(at.url + path, { signal, redirect: 'manual' }));
  return { status, ...answer, location: headers.get('location'), retryAfter: headers.get('retry-after') };
}

const readAnswer = async (answer: Response) => ({
  status: answer.status,
  headers: answer.headers,
  text: await answer.text(),
});

const headings = (text: string): number => text.match(/<h1/g)?.length ?? 0;
const fetchStatuses = async (paths: readonly string[], at = portal): Promise<readonly (readonly [string, number])[]> =>
  Promise.all(paths.map(async (path) => [path, (await show(path, at)).status] as const));

describe.each(FAULTS)('the API with the fault: %s', (fault) => {
  it('what was not read yet is 503 with a page, what was is shown as of then, texts go on, and all is back afterwards', async () => {
    const known = [`/en/tenders/${number}`, `/tenders/${number}/history`, `/en/tenders/${number}/history/1..2`];
    const unknown = [
      `/en/tenders?q=${encodeURIComponent(fault)}`,
      `/tenders/${'0'.repeat(32)}`,
      '/en/tenders/UA-2001-01-01-000001',
      '/en/buyers/UA-EDR-00037256',
      '/suppliers/UA-EDR-00037256',
      `/tenders.atom?q=${encodeURIComponent(fault)}`,
    ];
    const texts = ['/en/about', '/take-part', '/en/data', '/robots.txt', '/favicon.svg'];
    expect(await fetchStatuses(known)).toEqual(known.map((path) => [path, 200]));
    proxy.breakWith(fault);
    expect(await fetchStatuses(unknown)).toEqual(unknown.map((path) => [path, 503]));
    expect(await fetchStatuses(texts)).toEqual(texts.map((path) => [path, 200]));
    const away = await show(unknown[0]!);
    expect([away.retryAfter, headings(away.text)]).toEqual(['5', 1]);
    // An answer younger than a second is used without asking.
    const kept = await until('the notice of kept answers', async () => {
      const page = await show(known[0]!);
      return page.text.includes('Data as of') ? page : undefined;
    });
    expect([kept.status, headings(kept.text)]).toEqual([200, 1]);
    expect(await fetchStatuses(known)).toEqual(known.map((path) => [path, 200]));
    const run = parseRun((await show('/en/play')).text);
    expect(await playOn(portal, run, 'next')).not.toContain('Something went wrong');
    proxy.breakWith(undefined);
    await until('the search', async () => ((await show(unknown[0]!)).status === 200 ? true : undefined));
    await until('the newest answer', async () =>
      (await show(known[0]!)).text.includes('Data as of') ? undefined : true,
    );
  });
});

describe('the register away', () => {
  it('tenders are shown by their ids and known numbers, without history; the start page keeps its search box', async () => {
    const fresh = await startTestPortal(proxy.url);
    try {
      proxy.breakWith('status 500', REGISTER);
      const [byId, start] = [await show(`/en/tenders/${id}`, fresh), await show('/en', fresh)];
      expect([byId.status, headings(byId.text), byId.text.includes('could not be loaded')]).toEqual([200, 1, true]);
      expect([start.status, start.text.includes('role="search"')]).toEqual([200, true]);
      const away = ['/en/tenders', '/statistics', '/en/buyers/UA-EDR-1', '/suppliers/UA-EDR-1', `/tenders/${number}`];
      expect(await fetchStatuses(away, fresh)).toEqual(away.map((path) => [path, 503]));
      proxy.breakWith(undefined);
      await until('the number', async () =>
        (await show(`/tenders/${number}`, fresh)).status === 200 ? true : undefined,
      );
      proxy.breakWith('no connection', REGISTER);
      expect((await show(`/tenders/${number}`, fresh)).status).toBe(200);
      expect((await show(`/tenders/${id}`, fresh)).location).toBe(`/tenders/${number}`);
    } finally {
      await fresh.stop();
    }
  });

  it('a part that is late is left out, with a link that loads it', async () => {
    const fresh = await startTestPortal(proxy.url);
    try {
      proxy.breakWith('no answer', /\/history\?/);
      const { status, text } = await show(`/en/tenders/${number}`, fresh);
      expect([status, text.includes('could not be loaded')]).toEqual([200, true]);
      expect(text).toContain(`href="/en/tenders/${number}/history"`);
    } finally {
      await fresh.stop();
    }
  });
});
