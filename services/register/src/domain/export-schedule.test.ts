import { instantOf } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { askedExport, dueExports, EXPORT_NAME, type ExportableRange } from './export-schedule.ts';

const at = (text: string): bigint => BigInt(instantOf(text));
/** Wednesday to Sunday; the clock changes on that Sunday. */
const RANGE: ExportableRange = {
  reached: at('2026-03-29T04:00:00+03:00'),
  followedFrom: at('2026-03-25T10:00:00+02:00'),
  first: at('2026-01-01T10:00:00+02:00'),
};

describe('dueExports', () => {
  it('plans every day that has ended, the first from where publications are here, and the newest Sunday', () => {
    const plans = dueExports(RANGE, {});
    expect(plans.map(({ name }) => name)).toEqual([
      'tenders-2026-03-29',
      ...['25', '26', '27', '28'].map((day) => `revisions-2026-03-${day}`),
      ...['25', '26', '27', '28'].map((day) => `changes-2026-03-${day}`),
    ]);
    expect(plans[0]).toMatchObject({ from: undefined, to: at('2026-03-29T00:00:00+02:00') });
    expect(plans[1]).toMatchObject({ from: RANGE.followedFrom, to: at('2026-03-26T00:00:00+02:00') });
    expect(plans[2]).toMatchObject({ from: plans[1]?.to, to: at('2026-03-27T00:00:00+02:00') });
  });

  it('plans a day only when nothing of it can come any more', () => {
    const midnight = at('2026-03-29T00:00:00+02:00');
    const lastDays = { revisions: '2026-03-27', changes: '2026-03-27', tenders: '2026-03-22' };
    expect(dueExports({ ...RANGE, reached: midnight - 1n }, lastDays)).toEqual([]);
    expect(dueExports({ ...RANGE, reached: midnight }, lastDays).map(({ name }) => name)).toEqual([
      'tenders-2026-03-29',
      'revisions-2026-03-28',
      'changes-2026-03-28',
    ]);
  });

  it('leaves out days whose publications were lost while the register was away', () => {
    const plans = dueExports(RANGE, { revisions: '2026-03-01' });
    expect(plans.find(({ kind }) => kind === 'revisions')?.name).toBe('revisions-2026-03-25');
  });

  it('plans no complete export of a time from which tenders are missing', () => {
    const plans = dueExports({ ...RANGE, followedFrom: at('2026-03-29T01:00:00+02:00') }, {});
    expect(plans.filter(({ kind }) => kind === 'tenders')).toEqual([]);
  });
});

describe('askedExport', () => {
  it('is a day, or everything until now under a name of its own', () => {
    expect(askedExport('changes', '2026-03-28', RANGE)).toMatchObject({ name: 'changes-2026-03-28' });
    expect(askedExport('tenders', undefined, RANGE)).toEqual({
      name: `tenders-2026-03-29-${RANGE.reached}`,
      kind: 'tenders',
      from: undefined,
      to: RANGE.reached,
    });
    expect(`tenders-2026-03-29-${RANGE.reached}`).toMatch(EXPORT_NAME);
  });

  it.each([
    ['changes', '2026-03-29'],
    ['tenders', '2026-03-30'],
    ['tenders', '2026-03-25'],
    ['changes', '2026-03-24'],
  ] as const)('refuses %s of %s', (kind, day) => {
    expect(askedExport(kind, day, RANGE)).toHaveProperty('refused');
  });
});
