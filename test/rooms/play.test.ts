import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { moveRoomClock, roomState, toNextStage } from '../support/auction-room.ts';
import {
  enterWithKeyboard,
  enterWithMouse,
  fetchLimit,
  openPage,
  useRoomWithBrowser,
  WAIT,
  WRONG_CLOCK,
  type Player,
} from '../support/auction-pages.ts';
import { barriers } from '../support/axe.ts';
import { until, type Json } from '../support/broker.ts';
import { TENDERER } from '../support/published-tender.ts';
import { tenderInAuction } from '../support/tender-in-auction.ts';

const given = useRoomWithBrowser();
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Keeps what the live regions say, in order. */
const RECORD_SENTENCES = `{
  globalThis.said = [];
  document.addEventListener('DOMContentLoaded', () => {
    for (const region of ['polite', 'assertive']) {
      const element = document.getElementById(region);
      if (element === null) continue;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const { data } of addedNodes) globalThis.said.push({ region, text: data });
      }).observe(element, { childList: true });
    }
  });
}`;

const parseSeconds = (text: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * 3_600 + minutes * MINUTE_SECONDS + seconds;
};

describe.skipIf(!given.isPossible)('the page of an auction', () => {
  it('lets three bidders play, one of them without a mouse, before a watcher (A39, A40)', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, ['broker2', 'broker3', 'broker2']);
    const [first = '', second = '', third = ''] = await links();
    const [mouse, keyboard, wrongClock, watcher] = await Promise.all([
      enterWithMouse(given.browser, first, { locale: 'uk-UA' }, 'Заявку прийнято'),
      enterWithKeyboard(given.browser, second, { locale: 'en-GB' }, 'Bid placed'),
      enterWithMouse(given.browser, third, { locale: 'en-GB', colorScheme: 'dark' }, 'Bid placed', WRONG_CLOCK),
      openPage(given.browser, `${given.room.url}/tenders/${id}`, {
        locale: 'uk-UA',
        viewport: { width: 320, height: 568 },
      }),
    ]);
    const players = [mouse, keyboard, wrongClock];
    const readBidId = async ({ opened }: Player): Promise<string> =>
      opened.page.evaluate(() => (globalThis as Json).document.body.dataset.bidder);
    const byBid = new Map(await Promise.all(players.map(async (player) => [await readBidId(player), player] as const)));
    expect(await barriers(mouse.opened.page)).toEqual([]);

    /** Moves to the stage, and waits until the watcher sees it. */
    const toStage = async (stage: number): Promise<Player | undefined> => {
      await toNextStage(given.room.url, id);
      const state = await until(`stage ${stage}`, async () => {
        const seen = await roomState(given.room.url, id);
        return seen?.current_stage >= stage && seen;
      });
      return byBid.get(state.stages[stage].bidder_id);
    };

    await toStage(0);
    await watcher.page.getByText('Пауза. Раунд 1.').first().waitFor(WAIT);
    for (let stage = 1; stage <= 3; stage += 1) {
      const player = await toStage(stage);
      if (player === undefined) throw new Error(`nobody has turn ${stage}`);
      const { page } = player.opened;
      await page.waitForSelector('[data-testid=offer-form]', WAIT);
      if (stage === 1) expect(await barriers(page)).toEqual([]);
      await player.offer(await fetchLimit(player));
      await page.getByTestId('offer-message').filter({ hasText: player.accepted }).waitFor(WAIT);
      // What stands is shown to its bidder only.
      expect(await watcher.page.getByTestId('stands').count()).toBe(0);
    }
    await toStage(4);
    await watcher.page.getByText('Пауза. Раунд 2.').first().waitFor(WAIT);
    // Nothing is wider than a telephone (A42).
    expect(await watcher.page.evaluate(() => (globalThis as Json).document.documentElement.scrollWidth)).toBe(320);
    // Each page learns the time from its own stream, one perhaps later than the other.
    await until('one time on the clocks of both pages', async () => {
      const clocks = await Promise.all([wrongClock.opened, watcher].map(async ({ page }) => page.innerText('#clock')));
      const [one = 0, other = 0] = clocks.map(parseSeconds);
      const apart = Math.abs(one - other);
      return Math.min(apart, DAY_SECONDS - apart) < MINUTE_SECONDS;
    });

    // The network of a bidder goes away in its turn: the offer is sent when it is back (A47).
    const offline = await toStage(5);
    if (offline === undefined) throw new Error('nobody has turn 5');
    const { page } = offline.opened;
    await page.waitForSelector('[data-testid=offer-form]', WAIT);
    const limit = await fetchLimit(offline);
    await page.context().setOffline(true);
    await offline.offer(limit);
    await page
      .getByTestId('offer-message')
      .filter({ hasText: /заявку буде надіслано|the bid will be sent/ })
      .waitFor(WAIT);
    await page.context().setOffline(false);
    await page.getByTestId('offer-message').filter({ hasText: offline.accepted }).waitFor(WAIT);

    await moveRoomClock(given.room.url, id, { advance: 'PT1H' });
    for (const { opened } of players) await opened.page.waitForSelector('#results-header', WAIT);
    await watcher.page.getByTestId('protocol').waitFor(WAIT);
    await watcher.page.getByText(TENDERER.name).first().waitFor(WAIT);
    expect(await barriers(watcher.page)).toEqual([]);
    const { results } = await roomState(given.room.url, id);
    const shown = await watcher.page.locator('#results-header ~ div tr[data-bidder]').all();
    const order = await Promise.all(shown.map(async (row) => row.getAttribute('data-bidder')));
    expect(order).toEqual(results.map((line: Json) => line.bidder_id).toReversed());

    for (const { opened } of players) {
      expect(opened.page.url()).toBe(`${given.room.url}/tenders/${id}`);
      expect(opened.elsewhere).toEqual([]);
      if (opened !== offline.opened) expect(opened.errors).toEqual([]);
      expect(opened.leaks).toEqual([]);
    }
    expect(watcher.errors).toEqual([]);
  });

  it('shows the secret of a link in no request and no entry of the history (A49)', async () => {
    const { links } = await tenderInAuction(given.gatewayUrl, ['broker2', 'broker3']);
    const [link = ''] = await links();
    const { opened } = await enterWithMouse(given.browser, link, { locale: 'uk-UA' }, 'Заявку прийнято');
    // The auction is open: the address of the link would not lead on to its page.
    await opened.page.goBack(WAIT);
    expect(opened.page.url()).toBe(new URL('login', link).href);
    expect(opened.leaks).toEqual([]);
  });

  it('announces what happens, and sends an offer over a killed server once (A43, A44)', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, ['broker2', 'broker3']);
    const [, worst = ''] = await links();
    const player = await enterWithMouse(given.browser, worst, { locale: 'uk-UA' }, 'Заявку прийнято', RECORD_SENTENCES);
    const { page } = player.opened;
    /** Waits until the page says the sentence, after those before it. */
    let heard = 0;
    const hear = async (region: 'polite' | 'assertive', sentence: RegExp): Promise<void> => {
      heard = await until(`the sentence ${sentence}`, async () => {
        const said: Json[] = await page.evaluate(() => (globalThis as Json).said);
        const at = said.findIndex((one, n) => n >= heard && one.region === region && sentence.test(one.text));
        return at >= 0 && at + 1;
      });
    };
    const answered = async (text: string | RegExp): Promise<void> =>
      page.getByTestId('offer-message').filter({ hasText: text }).waitFor(WAIT);

    /** Moves the clock until so many seconds of the stage are left: a machine that is slow sees the rest pass. */
    const leaveSeconds = async (seconds: number): Promise<void> => {
      const { timer, now } = await roomState(given.room.url, id);
      const leftSeconds = (Date.parse(timer) - Date.parse(now)) / 1_000;
      await moveRoomClock(given.room.url, id, { advance: `PT${Math.floor(leftSeconds - seconds)}S` });
    };

    await toNextStage(given.room.url, id);
    await hear('polite', /^Пауза\. Раунд 1 за 5\sхвилин\.$/);
    await leaveSeconds(64);
    await hear('polite', /^Ваша черга за хвилину\.$/);
    await toNextStage(given.room.url, id);
    await hear('assertive', /^Ваша черга\. У вас 2\sхвилини\. Не більше .+\sгрн\.$/);
    const limit = await fetchLimit(player);
    await player.offer(limit + 1);
    await hear('assertive', /^Надто висока заявка$/);

    await player.offer(limit);
    await hear('assertive', /^Заявку прийнято: /);
    await page.click('[data-testid=withdraw]');
    await hear('assertive', /^Заявку відмінено\.$/);
    for (const seconds of [30, 10]) {
      await leaveSeconds(seconds + 4);
      await hear('assertive', new RegExp(`^Залишилось ${seconds} секунд\\.$`));
    }

    // The room is away until after the end of the turn, which it moves: the offer is still sent.
    await given.room.kill();
    await player.offer(limit - 1);
    await answered(/спроба/);
    await hear('assertive', /^Втрачено зв'язок\.$/);
    await page.getByTestId('countdown').filter({ hasText: '00:00' }).waitFor(WAIT);
    await given.room.start();
    // In any order: each comes by a way of its own.
    const back = heard;
    for (const [region, sentence] of [
      ['assertive', /^Через збій аукціон подовжено на \d+ с\.$/],
      ['assertive', /^Заявку прийнято: /],
      ['polite', /^Зв'язок відновлено\.$/],
    ] as const) {
      heard = back;
      await hear(region, sentence);
    }
    const log = new pg.Client({ connectionString: given.room.databaseUrl });
    await log.connect();
    const offers = `SELECT data::json ->> 'amount' AS amount FROM auction_event WHERE auction_id = $1 AND type = 'OfferPlaced' ORDER BY seq`;
    const { rows } = await log.query(offers, [id]);
    await log.end();
    expect(rows.map(({ amount }) => Number(amount))).toEqual([limit, limit - 1]);

    await toNextStage(given.room.url, id);
    await toNextStage(given.room.url, id);
    await hear('polite', /^Учасник №2: без змін\.$/);
    await hear('polite', /^Пауза\. Раунд 2 за 2\sхвилини\.$/);

    // The network of the bidder is away until its turn is over: the page says that the offer came too late (F22), also one that is opened
    // again meanwhile.
    const bidder: string = await page.evaluate(() => (globalThis as Json).document.body.dataset.bidder);
    const offerTooLate = async (): Promise<number> => {
      const { stages, current_stage: current } = await roomState(given.room.url, id);
      const own = stages.findIndex((stage: Json, n: number) => n > current && stage.bidder_id === bidder);
      for (let stage = current; stage < own; stage += 1) await toNextStage(given.room.url, id);
      await page.waitForSelector('[data-testid=offer-form]', WAIT);
      const late = await fetchLimit(player);
      await page.context().setOffline(true);
      await player.offer(late);
      await answered(/буде надіслано/);
      await toNextStage(given.room.url, id);
      return late;
    };
    const refusal = /^Зараз (черга іншого учасника|не час заявок)$/;
    const late = [await offerTooLate()];
    await page.context().setOffline(false);
    await hear('assertive', refusal);
    late.push(await offerTooLate());
    const address = page.url();
    await page.goto('about:blank');
    await page.context().setOffline(false);
    await page.goto(address, WAIT);
    heard = 0;
    await hear('assertive', refusal);
    const { results } = await roomState(given.room.url, id);
    expect(results.filter(({ amount }: Json) => late.includes(amount))).toEqual([]);
  });
});
