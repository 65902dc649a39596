import { describe, expect, it } from 'vitest';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { addWorkingDays, isWorkingDay, NO_HOLIDAYS, readCalendar } from './calendar.ts';

const january = readCalendar('{"daysOff": ["2026-01-01", "2026-01-07"], "workdays": ["2026-01-10"]}');

describe('isWorkingDay (bids-awards-auction.md 3.5)', () => {
  it.each([
    ['a Friday', '2026-11-20', true],
    ['a Saturday', '2026-11-21', false],
    ['a Sunday', '2026-11-22', false],
    ['a holiday in the week', '2026-01-07', false],
    ['a Saturday that is a working day', '2026-01-10', true],
    ['the Sunday after it', '2026-01-11', false],
  ])('%s', (_, date, worked) => {
    expect(isWorkingDay(date, january)).toBe(worked);
  });

  it('treats a date in both lists as a day off', () => {
    const both = readCalendar('{"daysOff": ["2026-01-10"], "workdays": ["2026-01-10"]}');
    expect(isWorkingDay('2026-01-10', both)).toBe(false);
  });
});

describe('addWorkingDays (bids-awards-auction.md 3.5 and 7)', () => {
  it.each([
    ['Thursday to Monday', '2016-07-21T17:18:08.600122+03:00', 2, '2016-07-25T17:18:08.600122+03:00'],
    ['Saturday starts on Monday at 00:00', '2017-02-18T15:00:00+02:00', 2, '2017-02-22T00:00:00+02:00'],
    ['Sunday just before midnight', '2017-02-19T23:59:59.999999+02:00', 1, '2017-02-21T00:00:00+02:00'],
    ['no days from a working day', '2017-02-17T15:00:00+02:00', 0, '2017-02-17T15:00:00+02:00'],
    ['no days from a day off', '2017-02-18T15:00:00+02:00', 0, '2017-02-20T00:00:00+02:00'],
    ['the day is the local day of the service zone', '2017-02-17T22:30:00Z', 1, '2017-02-21T00:00:00+02:00'],
    ['into summer time, the local time stays', '2026-03-27T11:00:00+02:00', 1, '2026-03-30T11:00:00+03:00'],
    ['into winter time, the local time stays', '2026-10-23T11:00:00+03:00', 1, '2026-10-26T11:00:00+02:00'],
  ])('%s', (_, from, days, then) => {
    expect(addWorkingDays(parseInstant(from), days, NO_HOLIDAYS)).toBe(parseInstant(then));
  });

  it.each([
    ['over a holiday', '2026-01-06T10:00:00+02:00', 1, '2026-01-08T10:00:00+02:00'],
    ['from a holiday', '2026-01-07T10:00:00+02:00', 1, '2026-01-09T00:00:00+02:00'],
    ['onto a Saturday that is a working day', '2026-01-09T10:00:00+02:00', 1, '2026-01-10T10:00:00+02:00'],
    ['from a Saturday that is a working day', '2026-01-10T10:00:00+02:00', 1, '2026-01-12T10:00:00+02:00'],
  ])('%s (calendar file)', (_, from, days, then) => {
    expect(addWorkingDays(parseInstant(from), days, january)).toBe(parseInstant(then));
  });
});

describe('readCalendar', () => {
  it('accepts a file with only one of the lists', () => {
    expect(readCalendar('{"daysOff": ["2026-01-01"]}').workdays.size).toBe(0);
    expect(readCalendar('{}')).toEqual(NO_HOLIDAYS);
  });

  it.each([
    ['', 'JSON'],
    ['[]', 'expected object'],
    ['{"daysoff": []}', 'daysoff'],
    ['{"daysOff": ["2026-02-30"]}', 'daysOff'],
    ['{"workdays": ["10.1.2026"]}', 'workdays'],
  ])('refuses %s', (text, named) => {
    expect(() => readCalendar(text)).toThrow(named);
  });
});
