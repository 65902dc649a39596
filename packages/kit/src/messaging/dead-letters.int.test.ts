import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countDeadLetters, listDeadLetters, purgeDeadLetters, writeDeadLetter } from './dead-letters.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('awards');
});

afterAll(async () => {
  await database.drop();
});

const ADD_REPLAYED = `INSERT INTO kit.dead_letter (durable, event_id, subject, envelope, error, attempts, replayed_at)
  SELECT 'test--things', gen_random_uuid(), 's', '{}', 'poison', 8, now() - $2::interval FROM generate_series(1, $1)`;

async function plan(statement: string): Promise<string> {
  const { rows } = await database.pool.query(`EXPLAIN ${statement}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('dead letters', () => {
  it('are purged 30 days after their replay, and never before', async () => {
    const deadLetter = { durable: 'test--things', eventId: null, subject: 's', envelope: 'x', error: 'e', attempts: 1 };
    await writeDeadLetter(database.pool, deadLetter);
    await writeDeadLetter(database.pool, { ...deadLetter, durable: 'relay' });
    await database.pool.query(`UPDATE kit.dead_letter SET created_at = now() - interval '1 year'`);
    await database.pool.query(ADD_REPLAYED, [5, '29 days']);
    await database.pool.query(ADD_REPLAYED, [7, '31 days']);
    const client = await database.pool.connect();
    await purgeDeadLetters(client);
    client.release();
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM kit.dead_letter');
    expect(rows[0].n).toBe(7);
    expect(await listDeadLetters(database.pool)).toHaveLength(2);
    expect(await countDeadLetters(database.pool)).toEqual({ 'test--things': 1, relay: 1 });
  });

  it('are counted and looked up by an index, however many were replayed', async () => {
    await database.pool.query(ADD_REPLAYED, [20_000, '1 day']);
    await database.pool.query('ANALYZE kit.dead_letter');
    const waiting = 'FROM kit.dead_letter WHERE replayed_at IS NULL';
    for (const statement of [
      `SELECT durable ${waiting} LIMIT 10000`,
      `SELECT id ${waiting} AND durable = 'a--b' AND event_id = gen_random_uuid() AND error = 'e'`,
      `SELECT id FROM kit.dead_letter WHERE replayed_at < now() - interval '30 days' LIMIT 1000`,
    ]) {
      expect(await plan(statement), statement).toContain('dead_letter_replayed_at_durable_event_id_idx');
    }
  });
});
