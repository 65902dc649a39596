import {
  addMicros,
  formatLocalDate,
  instantOf,
  isWeekend,
  SECOND,
  wallTime,
} from '@procurement/contracts/reading/instant';
import { readCalendar } from '@procurement/domain/calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSettings } from '../../test-support/plan-settings.ts';
import { isWithinSlot, slotKey, planAuction, type Slot, type Plan, type PlanSettings } from './auction-plan.ts';

interface PlanOptions {
  readonly from: string;
  readonly now?: string;
  readonly quick?: boolean;
  readonly settings?: Partial<PlanSettings>;
  readonly taken?: readonly Slot[];
  readonly random?: number;
}

function planOf({
  from,
  now = '2017-02-01T00:00:00+02:00',
  quick = false,
  settings,
  taken = [],
  random = 0,
}: PlanOptions) {
  const request = { shouldStartAfter: instantOf(from), now: instantOf(now), quick };
  return run(
    planAuction(request, planSettings(settings), (max) => Math.min(random, max)),
    taken,
  );
}

function run(search: ReturnType<typeof planAuction>, taken: readonly Slot[]): Plan {
  let step = search.next();
  while (step.done !== true) {
    const day = step.value;
    step = search.next(new Set(taken.filter((place) => place.day === day).map(slotKey)));
  }
  return step.value;
}

const startOf = (asked: PlanOptions): string => formatLocalDate(planOf(asked).start);

/** The first so many places of a day, in the order in which they are taken. */
function filledSlots(day: string, count: number): readonly Slot[] {
  return Array.from({ length: count }, (_, index) => ({
    day,
    stream: Math.floor(index / 10) + 1,
    minute: 660 + (index % 10) * 30,
  }));
}

