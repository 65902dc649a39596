import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { moveRoomClock, roomState, toNextStage } from '../support/auction-room.ts';
import {
  barriersAtAllWidths,
  enterWithKeyboard,
  enterWithMouse,
  fetchLimit,
  openPage,
  useRoomWithBrowser,
  WAIT,
  WRONG_CLOCK,
  type Player,
} from '../support/auction-pages.ts';
import { patientBroker, until, type Json } from '../support/broker.ts';
import { PAGE_WAIT_MS } from '../support/chromium.ts';
import { tenderInAuction } from '../support/tender-in-auction.ts';

const given = useRoomWithBrowser();

const BIDDERS = ['broker2', 'broker3'];
const LANGUAGES = [
  { locale: 'uk-UA', accepted: 'Заявку прийнято' },
  { locale: 'en-GB', accepted: 'Bid placed' },
] as const;

/** 1280 × 1024 at 400 %. */
const ZOOMED = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 };

/** A bidder with a page in each language. */
async function enterInBothLanguages(link: string): Promise<readonly Player[]> {
  return Promise.all(
    LANGUAGES.map(async ({ locale, accepted }) => enterWithMouse(given.browser, link, { locale }, accepted)),
  );
}

/** Waits until the pages show the state, and finds no barrier in them at any width, light and dark. */
async function expectNoBarriers(players: readonly Player[], state: string): Promise<void> {
  for (const { opened } of players) {
    await opened.page.waitForSelector(state, WAIT);
    expect(await barriersAtAllWidths(opened.page), state).toEqual([]);
  }
}

/** What the page says of a state, in both languages. */
const SAID = {
  planned: /Очікування|Waiting/,
  pause: /Пауза. Раунд 1|Pause. Round 1/,
  announced: /Аукціон завершився|Auction was completed/,
  cancelled: /Закупівлю скасовано|Tender cancelled/,
};
const inState = (state: keyof typeof SAID): string => `#status >> text=${String(SAID[state])}`;
const inStage = (stage: number): string => `#stage-${stage}[aria-current=step]`;

describe.skipIf(!given.isPossible)('the page of an auction', () => {
  it('has no barrier in any state, language and colours (A41), and is usable at 400 % (A42)', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, BIDDERS);
    const [better = '', worse = ''] = await links();
    const players = await enterInBothLanguages(worse);
    const zoomed = await enterWithKeyboard(given.browser, better, { locale: 'en-GB', ...ZOOMED }, 'Bid placed');
    const { page } = zoomed.opened;
    await expectNoBarriers(players, inState('planned'));
    await toNextStage(given.room.url, id);
    await expectNoBarriers(players, inState('pause'));
    await toNextStage(given.room.url, id);
    await expectNoBarriers(players, `${inStage(1)}.own`);
    await toNextStage(given.room.url, id);
    await expectNoBarriers(players, `${inStage(2)}:not(.own)`);

    await page.waitForSelector('[data-testid=offer-form]', WAIT);
    await zoomed.offer(await fetchLimit(zoomed));
    await page.getByTestId('offer-message').filter({ hasText: zoomed.accepted }).waitFor(WAIT);
    const controls = ['bid-amount-input', 'place-bid-button', 'cancel-bid-button', 'clear-bid-button'];
    const upAndDown = [...controls, ...controls.toReversed()];
    expect(await hidden(page, upAndDown)).toEqual([]);
    expect(await page.evaluate(() => (globalThis as Json).document.documentElement.scrollWidth)).toBe(320);
    // A telephone, where the status stays in view.
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await hidden(page, upAndDown)).toEqual([]);

    await moveRoomClock(given.room.url, id, { advance: 'PT1H' });
    await expectNoBarriers(players, inState('announced'));
    expect(players.flatMap(({ opened }) => opened.errors)).toEqual([]);
  });

  it('has no barrier when the auction is cancelled (A41)', async () => {
    const { id, path, tokenQuery, links } = await tenderInAuction(given.gatewayUrl, BIDDERS);
    const [first = ''] = await links();
    const players = await enterInBothLanguages(first);
    const cancellation = { reason: 'Потреба відпала', status: 'active' };
    const answer = await patientBroker(given.gatewayUrl, 'broker1', '2.5').post(
      `${path}/cancellations${tokenQuery}`,
      cancellation,
    );
    expect(answer.status).toBe(201);
    await expectNoBarriers(players, inState('cancelled'));
    expect((await roomState(given.room.url, id)).current_stage).toBe(-100);
  });

  it('counts down by the time of the room, whatever the clock of the machine says (A46)', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, BIDDERS);
    await links();
    await toNextStage(given.room.url, id);
    const { page } = await openPage(given.browser, `${given.room.url}/tenders/${id}`, {}, WRONG_CLOCK);
    await page.waitForSelector(inState('pause'), WAIT);
    const { timer } = await roomState(given.room.url, id);
    const { lateMs, errorMs } = await page.evaluate(measureCountdown, Date.parse(timer));
    // A busy machine keeps the page from work for longer, but hardly at every second. The clock of the machine is wrong by minutes.
    expect(Math.min(...lateMs.map(Math.abs))).toBeLessThanOrEqual(500 + errorMs);
  });

  it('lets a bidder consent, offer and withdraw without a script (A48)', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, BIDDERS);
    const [, worse = ''] = await links();
    const { page, errors } = await openPage(given.browser, worse, { locale: 'uk-UA', javaScriptEnabled: false });
    const said = async (text: string): Promise<void> =>
      page.getByTestId('message').filter({ hasText: text }).waitFor(WAIT);
    await page.click('[data-testid=confirm]');
    await page.waitForSelector('#registered-bidder-msg', WAIT);
    await toNextStage(given.room.url, id);
    await toNextStage(given.room.url, id);
    // The page loads itself anew until the turn begins, and not while somebody types.
    await page.waitForSelector('[data-testid=offer-form]', WAIT);
    expect(Number.parseInt((await readRefresh(page)) ?? '', 10)).toBeGreaterThan(60);
    await page.fill('[data-testid=amount]', '1');
    await page.fill('[data-testid=amount]', '9999');
    await page.click('[data-testid=place]');
    await said('Надто висока заявка');
    await page.fill('[data-testid=amount]', '400,50');
    await page.click('[data-testid=place]');
    await said('Заявку прийнято');
    expect(await page.innerText('[data-testid=stands]')).toMatch(/400,50/);
    await page.click('[data-testid=withdraw]');
    await said('Заявку відмінено');
    expect(await page.getByTestId('stands').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('stays current in ten tabs, and offers from the tenth (A45)', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, BIDDERS);
    const [, worse = ''] = await links();
    const player = await enterWithMouse(given.browser, worse, { locale: 'uk-UA' }, 'Заявку прийнято');
    const context = player.opened.page.context();
    const tabs = [player.opened.page];
    for (let n = 0; n < 9; n += 1) {
      const page = await context.newPage();
      await page.goto(`${given.room.url}/tenders/${id}`, WAIT);
      tabs.push(page);
    }
    await toNextStage(given.room.url, id);
    await toNextStage(given.room.url, id);
    for (const page of tabs) await page.waitForSelector(`${inStage(1)}.own`, WAIT);
    await until('four streams', async () => (await countStreams(player.opened.page)) === 4);
    const tenth = tabs.at(-1);
    if (tenth === undefined) throw new Error('no tenth tab');
    await tenth.fill('[data-testid=amount]', String(await fetchLimit(player)));
    await tenth.click('[data-testid=place]');
    await tenth.getByTestId('offer-message').filter({ hasText: player.accepted }).waitFor(WAIT);
    // Another tab shows what stands.
    await player.opened.page.getByTestId('stands').waitFor(WAIT);
    await context.close();
  });
});

