import { describe, expect, it } from 'vitest';
import { exportLine } from './export-lines.ts';
import type { Publication } from './publication.ts';
import { redactedLine, redactedPublication, type RedactedLines } from './redaction.ts';

const ID = 'a'.repeat(32);
const AT = 1_774_900_801_000_001n;
const tender = (more = ''): string =>
  `{"id":"${ID}","dateModified":"2026-03-30T23:00:01.000001+03:00","value":500.0${more}}`;
const SECRET = ',"phone":"1"';

function publication(rev: number, text: string | undefined): Publication {
  return { position: 1, previous: 0, id: ID, rev, listed: true, isTest: false, causes: 2n, text };
}

describe('redactedPublication', () => {
  const rules = [{ path: ['phone'], firstRev: 2, lastRev: 3 }];

  it('removes the member of the revisions of a redaction, and marks them', () => {
    const before = publication(3, `{"data":${tender(SECRET)}}`);
    expect(redactedPublication(before, rules)).toEqual({ ...before, text: `{"data":${tender()}}`, redacted: true });
  });

  it.each([
    ['an earlier revision', publication(1, `{"data":${tender(SECRET)}}`)],
    ['a later one', publication(4, `{"data":${tender(SECRET)}}`)],
    ['a text without the member', publication(2, `{"data":${tender()}}`)],
    ['a text that cannot be read', publication(2, '{"data":{"phone":')],
    ['a publication without a text', publication(2, undefined)],
  ])('leaves %s as it is', (_what, one) => {
    expect(redactedPublication(one, rules)).toBe(one);
  });
});

describe('redactedLine', () => {
  const rule: Omit<RedactedLines, 'kind'> = { tender: ID, path: ['phone'], positions: new Set([AT]) };
  const line = (text: string, isRedacted = false): string =>
    exportLine('revisions', {
      position: AT,
      id: ID,
      rev: 7,
      causes: 2n,
      text: `{"data":${text}}`,
      isFirst: true,
      isRedacted,
      isHiddenTest: false,
    });

  it('has the form of a line that is exported after the redaction', () => {
    expect(redactedLine(line(tender(SECRET)), { ...rule, kind: 'revisions' })).toBe(line(tender(), true));
    expect(redactedLine(tender(SECRET), { ...rule, kind: 'tenders' })).toBe(tender());
  });

  it.each([
    ['revisions', line(tender())],
    ['revisions', line(tender(SECRET)).replace('000001"', '000002"')],
    ['revisions', `{"position":"1774900801.000001","rev":7,"id":"${ID}","removed":true}`],
    ['tenders', tender(SECRET).replace('000001', '000002')],
    ['tenders', tender(`${SECRET},"relatedTender":"${ID}"`).replace(ID, 'b'.repeat(32))],
    ['changes', `{"id":"${ID}","removed":true}`],
  ] as const)('leaves a line of %s as it is: %s', (kind, one) => {
    expect(redactedLine(one, { ...rule, kind })).toBeUndefined();
  });
});
