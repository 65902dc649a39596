import { describe, expect, it } from 'vitest';
import { planBaselines, planPublications, type Progress, type PublishedRow } from './page-plan.ts';

const sha256 = 'ab'.repeat(32);
const progress: Progress = { phase: 'follows', position: 10, number: 4, epoch: 1, redaction: 0 };

function row(position: number, number: number | undefined, changes: Partial<PublishedRow> = {}): PublishedRow {
  return { position, id: 'a'.repeat(32), rev: position, listed: true, bytes: 3, sha256, number, ...changes };
}

const unlisted = (position: number): PublishedRow =>
  row(position, undefined, { listed: false, bytes: 0, sha256: undefined });

describe('planPublications', () => {
  it('makes an entry of each listed row, and moves past drafts', () => {
    const plan = planPublications(progress, [row(11, 5), unlisted(12), row(13, 6), unlisted(14)]);
    expect(plan).toMatchObject({
      position: 14,
      number: 6,
      drafts: [
        { position: 11, number: 5 },
        { position: 13, number: 6 },
      ],
    });
  });

  it('takes any greater number first after the log began, or after a hole', () => {
    expect(planPublications({ ...progress, phase: 'begins' }, [row(11, 9), row(12, 10)])).toMatchObject({ number: 10 });
    expect(planPublications({ ...progress, phase: 'begins', number: undefined }, [row(11, 9)])).toMatchObject({
      number: 9,
    });
  });

  it.each([
    ['an older position', progress, [row(10, 5)], 'publication 10 is not after 10'],
    ['a doubled row', progress, [row(11, 5), row(11, 6)], 'publication 11 is not after 11'],
    ['a number that is left out', progress, [row(11, 6)], 'has number 6 after 4'],
    ['a number that comes again', progress, [row(11, 5), row(12, 5)], 'has number 5 after 5'],
    ['a smaller number after a hole', { ...progress, phase: 'begins' } as const, [row(11, 4)], 'has number 4 after 4'],
    ['a row without a number', progress, [row(11, undefined)], 'has no number'],
    ['a row without a digest', progress, [row(11, 5, { sha256: undefined })], 'has no digest'],
    ['a digest of another length', progress, [row(11, 5, { sha256: 'ab' })], 'has no digest'],
    ['a text of no length', progress, [row(11, 5, { bytes: 0 })], 'has no digest'],
  ])('refuses the page for %s', (_what, at, rows, text) => {
    expect(planPublications(at, rows)).toEqual({ refused: expect.stringContaining(text) });
  });
});

describe('planBaselines', () => {
  it('makes an entry of each listed tender, without a number', () => {
    const plan = planBaselines({ ...progress, phase: 'listing' }, [row(11, undefined), unlisted(12)]);
    expect(plan).toMatchObject({ position: 12, number: 4, drafts: [{ kind: 'baseline', position: 11 }] });
  });

  it('refuses rows that are not in order', () => {
    expect(planBaselines(progress, [row(9, undefined)])).toEqual({ refused: 'publication 9 is not after 10' });
  });
});