/** The elements that something covers when they have the focus. */
async function hidden(page: Page, ids: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((given) => {
    const { document } = globalThis as Json;
    return given.filter((id) => {
      const element = document.getElementById(id);
      // What has the focus already is not scrolled to.
      document.activeElement.blur();
      element.focus();
      const { x, y, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  }, ids);
}

/** How late the countdown shows each of five seconds, against time that is asked for here, and the error of that time. */
async function measureCountdown(
  endMs: number,
): Promise<{ readonly lateMs: readonly number[]; readonly errorMs: number }> {
  const { document, MutationObserver, performance } = globalThis as Json;
  let best = { errorMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let taken = 0; taken < 5; taken += 1) {
    const sentMs: number = performance.now();
    const answer: Json = await (await fetch(`/time?auction=${document.body.dataset.auction}`)).json();
    const receivedMs: number = performance.now();
    const errorMs = (receivedMs - sentMs) / 2;
    if (errorMs < best.errorMs) best = { errorMs, offsetMs: Date.parse(answer.now) + errorMs - receivedMs };
  }
  const element = document.getElementById('countdown');
  const lateMs: number[] = [];
  let shown: string = element.textContent;
  await new Promise<void>((resolve) => {
    new MutationObserver((_changes: unknown, observer: { disconnect(): void }) => {
      if (element.textContent === shown) return;
      shown = element.textContent;
      const [minutes = 0, seconds = 0] = shown.split(':').map(Number);
      const leftMs = endMs - (performance.now() + best.offsetMs);
      lateMs.push((minutes * 60 + seconds) * 1_000 - leftMs);
      if (lateMs.length < 5) return;
      observer.disconnect();
      resolve();
    }).observe(element, { childList: true });
  });
  return { lateMs, errorMs: best.errorMs };
}

async function readRefresh(page: Page): Promise<string | null> {
  return page.locator('meta[http-equiv=refresh]').getAttribute('content', { timeout: PAGE_WAIT_MS });
}

/** Tabs of this browser that have a stream. */
async function countStreams(page: Page): Promise<number> {
  return page.evaluate(async () => (await (globalThis as Json).navigator.locks.query()).held.length);
}
