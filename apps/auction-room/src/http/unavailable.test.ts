import { ConflictError, IdleInTransactionError, OutcomeUnknownError } from '@procurement/kit/database/transaction';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isUnavailable } from './unavailable.ts';

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('', 0, 'error'), { code });
}

describe('a request that failed', () => {
  it.each([
    ['disk full (F28)', databaseError('53100')],
    ['shutting down', databaseError('57P01')],
    ['a standby after a failover (F8)', databaseError('25006')],
    ['a statement that took too long', databaseError('57014')],
    ['a transaction that was stopped', new IdleInTransactionError(undefined)],
    ['a commit without an answer (F5)', new OutcomeUnknownError(undefined)],
    ['a locked row', new ConflictError(undefined)],
    ['a replica that may not work', new UnavailableError('the room')],
    ['no connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ])('may be repeated: %s', (_title, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ['a fault of the program', new TypeError('x is not a function')],
    ['a refused value', databaseError('23514')],
  ])('is a fault: %s', (_title, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});
