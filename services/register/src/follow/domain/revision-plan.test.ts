import { describe, expect, it } from 'vitest';
import type { KnownTenders, Publication, PublicationSource } from '../../revisions/domain/publication.ts';
import { REVISION_FLAGS } from '../../revisions/domain/revision-flags.ts';
import { parseText, type DerivedText, type TextReading } from './read-text.ts';
import { planRevisions, type RevisionPlan } from './revision-plan.ts';

const FOLLOWED = { baseline: false, unread: false } as const;
const LISTED = { baseline: true, unread: false } as const;
const NOTHING: KnownTenders = new Map();

function formatTender(members: object): string {
  const tender = { id: 'a', tenderID: 'UA-1', dateModified: '2026-05-21T12:00:00+03:00', status: 'active', ...members };
  return JSON.stringify({ data: tender });
}

function publication(rev: number, members: object = {}, more: Partial<Publication> = {}): Publication {
  const position = 1_779_360_000_000_000 + rev;
  return {
    position,
    previous: position - 1,
    id: 'a',
    rev,
    listed: true,
    isTest: false,
    causes: 2n,
    text: formatTender(members),
    ...more,
  };
}

const DERIVED: DerivedText = {
  summary: '{}',
  hash: '',
  vector: { lexemes: [], text: '' },
  contribution: { method: '', currency: '', outcome: 'active', cpv: [], regions: [] },
};

function readText(text: string): TextReading {
  const size = { bytes: text.length, digest: '' };
  try {
    return { ...size, tender: { ...parseText(text), derived: DERIVED } };
  } catch (error) {
    return { ...size, tender: undefined, error };
  }
}

/** Plans with all texts read. */
function plan(known: KnownTenders, publications: readonly Publication[], source: PublicationSource): RevisionPlan {
  const readings = publications.flatMap((one) => (one.text === undefined ? [] : [[one, readText(one.text)] as const]));
  return planRevisions(known, publications, source, new Map(readings));
}

const unlisted = (rev: number): Publication => publication(rev, {}, { listed: false, text: undefined });
const first = (rev: number): Publication => publication(rev, {}, { isFirst: true });

describe('planRevisions', () => {
  it('adds a revision for each publication, and the tender once, as it is after the last', () => {
    const planned = plan(NOTHING, [publication(1, { title: 'one' }), publication(2, { title: 'two' })], FOLLOWED);
    expect(planned.revisions.map(({ changed, causes, flags }) => [changed, causes, flags])).toEqual([
      [undefined, 2n, 0],
      [['title'], 2n, 0],
    ]);
    expect(planned.revisions[1]?.previousOfTender).toBe(publication(1).position);
    expect(planned.tenders).toMatchObject([{ id: 'a', rev: 2, complete: true, created: publication(1).position }]);
  });

  it('compares with the stored text', () => {
    const { position, rev, text } = publication(3, { title: 'before' });
    const known = { position, rev, created: position, complete: true, body: text };
    const planned = plan(new Map([['a', known]]), [publication(4)], FOLLOWED);
    expect(planned.revisions[0]?.changed).toEqual(['title']);
  });

  it('skips what is stored already', () => {
    const { position, text } = publication(3);
    const known = { position, rev: 3, created: position, complete: true, body: text };
    const planned = plan(new Map([['a', known]]), [publication(3), publication(2)], LISTED);
    expect([planned.revisions, planned.tenders]).toEqual([[], []]);
  });

  it('marks a revision after lost ones', () => {
    const planned = plan(NOTHING, [publication(1), publication(3)], FOLLOWED);
    expect(planned.revisions.map(({ flags }) => flags)).toEqual([0, REVISION_FLAGS.folded]);
    expect(planned.tenders[0]?.complete).toBe(false);
  });

  it.each([
    ['its first publication was seen', [publication(1)], FOLLOWED, true],
    ['what was before its first one were drafts', [first(3)], FOLLOWED, true],
    ['it was a draft again', [first(2), unlisted(3), publication(4)], FOLLOWED, true],
    ['a listing has its first publication', [publication(1)], LISTED, true],
    ['it was met later', [publication(3)], FOLLOWED, false],
    ['a publication after the first was missed', [first(2), publication(4)], FOLLOWED, false],
  ] as const)('a history is whole or not: %s', (_title, publications, source, complete) => {
    expect(plan(NOTHING, publications, source).tenders[0]?.complete).toBe(complete);
  });

  it('marks the first public revision of a draft as nothing else', () => {
    const { revisions } = plan(NOTHING, [first(3)], FOLLOWED);
    expect(revisions.map(({ flags, changed, previousOfTender }) => [flags, changed, previousOfTender])).toEqual([
      [0, undefined, undefined],
    ]);
  });

  it('stores nothing of an unlisted publication of an unknown tender', () => {
    expect(plan(NOTHING, [unlisted(1)], FOLLOWED)).toMatchObject({ revisions: [], tenders: [] });
  });

  it('takes the beginning of enquiries for the creation of a baseline, if it is earlier', () => {
    const enquiryPeriod = { startDate: '2026-05-01T00:00:00+03:00' };
    const [tender] = plan(NOTHING, [publication(5, { enquiryPeriod })], LISTED).tenders;
    expect(tender?.created).toBe(Date.parse('2026-05-01T00:00:00+03:00') * 1_000);
  });

  it('keeps an unreadable text, and the columns before it', () => {
    const broken = publication(2, {}, { text: '{' });
    const planned = plan(NOTHING, [publication(1, { title: 'one' }), broken, publication(3)], FOLLOWED);
    expect(planned.unread).toHaveLength(1);
    expect(planned.revisions.map(({ columns, flags, changed }) => [columns !== undefined, flags, changed])).toEqual([
      [true, 0, undefined],
      [false, REVISION_FLAGS.unread, []],
      [true, 0, []],
    ]);
  });

  it('keeps a text that is nested too deep to be compared', () => {
    const nested = (last: string): string =>
      formatTender({ title: 1 }).replace(':1', `:${'['.repeat(1e5)}${last}${']'.repeat(1e5)}`);
    const planned = plan(
      NOTHING,
      [publication(1, {}, { text: nested('1') }), publication(2, {}, { text: nested('2') })],
      FOLLOWED,
    );
    expect(planned.revisions).toHaveLength(2);
    expect(planned.unread.length).toBeGreaterThan(0);
  });
});
