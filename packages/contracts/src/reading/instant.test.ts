import { describe, expect, it } from 'vitest';
import {
  addMicros,
  DAY,
  daysLater,
  formatLocalDate,
  formatServerDate,
  HOUR,
  instantAt,
  parseInstant,
  isWeekend,
  midnightAtOrAfter,
  MINUTE,
  parseDateTime,
  readDateTime,
  wallTime,
  type Instant,
} from './instant.ts';

describe('parseDateTime (tenders.md 11.3)', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00+02:00'],
    ['2026-05', '2026-05-01T00:00:00+03:00'],
    ['2026-05-01', '2026-05-01T00:00:00+03:00'],
    ['20260501', '2026-05-01T00:00:00+03:00'],
    ['2026-05-01T18', '2026-05-01T18:00:00+03:00'],
    ['2026-05-01 18:30', '2026-05-01T18:30:00+03:00'],
    ['2026-05-01T183015', '2026-05-01T18:30:15+03:00'],
    ['2026-05-01T18:30:15.5', '2026-05-01T18:30:15.500000+03:00'],
    ['2026-05-01T18:30:15,1234567', '2026-05-01T18:30:15.123456+03:00'],
    ['2026-05-01T18:30:15.000000', '2026-05-01T18:30:15+03:00'],
    ['2026-05-01T18:30:15Z', '2026-05-01T18:30:15+00:00'],
    ['2026-05-01T18:30:15+02', '2026-05-01T18:30:15+02:00'],
    ['2026-05-01T18:30:15-0530', '2026-05-01T18:30:15-05:30'],
    ['2026-12-01T18:30:15', '2026-12-01T18:30:15+02:00'],
    ['2026-10-25T03:30:00', '2026-10-25T03:30:00+02:00'],
    ['2026-10-25T02:59:59', '2026-10-25T02:59:59+03:00'],
    ['2024-02-29', '2024-02-29T00:00:00+02:00'],
  ])('%s becomes %s', (given, text) => {
    expect(parseDateTime(given)?.text).toBe(text);
  });

  it.each([
    'soon',
    '',
    '2026-13-01',
    '2026-02-29',
    '2026-05-01T24:00',
    '2026-05-01T10:60',
    '12',
    '2026-5-1',
    '20265',
    '202605',
    '2026-05-01T10:00+25:00',
  ])('rejects %s', (given) => {
    expect(readDateTime(given)).toBeUndefined();
  });

  it('reads a text again as it did before, of whatever length', () => {
    const texts = [
      '2026-05-01T18:30:15Z',
      'soon',
      '9999-12-31T23:59:59-03:00',
      `2026-05-01T18:30:15.${'1'.repeat(60)}Z`,
    ];
    const first = texts.map(readDateTime);
    expect(texts.map(readDateTime)).toEqual(first);
    expect(first.map((date) => (typeof date === 'object' ? date.text : date))).toEqual([
      '2026-05-01T18:30:15+00:00',
      undefined,
      'out-of-range',
      '2026-05-01T18:30:15.111111+00:00',
    ]);
  });

  it.each([
    '0001-01-01T00:00:00+03:00',
    '9999-12-31T23:59:59-03:00',
    '9999-12-31T23:30:00Z',
    '9999-12-31T23:59:59.999999',
    '9999-12-31T23:59:59.999999+03:00',
  ])('finds %s out of the years 1 to 9999', (given) => {
    expect(readDateTime(given)).toBe('out-of-range');
  });

  it('reads the last second of the calendar of the service zone', () => {
    expect(parseDateTime('9999-12-31T23:59:59')?.text).toBe('9999-12-31T23:59:59+02:00');
  });

  it('agrees with Date over four centuries', () => {
    for (let day = -60_000; day < 90_000; day += 13) {
      const iso = new Date(day * 86_400_000 + 3_723_000).toISOString();
      expect(parseDateTime(iso)?.instant).toBe((day * 86_400 + 3_723) * 1_000_000);
      expect(parseDateTime(iso)?.text).toBe(iso.replace(/\.000Z$/, '+00:00'));
    }
  });
});

describe('formatServerDate', () => {
  it('writes the service zone and always six digits', () => {
    expect(formatServerDate(parseInstant('2026-05-12T11:00:00.396982Z'))).toBe('2026-05-12T14:00:00.396982+03:00');
    expect(formatServerDate(parseInstant('2026-01-12T11:00:00Z'))).toBe('2026-01-12T13:00:00.000000+02:00');
    expect(formatServerDate(0 as Instant)).toBe('1970-01-01T03:00:00.000000+03:00');
  });
});

describe('a date computed from the last days of the calendar', () => {
  it.each(['9999-12-31T23:59:59', '9999-12-31T10:00:00', '9999-12-31T12:00:00-02:00'])('is in it: from %s', (text) => {
    const { instant, text: stored = '' } = parseDateTime(text) ?? {};
    const later = addMicros(instant as Instant, 100 * DAY);
    for (const computed of [midnightAtOrAfter(stored), formatServerDate(later), formatLocalDate(later)]) {
      expect(readDateTime(computed)).toMatchObject({ text: expect.stringMatching(/^9999-12-31T/) });
    }
  });
});

describe('wallTime and instantAt', () => {
  it.each([
    ['2026-05-01T23:30:00Z', '2026-05-02', 2 * HOUR + 30 * MINUTE],
    ['2026-12-01T21:59:59.999999Z', '2026-12-01', 24 * HOUR - 1],
    ['2026-10-25T01:30:00Z', '2026-10-25', 3 * HOUR + 30 * MINUTE],
    ['1969-12-31T12:00:00Z', '1969-12-31', 15 * HOUR],
  ])('%s is on %s, and converts back', (text, date, timeOfDay) => {
    expect(wallTime(parseInstant(text))).toEqual({ date, timeOfDay });
    expect(instantAt(date, timeOfDay)).toBe(parseInstant(text));
  });

  it('moves a time that is skipped in spring one hour later', () => {
    expect(instantAt('2026-03-29', 3 * HOUR + 30 * MINUTE)).toBe(parseInstant('2026-03-29T04:30:00+03:00'));
  });
});

describe('calendar days', () => {
  it.each([
    ['2026-12-31', 1, '2027-01-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-03-01', -1, '2026-02-28'],
  ])('%s and %d', (date, days, then) => {
    expect(daysLater(date, days)).toBe(then);
  });

  it.each([
    ['2026-11-20', false],
    ['2026-11-21', true],
    ['2026-11-22', true],
    ['2026-11-23', false],
    ['1969-12-27', true],
    ['1969-12-29', false],
  ])('%s is a weekend day: %s', (date, weekend) => {
    expect(isWeekend(date)).toBe(weekend);
  });
});
