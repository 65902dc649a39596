import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchByKeys } from './one-plan.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase('register');
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE TEMP TABLE thing (name text PRIMARY KEY, size int)');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

describe('searchByKeys', () => {
  const text = searchByKeys({ columns: 'name, size', table: 'thing', key: 'name' });

  async function search(...keys: string[]): Promise<readonly unknown[]> {
    return (await client.query({ name: 'things', text, values: [keys] })).rows;
  }

  it('is planned five times, and then no more, and searches in the index, also by a plan from when the table was empty', async () => {
    for (let n = 0; n < 20; n += 1) await search('a');
    const { rows } = await client.query(
      `SELECT custom_plans::int AS "forValues", generic_plans::int AS "forAll" FROM pg_prepared_statements WHERE name = 'things'`,
    );
    expect(rows).toEqual([{ forValues: 5, forAll: 15 }]);
    await client.query(`INSERT INTO thing SELECT 'name ' || n, n FROM generate_series(1, 10000) AS n`);
    const explained = await client.query(`EXPLAIN EXECUTE things('{name 1}')`);
    const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using thing_pkey/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('finds the rows that there are', async () => {
    expect(await search('name 7', 'name 10001', 'name 9')).toEqual([
      { name: 'name 7', size: 7 },
      { name: 'name 9', size: 9 },
    ]);
    expect(await search()).toEqual([]);
  });
});
