import { describe, expect, it } from 'vitest';
import { namedStatement } from './named-statement.ts';

describe('namedStatement', () => {
  it('numbers names in their order, a repeated name once, and leaves casts alone', () => {
    const save = namedStatement(
      'UPDATE bid SET status = :status, at = :at::timestamptz WHERE id = :id OR parent = :id',
    );
    expect(save({ id: 'b', at: undefined, status: 'active', more: 1 })).toEqual({
      text: 'UPDATE bid SET status = $1, at = $2::timestamptz WHERE id = $3 OR parent = $3',
      values: ['active', undefined, 'b'],
    });
  });

  it('throws when a value is missing', () => {
    expect(() => namedStatement('SELECT :id')({ ID: 1 })).toThrow('the statement has no value for :id');
  });
});
