import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomTestProblems } from './check-room-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/spec/auction-room.md'), 'utf8');
const problemsOf = (page: string): readonly string[] =>
  roomTestProblems(page, (file) => (file.includes('missing') ? undefined : readFileSync(join(ROOT, file), 'utf8')));
const rowOf = (id: string): string => new RegExp(`^\\| ${id} \\| .*test\\.ts.*$`, 'm').exec(PAGE)?.[0] ?? '';

describe('roomTestProblems', () => {
  it('finds none in the page, which has a row for each fault and each acceptance test', () => {
    expect(problemsOf(PAGE)).toEqual([]);
    expect(PAGE.match(/^\| F\d+ \| .*"/gm)).toHaveLength(33);
    expect(PAGE.match(/^\| A\d+ \| /gm)).toHaveLength(55);
  });

  it.each(['F7', 'F33', 'A1', 'A55'])('names %s without a row', (id) => {
    expect(problemsOf(PAGE.replace(`${rowOf(id)}\n`, ''))).toEqual([`${id} has no row of tests`]);
  });

  it('names a row without a test, a file that is not there, and a title that its file does not have', () => {
    const withRow = (tests: string): readonly string[] => problemsOf(PAGE.replace(rowOf('F7'), `| F7 | ${tests} |`));
    expect(withRow('none')).toEqual(['F7: no test']);
    expect(withRow('`lead/lost-database.int.test.ts`')).toEqual(['F7: no test']);
    expect(withRow('`missing.test.ts` "x"')).toEqual([
      'F7: no such file: apps/auction-room/src/missing.test.ts',
      'F7: no test "x" in apps/auction-room/src/missing.test.ts',
    ]);
    expect(withRow('`http/page.test.ts` "a room whose database goes away"')).toEqual([
      'F7: no test "a room whose database goes away" in apps/auction-room/src/http/page.test.ts',
    ]);
  });
});
