import { randomBytes } from 'node:crypto';
import { daysLater, HOUR, instantAt, wallTime } from '@procurement/contracts/reading/instant';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestRoom, type TestRoom } from '../../test-support/test-room.ts';

const ADD = `INSERT INTO auction
    (id, tender_id, shard, seq, phase, start_at, outages_seen, state, number, test, updated_at)
  SELECT $1, $1, shard, 0, 'announced', $2, outages_seen,
    jsonb_set(jsonb_set(state::jsonb, '{plan,tender,tenderID}', to_jsonb($3::text)), '{plan,tender,test}', to_jsonb($4::boolean))::text,
    $3, $4, now() FROM auction WHERE id = $5`;

let room: TestRoom;
let model: string;
let today: string;

beforeAll(async () => {
  room = await startTestRoom();
  ({ id: model } = await room.plan(310));
  ({ date: today } = wallTime(room.room.clock.now()));
  await add({ inDays: 5, number: 'UA-next-day' });
  await add({ inDays: 5, number: 'UA-of-a-test', test: true });
  await add({ inDays: 9, number: 'UA-later' });
  for (let n = 0; n < 51; n += 1) await add({ inDays: 20, number: 'UA-many' });
});
afterAll(async () => room.stop());

const dayAfter = (days: number): string => daysLater(today, days);

/** An auction that nobody leads, as the room stores it. */
async function add({ inDays, number, test = false }: { inDays: number; number: string; test?: boolean }) {
  const id = randomBytes(16).toString('hex');
  await room.database.pool.query(ADD, [id, instantAt(dayAfter(inDays), 12 * HOUR), number, test, model]);
}

async function shown(url: string): Promise<string> {
  const { statusCode, body } = await room.app.inject({ url, headers: { 'accept-language': 'en' } });
  expect(statusCode).toBe(200);
  return body;
}

/** The numbers in a table of the page, in its order. */
function numbersIn(body: string, table: 'auctions' | 'test-auctions'): readonly string[] {
  const text = body.split(` data-testid="${table}">`)[1]?.split('</table>')[0] ?? '';
  return [...text.matchAll(/<small [^>]+>(UA-[^<]+)</g)].map(([, number = '']) => number);
}

describe('GET / of the auction room (auction-room.md 9.1)', () => {
  it('shows today and the next day that has auctions, test auctions apart', async () => {
    const body = await shown('/');
    expect(body).toContain(`<h2><time datetime="${dayAfter(5)}">`);
    expect(body).not.toContain(`datetime="${dayAfter(9)}"`);
    expect(numbersIn(body.slice(body.indexOf(`datetime="${dayAfter(5)}"`)), 'auctions')).toEqual(['UA-next-day']);
    expect(numbersIn(body, 'test-auctions')).toEqual(['UA-of-a-test']);
  });

  it('shows a day in pages of 50', async () => {
    const first = await shown(`/?date=${dayAfter(20)}`);
    expect(numbersIn(first, 'auctions')).toHaveLength(50);
    expect(first).toContain(`href="/?date=${dayAfter(20)}&amp;page=2"`);
    const second = await shown(`/?date=${dayAfter(20)}&page=2`);
    expect(numbersIn(second, 'auctions')).toHaveLength(1);
    expect(second).not.toContain('page=3');
  });

  it('finds the auctions of a number, whatever their day', async () => {
    const body = await shown('/?q=%20UA-later%20');
    expect(numbersIn(body, 'auctions')).toEqual(['UA-later']);
    expect(body).toContain('value="UA-later"');
    expect(await shown('/?q=UA-many')).toContain('href="/?q=UA-many&amp;page=2"');
    expect(numbersIn(await shown('/?q=UA-many&page=2'), 'auctions')).toHaveLength(1);
  });

  it.each(['UA-unknown', '%00', '%27%20OR%201%3D1', 'x'.repeat(101), '%3Cscript%3E', '%'])(
    'says that nothing has the number %s',
    async (number) => {
      const body = await shown(`/?q=${number}`);
      expect(body).toContain('No auctions of a tender with this number.');
      expect(body).not.toContain('<script>');
    },
  );

  it('shows the others when the state of one auction cannot be read', async () => {
    for (const number of ['UA-good', 'UA-damaged']) await add({ inDays: 30, number });
    // As a damaged disk leaves it.
    await room.database.pool.query(`UPDATE auction SET state = 'no json', number = NULL WHERE number = 'UA-damaged'`);
    expect(numbersIn(await shown(`/?date=${dayAfter(30)}`), 'auctions')).toEqual(['UA-good']);
  });

  it('finds an auction that the room has planned, by the number of its tender', async () => {
    const { tender } = (await room.stored(model, () => true)).plan;
    expect(await shown(`/?q=${tender.tenderID}`)).toContain(`href="/tenders/${model}"`);
  });
});