describe('planAuction: the day (bids-awards-auction.md 2.10 and 7)', () => {
  it.each([
    ['the day after tendering ends', '2017-02-16T00:00:00+02:00', '2017-02-16T11:00:00+02:00'],
    ['Friday 00:00 is planned on Friday', '2017-02-17T00:00:00+02:00', '2017-02-17T11:00:00+02:00'],
    ['Friday 10:30 on Monday, 11:30 not being before 11:00', '2017-02-17T10:30:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['Friday 10:00 on Monday, 11:00 not being before 11:00', '2017-02-17T10:00:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['Friday 09:59:59 on Friday', '2017-02-17T09:59:59+02:00', '2017-02-17T11:00:00+02:00'],
    ['Thursday 23:30 on Friday', '2017-02-16T23:30:00+02:00', '2017-02-17T11:00:00+02:00'],
    ['Friday 23:30 on Monday', '2017-02-17T23:30:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['Saturday 00:00 on Monday', '2017-02-18T00:00:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['in the local time of that day, not of today', '2017-03-27T00:00:00+03:00', '2017-03-27T11:00:00+03:00'],
    ['a midnight of another offset by the local clock', '2017-02-17T00:00:00Z', '2017-02-17T11:00:00+02:00'],
  ])('%s', (_, from, start) => {
    expect(startOf({ from })).toBe(start);
  });

  it('counts from now when the earliest moment has passed', () => {
    const asked = { from: '2017-02-16T00:00:00+02:00', now: '2017-02-16T10:30:00+02:00' };
    expect(startOf(asked)).toBe('2017-02-17T11:00:00+02:00');
  });

  it('skips holidays, and weekends even if they are worked', () => {
    const calendar = readCalendar('{"daysOff": ["2017-02-17"], "workdays": ["2017-02-18"]}');
    const asked = { from: '2017-02-17T00:00:00+02:00', settings: { calendar } };
    expect(startOf(asked)).toBe('2017-02-20T11:00:00+02:00');
  });

  it('begins the day when the settings say', () => {
    const settings = { dayStartMinute: 9 * 60 + 30 };
    expect(startOf({ from: '2017-02-16T08:29:59+02:00', settings })).toBe('2017-02-16T09:30:00+02:00');
    expect(startOf({ from: '2017-02-16T08:30:00+02:00', settings })).toBe('2017-02-17T09:30:00+02:00');
  });
});

describe('planAuction: the place (bids-awards-auction.md 2.10 and 7)', () => {
  const day = '2017-02-16';
  const from = '2017-02-16T00:00:00+02:00';

  it.each([
    ['the first of a day', filledSlots(day, 0), { day, stream: 1, minute: 660 }],
    ['the tenth of a day', filledSlots(day, 9), { day, stream: 1, minute: 930 }],
    ['the eleventh begins the second stream', filledSlots(day, 10), { day, stream: 2, minute: 660 }],
    ['the hundredth of a day', filledSlots(day, 99), { day, stream: 10, minute: 930 }],
    ['a full day moves to the next', filledSlots(day, 100), { day: '2017-02-17', stream: 1, minute: 660 }],
    [
      'two full days move over the weekend',
      [...filledSlots(day, 100), ...filledSlots('2017-02-17', 100)],
      { day: '2017-02-20', stream: 1, minute: 660 },
    ],
    ['a freed place first', filledSlots(day, 25).toSpliced(14, 1), { day, stream: 2, minute: 780 }],
    [
      'of freed places the lowest stream, then the earliest',
      filledSlots(day, 25).toSpliced(14, 1).toSpliced(3, 1).toSpliced(7, 1),
      { day, stream: 1, minute: 750 },
    ],
  ])('%s', (_, taken, place) => {
    expect(planOf({ from, taken }).slot).toEqual(place);
  });

  it.each([
    [0, '2017-02-16T11:00:00+02:00'],
    [754, '2017-02-16T11:12:34+02:00'],
    [9_999, '2017-02-16T11:29:59+02:00'],
  ])('begins %d random seconds later', (random, start) => {
    expect(startOf({ from, random })).toBe(start);
  });

  it.each([
    ['2017-02-16T10:59:59.999999+02:00', false],
    ['2017-02-16T11:00:00+02:00', true],
    ['2017-02-16T11:29:59.999999+02:00', true],
    ['2017-02-16T11:30:00+02:00', false],
    ['2017-02-17T11:00:00+02:00', false],
  ])('holds %s: %s', (start, held) => {
    expect(isWithinSlot(instantOf(start), { day, stream: 1, minute: 660 })).toBe(held);
  });
});

describe('planAuction: quick (tenders.md 9.3)', () => {
  it.each([
    ['on to the quarter of an hour', '2017-02-15T18:00:00+02:00', 0, '2017-02-15T18:15:00+02:00'],
    ['a quarter stays one', '2017-02-15T18:03:00+02:00', 0, '2017-02-15T18:15:00+02:00'],
    ['a moment later is the next', '2017-02-15T18:03:00.000001+02:00', 0, '2017-02-15T18:30:00+02:00'],
    ['with a random part', '2017-02-15T18:00:00+02:00', 61, '2017-02-15T18:16:01+02:00'],
    ['at night and on a Saturday', '2017-02-18T02:00:00+02:00', 0, '2017-02-18T02:15:00+02:00'],
  ])('%s', (_, from, random, start) => {
    const plan = planOf({ from, quick: true, random });
    expect(formatLocalDate(plan.start)).toBe(start);
    expect(plan.slot).toBeUndefined();
  });

  it('begins exactly so much later where the setting says so', () => {
    const asked = {
      from: '2017-02-15T18:00:00.250000+02:00',
      quick: true,
      random: 1_000,
      settings: { quickSeconds: 60 },
    };
    expect(startOf(asked)).toBe('2017-02-15T18:01:00.250000+02:00');
  });
});

describe('planAuction over many tenders', () => {
  const first = instantOf('2026-10-20T00:00:00+03:00');
  const calendar = readCalendar('{"daysOff": ["2026-10-26"], "workdays": ["2026-10-24"]}');
  const settings = planSettings({ streams: 2, dayEndMinute: 13 * 60, calendar });
  const step = fc.record({
    earliestSeconds: fc.nat(5 * 86_400),
    nowSeconds: fc.nat(5 * 86_400),
    quick: fc.nat(9).map((dice) => dice === 0),
    random: fc.nat(1_799),
    /** Which earlier plan gives its place back before. */
    frees: fc.option(fc.nat(200), { nil: undefined }),
  });

  it('no two share a place; each begins in its own, on a working day, in the future and not too early', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const taken: Slot[] = [];
        for (const { earliestSeconds, nowSeconds, quick, random, frees } of steps) {
          if (frees !== undefined && frees < taken.length) taken.splice(frees, 1);
          const shouldStartAfter = addMicros(first, earliestSeconds * SECOND);
          const now = addMicros(first, nowSeconds * SECOND);
          const { start, slot } = run(
            planAuction({ shouldStartAfter, now, quick }, settings, () => random),
            taken,
          );
          expect(start).toBeGreaterThan(shouldStartAfter);
          expect(start).toBeGreaterThan(now);
          expect(slot === undefined).toBe(quick);
          if (slot === undefined) continue;
          expect(isWithinSlot(start, slot)).toBe(true);
          expect(wallTime(start).date).toBe(slot.day);
          expect(isWeekend(slot.day) || calendar.daysOff.has(slot.day)).toBe(false);
          expect(slot.minute).toBeGreaterThanOrEqual(660);
          expect(slot.minute).toBeLessThan(780);
          expect([1, 2]).toContain(slot.stream);
          expect(taken).not.toContainEqual(slot);
          taken.push(slot);
        }
      }),
    );
  });
});
