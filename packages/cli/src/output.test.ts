import { describe, expect, it } from 'vitest';
import { printable, progressText, formatTable } from './output.ts';

describe('formatTable', () => {
  it('has columns in the width of their widest cell', () => {
    const table = formatTable(
      ['name', 'value'],
      [
        ['status', 'active'],
        ['назва', undefined],
        ['n', 3],
      ],
    );
    expect(table).toBe('name    value\nstatus  active\nназва\nn       3');
  });
});

describe('printable', () => {
  it('takes out what would control the terminal', () => {
    expect(printable('a\u001B[2Jb\nc\u202Ed')).toBe('a [2Jb c d');
  });
});

describe('progressText', () => {
  it('is rewritten in place, and ends its line at the end', () => {
    expect(progressText('a.pdf', 45, 100)).toBe('\ra.pdf  #########...........  45 %');
    expect(progressText('a.pdf', 100, 100)).toMatch(/ 100 %\n$/);
    expect(progressText('empty', 0, 0)).toMatch(/ 0 %\n$/);
  });
});
