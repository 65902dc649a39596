import { describe, expect, it } from 'vitest';
import type { KnownTender, Publication } from './publication.ts';
import { REVISION_FLAGS } from './revision-flags.ts';
import { planRevisions } from './revision-plan.ts';

const FOLLOWED = { baseline: false, unread: false } as const;
const LISTED = { baseline: true, unread: false } as const;
const NOTHING = { tenders: new Map<string, KnownTender>(), drafts: new Map<string, number>() };

function textOf(members: object): string {
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
    text: textOf(members),
    ...more,
  };
}

const draft = (rev: number): Publication => publication(rev, {}, { listed: false, text: undefined });

describe('planRevisions', () => {
  it('adds a revision for each publication, and the tender once, as it is after the last', () => {
    const plan = planRevisions(NOTHING, [publication(1, { title: 'one' }), publication(2, { title: 'two' })], FOLLOWED);
    expect(plan.revisions.map(({ changed, causes, flags }) => [changed, causes, flags])).toEqual([
      [undefined, 2n, 0],
      [['title'], 2n, 0],
    ]);
    expect(plan.revisions[1]?.previousOfTender).toBe(publication(1).position);
    expect(plan.tenders).toMatchObject([{ id: 'a', rev: 2, complete: true, created: publication(1).position }]);
  });

  it('compares with the stored text', () => {
    const { position, rev, text } = publication(3, { title: 'before' });
    const known = { position, rev, created: position, complete: true, body: text };
    const plan = planRevisions({ ...NOTHING, tenders: new Map([['a', known]]) }, [publication(4)], FOLLOWED);
    expect(plan.revisions[0]?.changed).toEqual(['title']);
  });

  it('skips what is stored already', () => {
    const { position, text } = publication(3);
    const known = { position, rev: 3, created: position, complete: true, body: text };
    const plan = planRevisions(
      { ...NOTHING, tenders: new Map([['a', known]]) },
      [publication(3), publication(2)],
      LISTED,
    );
    expect([plan.revisions, plan.tenders]).toEqual([[], []]);
  });

  it('marks a revision after lost ones', () => {
    const plan = planRevisions(NOTHING, [publication(1), publication(3)], FOLLOWED);
    expect(plan.revisions.map(({ flags }) => flags)).toEqual([0, REVISION_FLAGS.folded]);
    expect(plan.tenders[0]?.complete).toBe(false);
  });

  it.each([
    ['its first publication was seen', NOTHING, [publication(1)], FOLLOWED, true],
    ['its drafts were seen', NOTHING, [draft(1), draft(2), publication(3)], FOLLOWED, true],
    ['its drafts were seen before', { ...NOTHING, drafts: new Map([['a', 2]]) }, [publication(3)], FOLLOWED, true],
    ['a listing has its first publication', NOTHING, [publication(1)], LISTED, true],
    ['it was met later', NOTHING, [publication(3)], FOLLOWED, false],
    ['a draft was missed', NOTHING, [draft(2), publication(3)], FOLLOWED, false],
  ] as const)('a history is whole or not: %s', (_title, known, publications, source, complete) => {
    expect(planRevisions(known, publications, source).tenders[0]?.complete).toBe(complete);
  });

  it('remembers of a draft that it was seen, and nothing else', () => {
    expect(planRevisions(NOTHING, [draft(1)], FOLLOWED)).toMatchObject({
      revisions: [],
      tenders: [],
      drafts: [{ rev: 1 }],
    });
  });

  it('takes the beginning of enquiries for the creation of a baseline, if it is earlier', () => {
    const enquiryPeriod = { startDate: '2026-05-01T00:00:00+03:00' };
    const [tender] = planRevisions(NOTHING, [publication(5, { enquiryPeriod })], LISTED).tenders;
    expect(tender?.created).toBe(Date.parse('2026-05-01T00:00:00+03:00') * 1_000);
  });

  it('keeps an unreadable text, and the columns before it', () => {
    const broken = publication(2, {}, { text: '{' });
    const plan = planRevisions(NOTHING, [publication(1, { title: 'one' }), broken, publication(3)], FOLLOWED);
    expect(plan.unread).toHaveLength(1);
    expect(plan.revisions.map(({ columns, flags, changed }) => [columns !== undefined, flags, changed])).toEqual([
      [true, 0, undefined],
      [false, REVISION_FLAGS.unread, []],
      [true, 0, []],
    ]);
  });

  it('keeps a text that is nested too deep to be compared', () => {
    const nested = (last: string): string =>
      textOf({ title: 1 }).replace(':1', `:${'['.repeat(1e5)}${last}${']'.repeat(1e5)}`);
    const plan = planRevisions(
      NOTHING,
      [publication(1, {}, { text: nested('1') }), publication(2, {}, { text: nested('2') })],
      FOLLOWED,
    );
    expect(plan.revisions).toHaveLength(2);
    expect(plan.unread.length).toBeGreaterThan(0);
  });
});
