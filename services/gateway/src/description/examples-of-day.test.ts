import { parseDateTime, type Instant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { examplesOfDay } from './examples-of-day.ts';

const RECORDED_AT = '2026-05-04T10:00:00.000000+03:00';

function movedTo(now: string, response: unknown): unknown {
  const today = parseDateTime(now)?.instant ?? (0 as Instant);
  return examplesOfDay({ getTender: { response } }, RECORDED_AT, today)['getTender']?.response;
}

describe('examplesOfDay', () => {
  it.each([
    ['a time, in the offset of its new day', '2026-05-14T10:01:00.000000+03:00', '2026-12-02T09:01:00.000000+02:00'],
    ['an offset of the feed', '1777878900.000000', '1795331700.000000'],
    ['an offset in an address', '/tenders?offset=1777878900.000000', '/tenders?offset=1795331700.000000'],
    ['the number of a tender', 'UA-2026-05-04-000001.1', 'UA-2026-11-22-000001.1'],
    ['not what is earlier than the recordings', '2026-03-02T10:00:00.482000+02:00', '2026-03-02T10:00:00.482000+02:00'],
    ['not an earlier position', '1772439300.482000', '1772439300.482000'],
    ['not an amount', 1777878900.25, 1777878900.25],
    ['not an identifier', '17778789001777878900177787890017', '17778789001777878900177787890017'],
  ])('moves %s', (_what, recorded, expected) => {
    expect(movedTo('2026-11-22T14:00:00+02:00', { data: { recorded } })).toEqual({ data: { recorded: expected } });
  });

  it('begins on the day before until the time of day of the recordings has come', () => {
    const time = '2026-05-04T10:00:00.000000+03:00';
    expect(['2026-06-01T09:59:00+03:00', '2026-06-01T10:00:00+03:00'].map((now) => movedTo(now, time))).toEqual([
      '2026-05-31T10:00:00.000000+03:00',
      '2026-06-01T10:00:00.000000+03:00',
    ]);
  });
});
