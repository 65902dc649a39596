import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differenceLines, differenceRows, type DifferenceRow, type PatchOperation } from './difference-rows.ts';

const FIXTURES = new URL('../../../../services/register/test-support/fixtures/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8'));
const { revisions }: { revisions: { rev: number; patch?: PatchOperation[] }[] } = read('history.paper.json');
const states: readonly Readonly<Record<string, unknown>>[] = read('paper.states.json');
const patchOf = (rev: number): readonly PatchOperation[] =>
  revisions.find((revision) => revision.rev === rev)?.patch ?? [];
const short = ({ where, old, new: fresh }: DifferenceRow) => [where.join(' '), old, fresh];

/** `paper.states.json` has one more state than there are revisions: the fourth differs in `dateModified` only. */
const stateAt = (rev: number): object => states[rev < 4 ? rev - 1 : rev] ?? {};

describe('differenceRows (P6)', () => {
  it('shows a question with its answer, value by value, and folds the time of the change', () => {
    const { rows, folded } = differenceRows(stateAt(1), patchOf(2));
    expect(rows.map(short)).toEqual([
      ['questions 1 title', undefined, 'Щільність паперу'],
      ['questions 1 description', undefined, 'Чи допускається папір щільністю 75 г/м²?'],
      ['questions 1 questionOf', undefined, 'item'],
      ['questions 1 relatedItem', undefined, 'a1f0c2d4e6b84a0c9e7d5b3f1a2c4e60'],
      ['questions 1 date', undefined, '2026-03-03T15:01:44.310000+02:00'],
      ['questions 1 answer', undefined, 'Ні, лише 80 г/м².'],
      ['questions 1 dateAnswered', undefined, '2026-03-04T09:30:12.105000+02:00'],
    ]);
    expect(folded.map(({ where }) => where)).toEqual([['dateModified']]);
  });

  it('shows old and new of a status, and folds next_check', () => {
    const { rows, folded } = differenceRows(stateAt(2), patchOf(3));
    expect(rows.map(short)).toEqual([['status', 'active.enquiries', 'active.tendering']]);
    expect(folded.map(short)).toContainEqual(['next_check', expect.any(String), '2026-03-16T12:00:00+02:00']);
  });

  it('shows what changes inside of an award, and a new contract', () => {
    const rows = differenceRows(stateAt(6), patchOf(7)).rows.map(short);
    expect(rows).toContainEqual(['awards 1 status', 'pending', 'active']);
    expect(rows).toContainEqual(['awards 1 complaintPeriod endDate', undefined, '2026-03-20T16:05:40.900000+02:00']);
    expect(rows).toContainEqual(['contracts 1 contractID', undefined, 'UA-2026-03-02-000001-1']);
  });

  it('shows ids of companies, not those of the system', () => {
    const rows = differenceRows(stateAt(5), patchOf(6)).rows.map(short);
    expect(rows).toContainEqual(['bids 1 tenderers 1 identifier id', undefined, '23456702']);
    expect(rows.map(([where]) => where)).not.toContain('bids 1 id');
  });

  it('never shows the secret link of a bidder to the auction (portal.md 12)', () => {
    const participationUrl = 'https://auction.example/login?hash=SECRET';
    const bid = { status: 'active', participationUrl, lotValues: [{ participationUrl }] };
    const { rows, folded } = differenceRows({}, [
      { op: 'add', path: '/bids', value: [bid] },
      { op: 'replace', path: '/bids/0/participationUrl', value: `${participationUrl}2` },
    ]);
    expect(rows.map(short)).toEqual([['bids 1 status', undefined, 'active']]);
    expect(JSON.stringify(folded)).not.toContain('SECRET');
  });

  it('counts positions of a list after each operation', () => {
    const patch: PatchOperation[] = [
      { op: 'remove', path: '/items/0' },
      { op: 'replace', path: '/items/0/title', value: 'c' },
      { op: 'add', path: '/items/0', value: { title: 'a' } },
    ];
    expect(differenceRows({ items: [{ title: 'x' }, { title: 'b' }] }, patch).rows.map(short)).toEqual([
      ['items 1 title', 'x', undefined],
      ['items 1 title', 'b', 'c'],
      ['items 1 title', undefined, 'a'],
    ]);
  });

  it('changes no prototype, whatever a tender names its members', () => {
    differenceRows({ a: 1 }, [
      { op: 'add', path: '/__proto__/polluted', value: true },
      { op: 'replace', path: '/constructor/name', value: 'x' },
    ]);
    expect('polluted' in {}).toBe(false);
    expect(Object.name).toBe('Object');
  });

  it('leaves the state as it was', () => {
    const state = { items: [{ title: 'x' }] };
    differenceRows(state, [{ op: 'remove', path: '/items/0' }]);
    expect(state).toEqual({ items: [{ title: 'x' }] });
  });
});

describe('differenceLines', () => {
  it('keeps common lines and marks the others', () => {
    expect(differenceLines('a\nb\nc', 'a\nx\nc\nd').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same a',
      'old b',
      'new x',
      'same c',
      'new d',
    ]);
  });
});
