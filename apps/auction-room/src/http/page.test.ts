import { describe, expect, it } from 'vitest';
import { buildPlan, fixtureNamed, plannedAt } from '../../test-support/fixtures.ts';
import { decide, foldOnto } from '../domain/auction.decide.ts';
import { evolve } from '../domain/auction.evolve.ts';
import { bidderView } from '../domain/bidder-view.ts';
import { publicDocument } from '../domain/public-document.ts';
import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import { loadPage } from './page.ts';

const page = await loadPage(new URL('../../page/', import.meta.url));
const texts = (await import(new URL('../../page/texts.js', import.meta.url).href)) as {
  readonly TEXTS: Readonly<Record<'uk' | 'en', Readonly<Record<string, string>>>>;
  readonly text: (lang: string, key: string) => string;
};
const format = (await import(new URL('../../page/format.js', import.meta.url).href)) as {
  readonly parseAmount: (typed: string) => number | undefined;
  readonly money: (lang: string, amount: number, currency?: string) => string;
  readonly duration: (lang: string, from: string, until: string) => string;
};
const speaking = { text: texts.text, ...format };
const announce = (await import(new URL('../../page/announce.js', import.meta.url).href)) as {
  readonly describeChange: (change: object) => readonly (readonly [string, string, string])[];
  readonly selectReminders: (count: object) => readonly (readonly [string, string, string])[];
  readonly turnBegins: (turn: object) => string;
};
const view = (await import(new URL('../../page/view.js', import.meta.url).href)) as {
  readonly nextRoundMs: (state: object, stage: number) => number;
};
const fixture = fixtureNamed('01-two-bidders');
const plan = buildPlan(fixture);

/** The auction so many seconds after its start. */
function auctionAt(seconds: number) {
  const planned = {
    ...plan,
    tender: { ...plan.tender, shown: { title: '<script>alert(1)</script>', value: { currency: 'UAH' } } },
  };
  const first = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(fixture), plan: planned });
  const now = addMicros(plan.startAt, seconds * SECOND);
  const decision = decide(first, { type: 'Tick' }, now);
  return { auction: foldOnto(first, 'accepted' in decision ? decision.accepted : []), now };
}

describe('texts', () => {
  const parameters = (text = ''): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();
  it('have the same keys and parameters in both languages', () => {
    const { uk, en } = texts.TEXTS;
    expect(Object.keys(uk)).toEqual(Object.keys(en));
    for (const [key, text] of Object.entries(uk)) expect(parameters(en[key]), key).toEqual(parameters(text));
  });

  it.each([
    ['1 000,55', 1000.55],
    ['1000.55', 1000.55],
    ['1,000.55', 1000.55],
    ['434', 434],
    ['-1', undefined],
    ['1e3', undefined],
    ['1.555', undefined],
    ['', undefined],
  ])('read %o as %o', (typed, amount) => {
    expect(format.parseAmount(typed)).toBe(amount);
  });

  it('never round a limit up', () => {
    expect(format.money('en', 444.999)).toBe('444.99');
    expect(format.money('en', 0.29)).toBe('0.29');
  });
});

