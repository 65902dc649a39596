import type { Entry } from '@procurement/proof/entries';
import { describe, expect, it } from 'vitest';
import { LogRules } from './log-rules.ts';
import { Report } from './report.ts';

const T = 'a'.repeat(32);
const U = 'b'.repeat(32);
const state = { commit: '0'.repeat(64), bytes: 1n };
const publication = (number: bigint, position: bigint, rev = number, tender = T): Entry => ({
  kind: 'publication',
  number,
  tender,
  rev,
  position,
  ...state,
});
const baseline = (position: bigint, rev = 1n, tender = T): Entry => ({
  kind: 'baseline',
  tender,
  rev,
  position,
  ...state,
});
const redaction = (position: bigint, rev: bigint): Entry => ({
  kind: 'redaction',
  tender: T,
  rev,
  position,
  member: '/title',
  ...state,
});
const hole: Entry = { kind: 'hole', after: 1n, before: 9n };
const restore = (epoch: bigint, to: bigint, began: bigint): Entry => ({ kind: 'restore', epoch, to, began });

function judge(
  entries: readonly Entry[],
  tender: string | undefined = T,
): { codes: readonly string[]; rules: LogRules } {
  const report = new Report();
  const rules = new LogRules({ report, isWhole: true, ...(tender === undefined ? {} : { tender }) });
  for (const [index, entry] of entries.entries()) rules.accept(index, entry);
  return { codes: report.findings.map(({ code }) => code), rules };
}

describe('rules of the log', () => {
  it.each<[about: string, entries: readonly Entry[], codes: readonly string[]]>([
    ['an honest log', [baseline(1n), baseline(2n, 4n, U), publication(7n, 3n, 2n), publication(8n, 4n, 5n, U)], []],
    ['a baseline after a publication', [publication(1n, 1n), baseline(2n, 2n)], ['entry']],
    ['baselines after a hole', [publication(1n, 1n), hole, baseline(10n, 2n), baseline(11n, 1n, U)], ['hole']],
    [
      'a baseline after publications after a hole',
      [publication(1n, 1n), hole, publication(5n, 10n), baseline(11n, 9n)],
      ['hole', 'entry'],
    ],
    ['a number that is left out', [publication(1n, 1n), publication(3n, 2n)], ['number']],
    ['a number twice', [publication(1n, 1n), publication(1n, 2n, 2n)], ['number']],
    ['any greater number after a hole', [publication(1n, 1n), hole, publication(9n, 10n)], ['hole']],
    ['a smaller number after a hole', [publication(5n, 1n), hole, publication(5n, 10n, 6n)], ['hole', 'number']],
    ['a position that goes back', [publication(1n, 5n), publication(2n, 5n)], ['position']],
    ['a revision that goes back', [publication(1n, 1n, 4n), publication(2n, 2n, 4n)], ['rev']],
    ['the same revision of another tender', [publication(1n, 1n, 4n), publication(2n, 2n, 4n, U)], []],
    ['a restore', [publication(1n, 1n), publication(2n, 2n), restore(1n, 1n, 9n), publication(2n, 10n)], ['restored']],
    [
      'a restore of other tenders',
      [publication(1n, 1n), publication(2n, 2n, 1n, U), restore(1n, 1n, 9n), publication(2n, 10n)],
      [],
    ],
    [
      'a restore to before everything',
      [publication(1n, 5n), restore(1n, 1n, 9n), publication(77n, 10n, 1n)],
      ['restored'],
    ],
    [
      'a number that goes on after a restore',
      [publication(1n, 1n), publication(2n, 2n, 2n, U), restore(1n, 1n, 9n), publication(3n, 10n)],
      ['number'],
    ],
    ['a restore that began too early', [publication(1n, 5n), restore(1n, 5n, 5n)], ['position']],
    ['a restore whose beginning is in the past', [publication(1n, 5n), restore(1n, 1n, 4n)], ['position', 'restored']],
    ['an epoch twice', [restore(2n, 1n, 2n), restore(2n, 2n, 3n)], ['epoch']],
    ['a removal', [publication(1n, 1n), publication(2n, 2n), redaction(1n, 1n)], []],
    ['a removal of what is not there', [publication(1n, 1n), redaction(1n, 2n)], ['redaction']],
    [
      'a removal of a void state',
      [publication(1n, 1n), publication(2n, 2n), restore(1n, 1n, 9n), redaction(2n, 2n)],
      ['restored', 'redaction'],
    ],
  ])('judges %s', (_, entries, codes) => {
    expect(judge(entries).codes).toEqual(codes);
  });

  it('keeps the states of the tender that are not void, with their removals', () => {
    const entries = [
      publication(1n, 1n),
      publication(2n, 2n, 1n, U),
      publication(3n, 3n),
      redaction(1n, 1n),
      redaction(1n, 1n),
    ];
    const { rules } = judge([...entries, restore(1n, 2n, 9n), publication(3n, 10n, 2n)]);
    expect(rules.states.map(({ index, redactions }) => [index, redactions.map((one) => one.index)])).toEqual([
      [0, [3, 4]],
      [6, []],
    ]);
  });

  it('reports every restore when no tender is in question', () => {
    const report = new Report();
    const rules = new LogRules({ report, isWhole: true });
    rules.accept(0, publication(1n, 1n));
    rules.accept(1, restore(1n, 1n, 9n));
    expect(report.findings.map(({ code }) => code)).toEqual(['restored']);
  });

  it('does not report more findings than anybody reads', () => {
    const { codes } = judge(Array.from({ length: 500 }, () => publication(1n, 1n, 1n)));
    expect(codes.filter((code) => code === 'position')).toHaveLength(100);
  });
});
