import { describe, expect, it } from 'vitest';
import type { Publication } from '../../revisions/domain/publication.ts';
import { redactedPublication } from './redacted-publication.ts';

const ID = 'a'.repeat(32);
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
