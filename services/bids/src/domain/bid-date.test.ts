import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { bidDate } from './bid-date.ts';

const at = (time: string) => parseInstant(`2026-05-20T${time}+03:00`);
const tender = { tenderPeriod: { endDate: '2026-05-20T18:00:00+03:00' } };

describe('bidDate', () => {
  it.each([
    ['now, for the first bid', '10:00:00', undefined, '10:00:00'],
    ['now, after earlier dates', '10:00:00.000001', '10:00:00', '10:00:00.000001'],
    ['a microsecond later, for the same instant', '10:00:00', '10:00:00', '10:00:00.000001'],
    ['a microsecond after the last date, when the clock is behind it', '10:00:00', '10:00:05', '10:00:05.000001'],
    ['the end of the period at the latest', '17:59:58', '17:59:59.999999', '18:00:00'],
    ['not after the end of the period', '17:59:58', '18:00:00', '18:00:00'],
    ['a microsecond later, after the end of the period', '18:00:01', '18:00:03', '18:00:03.000001'],
  ])('is %s', (_, now, last, expected) => {
    expect(bidDate(at(now), last === undefined ? undefined : at(last), tender)).toBe(at(expected));
  });
});
