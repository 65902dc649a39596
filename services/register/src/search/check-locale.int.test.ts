import { makePool } from '@procurement/kit/database/pool';
import { makeLog } from '@procurement/kit/runtime/log';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireLocale } from './check-locale.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('register');
});

afterAll(async () => database.drop());

describe('requireLocale (register.md 6.3)', () => {
  it('admits the database of tests', async () => {
    await expect(requireLocale(database.pool)).resolves.toBeUndefined();
  });

  it('refuses a database whose locale has no Cyrillic letters, and names it', async () => {
    const other = new URL(database.url);
    const name = `${other.pathname.slice(1)}_c`;
    await database.pool.query(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'`);
    other.pathname = `/${name}`;
    // It hears the errors of connections that the drop ends before their end has come.
    const pool = makePool({ url: other.href, name: 'test', connectionsMax: 1, log: makeLog('test', 'fatal') });
    try {
      await pool.query('CREATE EXTENSION pg_trgm');
      await expect(requireLocale(pool)).rejects.toThrow('LC_CTYPE C)');
    } finally {
      await pool.end();
      await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
});
