import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { securityPageProblems } from './check-security-page.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8');
const problemsOf = (page: string): readonly string[] => securityPageProblems(page, (file) => !file.includes('missing'));

describe('securityPageProblems', () => {
  it('finds none in the page', () => {
    expect(problemsOf(PAGE)).toEqual([]);
  });

  it('names a threat without a test, and a test that does not exist', () => {
    const rows = '| stranger | knocks | door | none |\n| stranger | knocks | door | `a/missing.test.ts`, `b.ts` |\n';
    expect(problemsOf(`${PAGE}\n${rows}`)).toEqual([
      'no test: knocks | door',
      'no such test: a/missing.test.ts',
      'no such test: b.ts',
    ]);
  });

  it('names a topic without a threat, and a row of the penetration test that is gone', () => {
    expect(problemsOf(PAGE.replaceAll('JSONP', 'x'))).toEqual(['no threat about JSONP']);
    expect(problemsOf(PAGE.replaceAll(/\bS9\b/g, 'x'))).toEqual(['no row S9 of the penetration test']);
  });
});
