import { describe, expect, it } from 'vitest';
import { exportLine } from '../../exports/domain/export-lines.ts';
import { redactedLine, type RedactedLines } from './redacted-line.ts';

const ID = 'a'.repeat(32);
const AT = 1_774_900_801_000_001n;
const tender = (more = ''): string =>
  `{"id":"${ID}","dateModified":"2026-03-30T23:00:01.000001+03:00","value":500.0${more}}`;
const SECRET = ',"phone":"1"';

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
