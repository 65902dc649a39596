import {
  addMicros,
  formatLocalDate,
  parseInstant,
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

function buildPlan({
  from,
  now = '2017-02-01T00:00:00+02:00',
  quick = false,
  settings,
  taken = [],
  random = 0,
}: PlanOptions) {
  const request = { shouldStartAfter: parseInstant(from), now: parseInstant(now), quick };
  return run(
    planAuction(request, planSettings(settings), (max) => Math.min(random, max)),
    taken,
  );
}

function run(search: ReturnType<typeof planAuction>, taken: readonly Slot[]): Plan {
  let step = search.next();
  while (step.done !== true) {
    const day = step.value;
    step = search.next(new Set(taken.filter((slot) => slot.day === day).map(slotKey)));
  }
  return step.value;
}

const plannedStart = (options: PlanOptions): string => formatLocalDate(buildPlan(options).start);

/** The first `count` slots of a day, in the order in which they are taken. */
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
    ['Friday 00:00 on Friday', '2017-02-17T00:00:00+02:00', '2017-02-17T11:00:00+02:00'],
    ['Friday 10:30 on Monday, 11:30 not being before 11:00', '2017-02-17T10:30:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['Friday 10:00 on Monday, 11:00 not being before 11:00', '2017-02-17T10:00:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['Friday 09:59:59 on Friday', '2017-02-17T09:59:59+02:00', '2017-02-17T11:00:00+02:00'],
    ['Thursday 23:30 on Friday', '2017-02-16T23:30:00+02:00', '2017-02-17T11:00:00+02:00'],
    ['Friday 23:30 on Monday', '2017-02-17T23:30:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['Saturday 00:00 on Monday', '2017-02-18T00:00:00+02:00', '2017-02-20T11:00:00+02:00'],
    ['in the UTC offset of that day', '2017-03-27T00:00:00+03:00', '2017-03-27T11:00:00+03:00'],
    ['an instant in another offset, by local time', '2017-02-17T00:00:00Z', '2017-02-17T11:00:00+02:00'],
  ])('%s', (_, from, start) => {
    expect(plannedStart({ from })).toBe(start);
  });

  it('plans from now when shouldStartAfter has passed', () => {
    const options = { from: '2017-02-16T00:00:00+02:00', now: '2017-02-16T10:30:00+02:00' };
    expect(plannedStart(options)).toBe('2017-02-17T11:00:00+02:00');
  });

  it('skips holidays, and weekends even if they are working days', () => {
    const calendar = readCalendar('{"daysOff": ["2017-02-17"], "workdays": ["2017-02-18"]}');
    const options = { from: '2017-02-17T00:00:00+02:00', settings: { calendar } };
    expect(plannedStart(options)).toBe('2017-02-20T11:00:00+02:00');
  });

  it('starts the day at dayStartMinute', () => {
    const settings = { dayStartMinute: 9 * 60 + 30 };
    expect(plannedStart({ from: '2017-02-16T08:29:59+02:00', settings })).toBe('2017-02-16T09:30:00+02:00');
    expect(plannedStart({ from: '2017-02-16T08:30:00+02:00', settings })).toBe('2017-02-17T09:30:00+02:00');
  });
});

describe('planAuction: the slot (bids-awards-auction.md 2.10 and 7)', () => {
  const day = '2017-02-16';
  const from = '2017-02-16T00:00:00+02:00';

  it.each([
    ['the first of a day', filledSlots(day, 0), { day, stream: 1, minute: 660 }],
    ['the tenth of a day', filledSlots(day, 9), { day, stream: 1, minute: 930 }],
    ['the eleventh is in the second stream', filledSlots(day, 10), { day, stream: 2, minute: 660 }],
    ['the hundredth of a day', filledSlots(day, 99), { day, stream: 10, minute: 930 }],
    ['a full day moves to the next', filledSlots(day, 100), { day: '2017-02-17', stream: 1, minute: 660 }],
    [
      'two full days move over the weekend',
      [...filledSlots(day, 100), ...filledSlots('2017-02-17', 100)],
      { day: '2017-02-20', stream: 1, minute: 660 },
    ],
    ['a freed slot first', filledSlots(day, 25).toSpliced(14, 1), { day, stream: 2, minute: 780 }],
    [
      'of freed slots the lowest stream, then the earliest',
      filledSlots(day, 25).toSpliced(14, 1).toSpliced(3, 1).toSpliced(7, 1),
      { day, stream: 1, minute: 750 },
    ],
  ])('%s', (_, taken, slot) => {
    expect(buildPlan({ from, taken }).slot).toEqual(slot);
  });

  it.each([
    [0, '2017-02-16T11:00:00+02:00'],
    [754, '2017-02-16T11:12:34+02:00'],
    [9_999, '2017-02-16T11:29:59+02:00'],
  ])('starts %d random seconds later, within the half hour', (random, start) => {
    expect(plannedStart({ from, random })).toBe(start);
  });

  it.each([
    ['2017-02-16T10:59:59.999999+02:00', false],
    ['2017-02-16T11:00:00+02:00', true],
    ['2017-02-16T11:29:59.999999+02:00', true],
    ['2017-02-16T11:30:00+02:00', false],
    ['2017-02-17T11:00:00+02:00', false],
  ])('isWithinSlot %s: %s', (start, expected) => {
    expect(isWithinSlot(parseInstant(start), { day, stream: 1, minute: 660 })).toBe(expected);
  });
});

describe('planAuction: quick (tenders.md 9.3)', () => {
  it.each([
    ['rounds up to a quarter of an hour', '2017-02-15T18:00:00+02:00', 0, '2017-02-15T18:15:00+02:00'],
    ['keeps an exact quarter', '2017-02-15T18:03:00+02:00', 0, '2017-02-15T18:15:00+02:00'],
    ['one microsecond later is the next quarter', '2017-02-15T18:03:00.000001+02:00', 0, '2017-02-15T18:30:00+02:00'],
    ['with a random part', '2017-02-15T18:00:00+02:00', 61, '2017-02-15T18:16:01+02:00'],
    ['at night and on a Saturday', '2017-02-18T02:00:00+02:00', 0, '2017-02-18T02:15:00+02:00'],
  ])('%s', (_, from, random, start) => {
    const plan = buildPlan({ from, quick: true, random });
    expect(formatLocalDate(plan.start)).toBe(start);
    expect(plan.slot).toBeUndefined();
  });

  it('starts exactly quickSeconds later when they are set', () => {
    const options = {
      from: '2017-02-15T18:00:00.250000+02:00',
      quick: true,
      random: 1_000,
      settings: { quickSeconds: 60 },
    };
    expect(plannedStart(options)).toBe('2017-02-15T18:01:00.250000+02:00');
  });
});

describe('planAuction over many tenders', () => {
  const first = parseInstant('2026-10-20T00:00:00+03:00');
  const calendar = readCalendar('{"daysOff": ["2026-10-26"], "workdays": ["2026-10-24"]}');
  const settings = planSettings({ streams: 2, dayEndMinute: 13 * 60, calendar });
  const step = fc.record({
    earliestSeconds: fc.nat(5 * 86_400),
    nowSeconds: fc.nat(5 * 86_400),
    quick: fc.nat(9).map((dice) => dice === 0),
    random: fc.nat(1_799),
    /** Index of the earlier plan that is freed before. */
    frees: fc.option(fc.nat(200), { nil: undefined }),
  });

  it('never shares a slot; every start lies in its slot, on an auction day, after now and shouldStartAfter', () => {
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
