import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { viewsStore } from './views.store.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);
/** Texts that PostgreSQL has sent, by statements. */
const texts: number[] = [];

beforeAll(async () => {
  running = await runningTenders();
});
afterAll(async () => running.close());
beforeEach(() => {
  texts.length = 0;
});

function countedViews(textBytesMax?: number): ReturnType<typeof viewsStore> {
  const { pool } = running.database;
  const query = async (statement: pg.QueryConfig) => {
    const answer = await pool.query<{ body: string | null }>(statement);
    texts.push(answer.rows.filter(({ body }) => body !== null).length);
    return answer;
  };
  // The store uses one signature of many.
  return viewsStore({ query } as unknown as pg.Pool, textBytesMax);
}

describe('views of tenders', () => {
  it('are read whole once, and as a revision then; a changed one is read again', async () => {
    const views = countedViews();
    const { id, owner } = await created();
    const read = async () => views(id);
    const [first, second] = [await read(), await read()];
    expect(second).toEqual(first);
    expect([first?.rev, texts]).toEqual([1, [1, 0]]);
    const changed = await send('PATCH', `/tenders/${id}`, owner, { description: 'змінено' });
    const third = await read();
    expect([third?.rev, third?.bytes.toString(), texts]).toEqual([2, changed.payload, [1, 0, 1]]);
  });

  it('of several tenders come by one statement, of missing ones none', async () => {
    const views = countedViews();
    const [one, two] = [await created(), await created()];
    const known = await views(one.id);
    const read = await Promise.all([views(one.id), views(two.id), views('0'.repeat(32))]);
    expect([read[0], read[1]?.rev, read[2]]).toEqual([known, 1, undefined]);
    expect(texts).toEqual([1, 1]);
  });

  it('are read again when the text is another one of the same revision, as after a restore', async () => {
    const views = countedViews();
    const { id } = await created();
    await views(id);
    const { pool } = running.database;
    await pool.query(`UPDATE tender_view SET body = '{"data":{}}' WHERE tender_id = $1`, [id]);
    await pool.query('UPDATE tender_feed SET stamp = stamp + 1 WHERE tender_id = $1', [id]);
    expect((await views(id))?.bytes.toString()).toBe('{"data":{}}');
  });

  it('are kept within the bytes that are allowed', async () => {
    const [one, two] = [await created(), await created()];
    const views = countedViews(Math.round(Buffer.byteLength(JSON.stringify({ data: one.data })) * 1.5));
    for (const { id } of [one, two, one]) await views(id);
    expect(texts).toEqual([1, 1, 1]);
  });
});
