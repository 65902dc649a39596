import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { readParameters } from '../../requests/domain/parameters.ts';
import { isOverlapping, STATISTICS_PARAMETERS, statisticsQuestion } from './statistics-parameters.ts';

const NOW = parseInstant('2026-03-31T10:00:00+03:00');

function read(query: string) {
  const reading = readParameters(query, STATISTICS_PARAMETERS);
  return 'refused' in reading ? reading : statisticsQuestion(reading.parameters, NOW);
}

function question(query: string) {
  const reading = read(query);
  if ('refused' in reading) throw new Error(JSON.stringify(reading.refused));
  return reading.question;
}

describe('the range of statistics', () => {
  it.each([
    ['by=month', '2025-04-01', '2026-03-31', '2025-04', '2026-03'],
    ['by=method&from=2026-01-15&to=2026-02-01', '2026-01-01', '2026-02-28', '2026-01', '2026-02'],
    ['by=buyer&to=2024-02-10', '2023-03-01', '2024-02-29', '2023-03', '2024-02'],
    ['by=day', '2026-03-01', '2026-03-31', '2026-03-01', '2026-03-31'],
    ['by=day&from=2025-03-31', '2025-03-31', '2026-03-31', '2025-03-31', '2026-03-31'],
  ])('of %s is %s to %s', (query, from, to, fromPeriod, toPeriod) => {
    expect(question(query)).toMatchObject({ from, to, fromPeriod, toPeriod });
  });
});

describe('parameters of statistics', () => {
  it.each([
    ['', 'params.invalid', 'by'],
    ['by=week', 'params.invalid', 'by'],
    ['by=day&from=2025-03-30', 'params.invalid', 'from'],
    ['by=month&from=2026-05-01', 'params.invalid', 'from'],
    ['by=month&from=2026-02-30', 'params.invalid', 'from'],
    ['by=day&cpv=30', 'params.conflict', 'cpv'],
    ['by=month&buyer=1', 'params.conflict', 'buyer'],
    ['by=month&limit=5', 'params.conflict', 'limit'],
    ['by=month&cpvDigits=3', 'params.conflict', 'cpvDigits'],
    ['by=cpv&cpvDigits=3&method=x', 'params.conflict', 'method'],
    ['by=cpv&cpvDigits=3&cpv=3019', 'params.invalid', 'cpv'],
    ['by=month&cpv=301', 'params.invalid', 'cpv'],
    ['by=buyer&sort=price', 'params.invalid', 'sort'],
    ['by=buyer&word=x', 'params.unknown', 'word'],
  ])('refuse %s', (query, code, name) => {
    expect(read(query)).toMatchObject({ refused: { code, errors: [{ name }] } });
  });

  it('are marked when tenders may be counted more than once', () => {
    const overlapping = ['by=cpv', 'by=region', 'by=month&cpv=30,31'].map((query) => isOverlapping(question(query)));
    expect(overlapping).toEqual([true, true, true]);
    expect(['by=month&cpv=30', 'by=day', 'by=buyer'].map((query) => isOverlapping(question(query)))).not.toContain(
      true,
    );
  });
});
