import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { makeLog } from '../runtime/log.ts';
import { waitForDatabase } from './wait-for-database.ts';

const log = makeLog('test', 'fatal');

function databaseError(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });
}

describe('waitForDatabase', () => {
  it.each([
    new Error('connect ECONNREFUSED 127.0.0.1:5432'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout expired'),
    databaseError('57P03', 'the database system is starting up'),
    databaseError('57P03', 'the database system is in recovery mode'),
    databaseError('57P03', 'the database system is not yet accepting connections'),
    databaseError('57P01', 'terminating connection due to administrator command'),
    databaseError('53300', 'sorry, too many clients already'),
    databaseError('57014', 'canceling statement due to statement timeout'),
    databaseError('55P03', 'canceling statement due to lock timeout'),
  ])('tries again after: $message', async (error) => {
    let tries = 0;
    const connect = async (): Promise<string> => {
      tries += 1;
      if (tries === 1) throw error;
      return 'connected';
    };
    expect(await waitForDatabase(log, connect)).toBe('connected');
  });

  it.each([
    new Error('Migration 0_init was edited after it was applied'),
    databaseError('42501', 'permission denied for table tender'),
    databaseError('28P01', 'password authentication failed for user "tenders"'),
    databaseError('3D000', 'database "tenders" does not exist'),
  ])('throws what waiting does not mend: $message', async (error) => {
    let tries = 0;
    const refused = waitForDatabase(log, async () => {
      tries += 1;
      throw error;
    });
    await expect(refused).rejects.toBe(error);
    expect(tries).toBe(1);
  });
});
