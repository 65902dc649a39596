import { secondsText } from '@procurement/domain/feed-offset';
import { padId } from '@procurement/testing/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paperTenders } from '../../test-support/paper.ts';
import { publicText, setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { LOOKUP_BYTES_MAX } from './lookup.store.ts';

let running: RunningService;
const PAPER = paperTenders.at(-1) ?? {};

function tender(n: number, members: Readonly<Record<string, unknown>> = {}) {
  const second = String(n).padStart(2, '0');
  return {
    ...PAPER,
    id: padId(`${n}`),
    tenderID: `UA-2026-03-31-0000${second}-a`,
    dateModified: `2026-03-31T12:00:${second}.000001+03:00`,
    ...members,
  };
}

beforeAll(async () => {
  running = await runningService();
});
afterAll(async () => {
  await running.close();
});

describe('GET /lookup', () => {
  it('is 503 until the first copy of the log is complete', async () => {
    const answer = await running.get(`/lookup?ids=${String(PAPER['id'])}`);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  it('finds tenders by id and number in the order asked, each once', async () => {
    const { pool } = running.database;
    const real = tender(1);
    const test = tender(2, { mode: 'test', status: 'active.tendering' });
    const removed = tender(3);
    await storeRevisions(pool, [
      { rev: 1, tender: real },
      { rev: 1, tender: test },
      { rev: 2, tender: removed, listed: false },
    ]);
    const absent = padId('abc');
    const answer = await running.get(
      `/lookup?ids=${test.tenderID.toLowerCase()},${absent},${real.id},${removed.id},${real.tenderID},${test.id}`,
    );
    expect(answer.headers['x-feed-position']).toBe('1774947603.000001');
    expect(answer.json()).toEqual({
      data: [
        {
          id: test.id,
          tenderID: test.tenderID,
          dateModified: test.dateModified,
          status: 'active.tendering',
          mode: 'test',
        },
        { id: real.id, tenderID: real.tenderID, dateModified: real.dateModified, status: 'complete' },
      ],
      missing: [absent, removed.id],
    });
  });

  it('pastes the public texts with expand, and defers those that no longer fit', async () => {
    const { pool } = running.database;
    const large = 'x'.repeat(LOOKUP_BYTES_MAX / 2);
    const tenders = [tender(4), tender(5, { description: large }), tender(6, { description: large }), tender(7)];
    await storeRevisions(
      pool,
      tenders.map((one) => ({ rev: 1, tender: one })),
    );
    const [first, second, third, fourth] = tenders.map(({ id }) => id);
    const answer = await running.get(`/lookup?expand=1&ids=${tenders.map(({ id }) => id).join()}`);
    expect(answer.body.startsWith(`{"data":[${publicText(tender(4)).slice('{"data":'.length, -1)},`)).toBe(true);
    expect(answer.json().data.map(({ id }: { id: string }) => id)).toEqual([first, second]);
    expect(answer.json().deferred).toEqual([third, fourth]);
    const next = await running.get(`/lookup?expand=1&ids=${third},${fourth}`);
    expect(next.json().data.map(({ id }: { id: string }) => id)).toEqual([third, fourth]);
  });

  it('gives the first text even if it alone is larger than an answer', async () => {
    const largest = tender(8, { description: 'x'.repeat(LOOKUP_BYTES_MAX + 1) });
    await storeRevisions(running.database.pool, [{ rev: 1, tender: largest }]);
    const answer = await running.get(`/lookup?expand=1&ids=${largest.id},${tender(7).id}`);
    expect(answer.json().data).toHaveLength(1);
    expect(answer.json().deferred).toEqual([tender(7).id]);
  });

  it.each([
    ['', 'ids'],
    ['ids=', 'ids'],
    ['ids=a', 'ids'],
    [`ids=${Array.from({ length: 101 }, (_, n) => padId(String(n))).join()}`, 'ids'],
    ['ids=UA-2026-03-31-000001&limit=5', 'limit'],
    ["ids=UA-2026-03-31-000001';--", 'ids'],
  ])('refuses the query %# with 400', async (query, name) => {
    const answer = await running.get(`/lookup?${query}`);
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([400, name]);
  });

  it('waits for the position that the reader has seen, and is 503 when it does not come', async () => {
    const { pool } = running.database;
    const { rows } = await pool.query('SELECT position FROM follow');
    const [now, later] = [BigInt(rows[0].position), BigInt(rows[0].position) + 5_000_000n];
    const url = (position: bigint) => `/lookup?ids=${tender(1).id}&at_least=${secondsText(position)}`;
    expect((await running.get(url(now))).statusCode).toBe(200);
    const waiting = running.get(url(later));
    await setPosition(pool, later);
    expect((await waiting).statusCode).toBe(200);
    const refused = await running.get(url(later + 1_000_000n));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  });
});
