import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { askedExport, dueExports, EXPORT_NAME, type ExportableRange } from './export-schedule.ts';

const at = (text: string): bigint => BigInt(parseInstant(text));
/** Wednesday to Sunday; the clock changes on that Sunday. */
const RANGE: ExportableRange = {
  reached: at('2026-03-29T04:00:00+03:00'),
  followedFrom: at('2026-03-25T10:00:00+02:00'),
  first: at('2026-01-01T10:00:00+02:00'),
  projected: undefined,
};
const OCDS_RANGE: ExportableRange = { ...RANGE, projected: RANGE.reached };

describe('dueExports', () => {
  it('plans every day that has ended, and the newest Sunday; the first from where publications are here, of the archive from the beginning', () => {
    const plans = dueExports(RANGE, {});
    expect(plans.map(({ name }) => name)).toEqual([
      'tenders-2026-03-29',
      ...['25', '26', '27', '28'].map((day) => `revisions-2026-03-${day}`),
      ...['25', '26', '27', '28'].map((day) => `changes-2026-03-${day}`),
    ]);
    expect(plans[0]).toMatchObject({ from: undefined, to: at('2026-03-29T00:00:00+02:00') });
    expect(plans[1]).toMatchObject({ from: undefined, to: at('2026-03-26T00:00:00+02:00') });
    expect(plans[2]).toMatchObject({ from: plans[1]?.to, to: at('2026-03-27T00:00:00+02:00') });
    expect(plans[5]).toMatchObject({ name: 'changes-2026-03-25', from: RANGE.followedFrom });
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
    expect(plans.find(({ kind }) => kind === 'revisions')).toMatchObject({
      name: 'revisions-2026-03-25',
      from: at('2026-03-02T00:00:00+02:00'),
    });
  });

  it('plans no complete export of a time from which tenders are missing', () => {
    const plans = dueExports({ ...RANGE, followedFrom: at('2026-03-29T01:00:00+02:00') }, {});
    expect(plans.filter(({ kind }) => kind === 'tenders')).toEqual([]);
  });
});

describe('dueExports of releases and records', () => {
  const selectOcds = (range: ExportableRange, lastDays = {}) =>
    dueExports(range, lastDays).filter(({ kind }) => kind === 'releases' || kind === 'records');

  it('are planned where releases are made, the first file with all releases until then', () => {
    expect(selectOcds(RANGE)).toEqual([]);
    const plans = selectOcds(OCDS_RANGE);
    expect(plans.map(({ name }) => name)).toEqual([
      ...['25', '26', '27', '28'].map((day) => `releases-2026-03-${day}`),
      'records-2026-03-29',
    ]);
    expect(plans[0]).toMatchObject({ from: undefined, to: at('2026-03-26T00:00:00+02:00') });
    expect(plans[1]).toMatchObject({ from: plans[0]?.to });
    expect(plans.at(-1)).toMatchObject({ from: undefined, to: at('2026-03-29T00:00:00+02:00') });
  });

  it('wait until the day is projected', () => {
    const projected = at('2026-03-29T00:00:00+02:00') - 1n;
    const names = selectOcds({ ...OCDS_RANGE, projected }, { releases: '2026-03-26' }).map(({ name }) => name);
    expect(names).toEqual(['releases-2026-03-27']);
  });

  it('leave out no day, also when publications of it are not here', () => {
    const plans = selectOcds(OCDS_RANGE, { releases: '2026-03-01', records: '2026-03-29' });
    expect(plans[0]).toMatchObject({ name: 'releases-2026-03-02', from: at('2026-03-02T00:00:00+02:00') });
    expect(plans.map(({ to }) => to).slice(0, -1)).toEqual(plans.slice(1).map(({ from }) => from));
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

  it('has all releases until now, where any are made', () => {
    const name = `releases-2026-03-29-${RANGE.reached}`;
    expect(askedExport('releases', undefined, OCDS_RANGE)).toMatchObject({ name, from: undefined, to: RANGE.reached });
    expect(askedExport('records', '2026-03-28', OCDS_RANGE)).toMatchObject({ to: at('2026-03-28T00:00:00+02:00') });
    expect(askedExport('releases', undefined, RANGE)).toHaveProperty('refused');
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
