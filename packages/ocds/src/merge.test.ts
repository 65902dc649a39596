import { describe, expect, it } from 'vitest';
import { compiledRelease, mergeRelease, type Dated } from './merge.ts';

const release = (date: string, content: object): Dated => ({
  ocid: 'ocds-213czf-1',
  date,
  id: date,
  tag: ['tender'],
  ...content,
});
const merged = (...contents: readonly object[]): object => {
  const releases = contents.map((content, at) => release(`2026-03-0${at + 1}T00:00:00.000Z`, content));
  const { ocid: _ocid, tag: _tag, id: _id, date: _date, ...rest } = compiledRelease(releases)!;
  return rest;
};

// The cases of the reference implementation (open-contracting/ocds-merge), on this schema.
describe('the compiled release', () => {
  it('has the last value of each literal', () => {
    expect(merged({ tender: { title: 'a', status: 'active' } }, { tender: { title: 'b' } })).toEqual({
      tender: { title: 'b', status: 'active' },
    });
  });

  it('lacks what a null removed, and has it again when it comes back', () => {
    expect(merged({ tender: { title: 'a' } }, { tender: { title: null } })).toEqual({ tender: {} });
    expect(merged({ language: 'uk' }, { language: null })).toEqual({});
    expect(merged({ language: 'uk' }, { language: null }, { language: 'en' })).toEqual({ language: 'en' });
  });

  it('merges entries with the same id, also if one id is a number, and appends the others', () => {
    const before = { awards: [{ id: '1', title: 'a', status: 'pending' }, { id: '2' }] };
    const after = { awards: [{ id: '3' }, { id: 1, status: 'active' }] };
    expect(merged(before, after)).toEqual({
      awards: [{ id: 1, title: 'a', status: 'active' }, { id: '2' }, { id: '3' }],
    });
  });

  it('merges entries of one release that have the same id', () => {
    expect(
      merged({
        awards: [
          { id: '1', title: 'a' },
          { id: '1', status: 'active' },
        ],
      }),
    ).toEqual({
      awards: [{ id: '1', title: 'a', status: 'active' }],
    });
  });

  it('keeps all entries without an id', () => {
    expect(merged({ awards: [{ title: 'a' }] }, { awards: [{ title: 'b' }] })).toEqual({
      awards: [{ title: 'a' }, { title: 'b' }],
    });
  });

  it('replaces lists of literals, lists without ids and lists that the schema marks', () => {
    const before = {
      parties: [{ id: 'p', roles: ['buyer'] }],
      tender: { auctions: [{ url: 'a' }], items: [{ id: '1', additionalClassifications: [{ id: 'x' }, { id: 'y' }] }] },
    };
    const after = {
      parties: [{ id: 'p', roles: ['supplier'] }],
      tender: { auctions: [{ url: 'b' }], items: [{ id: '1', additionalClassifications: [{ id: 'z' }] }] },
    };
    expect(merged(before, after)).toEqual(after);
    expect(merged(before, { tender: { auctions: [] } })).toMatchObject({ tender: { auctions: [] } });
  });

  it('does not change by an empty object or an empty list that merges by id', () => {
    const before = { tender: { title: 'a' }, awards: [{ id: '1' }] };
    expect(merged(before, { tender: {}, awards: [] })).toEqual(before);
    expect(merged({ tender: {}, awards: [] })).toEqual({});
  });

  it('follows the dates of the releases, whatever their order', () => {
    const [early, late] = [
      release('2026-03-01T00:00:00.000Z', { language: 'uk' }),
      release('2026-03-02T00:00:00.000Z', { language: 'en' }),
    ];
    expect(compiledRelease([late, early])).toEqual(mergeRelease(mergeRelease(undefined, early), late));
    expect(compiledRelease([late, early])).toEqual({
      ocid: 'ocds-213czf-1',
      id: 'ocds-213czf-1-2026-03-02T00:00:00.000Z',
      date: '2026-03-02T00:00:00.000Z',
      tag: ['compiled'],
      language: 'en',
    });
  });

  it('is none without releases', () => {
    expect(compiledRelease([])).toBeUndefined();
  });
});
