import { holdLock } from '@procurement/testing/held-lock';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { validTender } from '../../test-support/valid-tender.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders('production');
});

afterAll(async () => {
  await running.close();
});

describe('POST /tenders', () => {
  it('201: stores tender, view, feed row and event', async () => {
    const { answer, id, data } = await created();
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5/tenders/${id}`);
    expect(answer.json().access).toEqual({ token: expect.any(String), transfer: expect.any(String) });
    const { rows } = await running.database.pool.query(
      `SELECT facts, (SELECT body FROM tender_view WHERE tender_id = tender.id) AS body,
        (SELECT entry FROM tender_feed WHERE tender_id = tender.id) AS entry,
        (SELECT envelope FROM kit.outbox WHERE subject = 'tenders.tender-created.' || tender.id) AS envelope
        FROM tender WHERE id = $1`,
      [id],
    );
    expect(JSON.parse(rows[0].body).data).toEqual(data);
    expect(JSON.parse(rows[0].entry)).toEqual({ id, dateModified: data.dateModified });
    expect(JSON.parse(rows[0].envelope)).toMatchObject({ type: 'tender.created', subject: id, aggregateversion: 1 });
    expect(JSON.parse(rows[0].envelope).data).toEqual(JSON.parse(rows[0].facts));
  });

  it('201: stores a draft and its view, and tells nobody: neither the feed nor other services', async () => {
    const lock = await holdLock(running.database.url, 'SELECT pg_advisory_xact_lock(7270738001)');
    const { answer, id, data, owner } = await created({ status: 'draft' });
    await lock.release();
    expect([answer.statusCode, data.status]).toEqual([201, 'draft']);
    const { pool } = running.database;
    const told = async (): Promise<readonly string[]> => {
      const { rows } = await pool.query(
        `SELECT 'feed' AS what FROM tender_feed WHERE tender_id = $1
          UNION ALL SELECT 'log' FROM tender_publication WHERE tender_id = $1
          UNION ALL SELECT 'text' FROM tender_publication_text WHERE tender_id = $1
          UNION ALL SELECT split_part(subject, '.', 2) FROM kit.outbox WHERE subject LIKE '%.' || $1`,
        [id],
      );
      return rows.map(({ what }) => what);
    };
    expect(await told()).toEqual([]);
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data).toEqual(data);
    expect(await running.deps.tenders.facts(id)).toMatchObject({ id, version: 1, status: 'draft' });
    expect((await send('PATCH', `/tenders/${id}`, owner, { status: 'active.enquiries' })).statusCode).toBe(200);
    expect(await told()).toEqual(['feed', 'log', 'text', 'tender-changed']);
  });

  it('201: numbers the tenders of a local day in sequence', async () => {
    const [first, second] = [(await created()).data.tenderID, (await created()).data.tenderID];
    expect(first).toMatch(/^UA-2026-05-04-\d{6}$/);
    expect(Number(second.slice(-6))).toBe(Number(first.slice(-6)) + 1);
    running.clock.set('2026-05-05T00:00:00+03:00');
    expect((await created()).data.tenderID).toBe('UA-2026-05-05-000001');
    running.clock.set('2026-05-04T10:15:00.120034+03:00');
  });

  it('201: stores the hash of the token, not the token', async () => {
    const { answer, id } = await created();
    const { rows } = await running.database.pool.query('SELECT tender::text AS row FROM tender WHERE id = $1', [id]);
    expect(rows[0].row).toContain(sha256Hex(answer.json().access.token));
    expect(rows[0].row).not.toContain(answer.json().access.token);
  });

  it.each([
    [401, anonymousIdentity(), validTender()],
    [403, signedIdentity({ group: 'auction' }), validTender()],
    [415, signedIdentity(), undefined],
    [422, signedIdentity(), { title: 'x' }],
  ] as const)('%d: changes nothing', async (status, headers, data) => {
    const count = async (): Promise<string> =>
      (
        await running.database.pool.query(
          'SELECT (SELECT count(*) FROM tender) + (SELECT count(*) FROM kit.outbox) AS n',
        )
      ).rows[0].n;
    const before = await count();
    const answer = await send('POST', '/tenders', headers, data);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().status).toBe('error');
    expect(await count()).toBe(before);
  });

  it('409: when the lock of the feed is held for longer than lock_timeout (http.md 1.8 item 7)', async () => {
    const lock = await holdLock(running.database.url, 'SELECT pg_advisory_xact_lock(7270738001)');
    const answer = await send('POST', '/tenders', signedIdentity(), validTender());
    await lock.release();
    expect([answer.statusCode, answer.json().status]).toEqual([409, 'error']);
    expect((await created()).answer.statusCode).toBe(201);
  });

  it('403: refuses a request without a signed identity', async () => {
    expect((await send('POST', '/tenders', {}, validTender())).statusCode).toBe(403);
  });
});
