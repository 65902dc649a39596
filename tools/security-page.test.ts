import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

/** Rows of the tables of threats, by their last cell. */
const tests = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.split(' | ').length === 4 && !line.startsWith('| Attacker'))
  .map((line) => line.split(' | ').at(-1) ?? '');

describe('docs/security.md', () => {
  it('names a test for every threat, and each exists', () => {
    expect(tests.length).toBeGreaterThan(20);
    for (const cell of tests) {
      const files = [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      expect([cell, files.length > 0]).toEqual([cell, true]);
      for (const file of files)
        expect([file, file.endsWith('.test.ts') && existsSync(join(ROOT, file))]).toEqual([file, true]);
    }
  });

  it('has every row of the penetration test', () => {
    const rows = new Set([...page.matchAll(/\bS(\d+)\b/g)].map(([, row]) => Number(row)));
    expect([...rows].sort((a, b) => a - b)).toEqual(Array.from({ length: 14 }, (_, n) => n + 1));
  });
});