describe('what is announced (A43)', () => {
  const saidBetween = (from: number, until: number, lang: 'uk' | 'en'): readonly (readonly string[])[] => {
    const [before, state] = [from, until].map((seconds) => {
      const { auction, now } = auctionAt(seconds);
      return publicDocument(auction, now);
    });
    const changes = announce.describeChange({ before, state, lang, ...speaking });
    // Versions of ICU differ in the kind of blank.
    return changes.map(([region, _kind, sentence]) => [region, sentence.replaceAll('\u00a0', ' ')]);
  };

  it.each([
    [-60, 10, 'uk', [['polite', 'Пауза. Раунд 1 за 5 хвилин.']]],
    [-60, 10, 'en', [['polite', 'Pause. Round 1 in 5 minutes.']]],
    [310, 430, 'en', [['polite', 'Bidder #1: no change.']]],
    [
      310,
      550,
      'uk',
      [
        ['polite', 'Учасник №1: без змін.'],
        ['polite', 'Учасник №2: без змін.'],
        ['polite', 'Пауза. Раунд 2 за 2 хвилини.'],
      ],
    ],
    [
      1_250,
      1_300,
      'en',
      [
        ['assertive', 'Bidding is over, results are being recorded'],
        ['polite', 'Bidder #2: no change.'],
      ],
    ],
  ] as const)('from %i s to %i s (%s)', (from, until, lang, sentences) => {
    expect(saidBetween(from, until, lang)).toEqual(sentences);
  });

  it('when a failure extends the auction', () => {
    const { auction, now } = auctionAt(310);
    const before = publicDocument(auction, now);
    const state = { ...before, shifts: [{ seconds: 7 }] };
    expect(announce.describeChange({ before, state, lang: 'uk', ...speaking })).toEqual([
      ['assertive', 'shift', 'Через збій аукціон подовжено на 7 с.'],
    ]);
  });

  it.each([
    ['untilTurn', 61, 60, [['polite', 'Your turn in one minute.']]],
    ['untilTurn', 90, 56, [['polite', 'Your turn in one minute.']]],
    ['untilTurn', 90, 55, []],
    ['untilTurn', 60, 59, []],
    ['untilTurn', undefined, 60, []],
    ['untilTurn', 31, 30, []],
    ['untilStart', 61, 60, []],
    ['untilTurnEnd', 61, 60, []],
    ['untilTurnEnd', 31, 30, [['assertive', '30 seconds left.']]],
    ['untilTurnEnd', 120, 9, [['assertive', '10 seconds left.']]],
    ['untilTurnEnd', 10, 9, []],
  ] as const)('when the countdown %s goes from %s s to %s s', (target, before, seconds, sentences) => {
    const said = announce.selectReminders({ target, before, seconds, lang: 'en', ...speaking });
    expect(said.map(([region, _kind, sentence]) => [region, sentence])).toEqual(sentences);
  });

  it('at the begin of the own turn', () => {
    const turn = { starts: '2026-11-22T11:00:00+02:00', ends: '2026-11-22T11:02:00+02:00' };
    const given = { state: { value: { currency: 'UAH' } }, lang: 'en', ...speaking };
    expect(announce.turnBegins({ ...given, mine: { limit: 444, turn } })).toBe(
      'Your turn. You have 2 minutes. UAH\u00a0444.00 or lower.',
    );
    expect(announce.turnBegins({ ...given, mine: { limit: null, turn } })).toContain('The step is larger');
    expect(format.duration('en', turn.starts, '2026-11-22T11:00:07+02:00')).toBe('7 seconds');
  });
});

describe('the page of an auction', () => {
  it.each([-60, 0, 310, 800, 1_300] as const)(
    'is complete without a script %i s after the start, in both languages',
    (seconds) => {
      const { auction, now } = auctionAt(seconds);
      const value = { amount: 500, currency: '<script>alert(1)</script>' };
      const state = { ...publicDocument(auction, now), value };
      const mine = { ...bidderView(auction, plan.bids[1]?.id ?? ''), csrf: 'token' };
      for (const lang of ['uk', 'en'] as const) {
        const html = page.auctionPage({ lang, base: page.base, state, mine });
        expect(html).not.toContain('<script>alert');
        expect(html).not.toMatch(/undefined|NaN|\[object/);
        expect(html).not.toMatch(/ style=| on\w+="/);
        expect(html.includes('id="BidsForm"')).toBe(seconds === 310);
        // Not while somebody types: the first turn lasts from 300 s to 420 s.
        expect(html).toContain(`http-equiv="refresh" content="${seconds === 310 ? 111 : 5}"`);
        expect(page.auctionPage({ lang, base: page.base, state })).not.toContain('token');
      }
    },
  );

  it('has no empty rounds when the auction was cancelled before its start', () => {
    const { auction, now } = auctionAt(-60);
    const cancelled = { ...publicDocument(auction, now), phase: 'cancelled', current_stage: -100 };
    expect(page.auctionPage({ lang: 'uk', base: page.base, state: cancelled })).not.toContain('<table');
  });

  it.each([
    [1, 4],
    [2, 4],
    [5, 7],
    [8, 10],
  ])('sends an offer of stage %i until stage %i begins at most', (stage, next) => {
    const { auction, now } = auctionAt(310);
    const state = publicDocument(auction, now);
    const starts = state['stages'] as readonly { readonly start: string }[];
    expect(view.nextRoundMs(state, stage)).toBe(Date.parse(starts[next]?.start ?? ''));
  });

  it('has the elements that robots of brokers use', () => {
    const { auction, now } = auctionAt(310);
    const mine = { ...bidderView(auction, plan.bids[1]?.id ?? ''), csrf: 'token' };
    const html = page.auctionPage({ lang: 'uk', base: page.base, state: publicDocument(auction, now), mine });
    const ids = [
      'max_bid_amount_price',
      'bid-amount-input',
      'place-bid-button',
      'cancel-bid-button',
      'clear-bid-button',
    ];
    for (const id of [...ids, 'registered-bidder-msg', 'initial-bids-header', 'round-header-3', 'stage-1']) {
      expect(html).toContain(`id="${id}"`);
    }
  });

  it('serves its files under an address of their content', () => {
    const script = page.assets.find(({ name }) => name === `${page.base.replace('/assets/', '')}/room.js`);
    expect(script?.type).toMatch(/javascript/);
  });
});
