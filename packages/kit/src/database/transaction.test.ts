import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isRefusedContent } from './transaction.ts';

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });
}

describe('isRefusedContent', () => {
  it.each([
    ['22P02', true],
    ['23505', true],
    ['54000', true],
    ['40001', false],
    ['53100', false],
    ['57014', false],
  ])('of an error with SQLSTATE %s is %s', (code, expected) => {
    expect(isRefusedContent(databaseError(code))).toBe(expected);
  });

  it('is false for an error that PostgreSQL did not send', () => {
    expect(isRefusedContent(Object.assign(new Error('refused'), { code: '22P02' }))).toBe(false);
  });
});
