import { holdLock } from '@procurement/testing/held-lock';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factSources } from '../store/fact-sources.ts';
import { readFactsVersion } from '../store/load-tenders.ts';
import { requestsTo, type Headers } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders('production');
});

afterAll(async () => {
  await running.close();
});

const JSON_CONTENT = { 'content-type': 'application/json' };

describe('PATCH /tenders/:tender_id', () => {
  it('200: advances dateModified, raises the version', async () => {
    const { id, data, owner } = await created();
    const answer = await send('PATCH', `/tenders/${id}`, owner, { title: 'Інша' });
    expect(answer.json().data).toEqual({ ...data, title: 'Інша', dateModified: expect.any(String) });
    expect(answer.json().data.dateModified > data.dateModified).toBe(true);
  });

  // Decision 0022.
  it('200: tells other services only of changed facts, whose version is that of their last change', async () => {
    const { pool } = running.database;
    const { id, data, owner } = await created();
    const told = async (): Promise<readonly object[]> => {
      const subject = `tenders.tender-changed.${id}`;
      const { rows } = await pool.query('SELECT envelope FROM kit.outbox WHERE subject = $1', [subject]);
      return rows.map(({ envelope }) => JSON.parse(envelope));
    };
    const versions = async (): Promise<object> => {
      const { rows } = await pool.query('SELECT version::int AS version FROM tender WHERE id = $1', [id]);
      const [page] = (await factSources(pool)['tender.changed']?.facts([id])) ?? [];
      return {
        tender: rows[0].version,
        facts: (await running.deps.tenders.facts(id))?.version,
        freeze: await readFactsVersion(pool, id, { lock: false }),
        page: page?.version,
      };
    };
    expect((await send('PATCH', `/tenders/${id}`, owner, { title: 'Інша' })).statusCode).toBe(200);
    expect(await told()).toEqual([]);
    expect(await versions()).toEqual({ tender: 2, facts: 2, freeze: 1, page: 2 });
    const value = { ...data.value, amount: data.value.amount + 1 };
    expect((await send('PATCH', `/tenders/${id}`, owner, { value })).statusCode).toBe(200);
    expect(await told()).toMatchObject([{ aggregateversion: 3, data: { id, version: 3, value } }]);
    expect(await versions()).toEqual({ tender: 3, facts: 3, freeze: 3, page: 3 });
  });

  it('200: stores and publishes nothing for a PATCH without effect', async () => {
    const { id, data, owner } = await created();
    for (const body of [{}, { id }, data]) {
      const answer = await send('PATCH', `/tenders/${id}`, owner, body);
      expect([answer.statusCode, answer.json().data]).toEqual([200, data]);
    }
    const { rows } = await running.database.pool.query('SELECT version FROM tender WHERE id = $1', [id]);
    expect(rows).toEqual([{ version: '1' }]);
  });

  it('412: refuses a change whose If-Match names another revision', async () => {
    const { id, owner } = await created();
    const ifMatch = (tag: string): Headers => ({ ...owner, 'if-match': tag });
    expect((await send('PATCH', `/tenders/${id}`, ifMatch('"1-2.3"'), { title: 'a' })).statusCode).toBe(200);
    const stale = await send('PATCH', `/tenders/${id}`, ifMatch('"1-2.3"'), { title: 'b' });
    expect([stale.statusCode, stale.headers.etag]).toEqual([412, '"2-2.5"']);
    expect((await send('PATCH', `/tenders/${id}`, ifMatch('"1-2.5", "2-2.5"'), { title: 'b' })).statusCode).toBe(200);
    expect((await send('PATCH', `/tenders/${id}`, ifMatch('nonsense'), { title: 'b' })).statusCode).toBe(412);
  });

  it('409: gives up when another transaction holds the tender, and changes nothing', async () => {
    const { id, data, owner } = await created();
    const lock = await holdLock(running.database.url, 'SELECT FROM tender WHERE id = $1 FOR UPDATE', [id]);
    const answer = await send('PATCH', `/tenders/${id}`, owner, { title: 'x' });
    await lock.release();
    expect([answer.statusCode, answer.json().errors]).toMatchObject([
      409,
      [{ location: 'body', name: 'data', description: 'Document update conflict.' }],
    ]);
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data).toEqual(data);
  });

  it('200: applies concurrent changes one after the other', async () => {
    const { id, owner } = await created();
    // The last of them wait for longer on a slow machine than the service does, and are refused without effect.
    const change = async (n: number): Promise<boolean> =>
      (await send('PATCH', `/tenders/${id}`, owner, { description: `change ${n}` })).statusCode === 200;
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => waitFor(async () => change(n), { what: `change ${n}` })),
    );
    const { rows } = await running.database.pool.query('SELECT version, public_rev FROM tender WHERE id = $1', [id]);
    expect(rows).toEqual([{ version: '41', public_rev: '41' }]);
  });

  it('refuses in the order 404, 415, 401, 403 (http.md 0.2)', async () => {
    const { id } = await created();
    const sendPatch = async (path: string, headers: Headers, payload: string): Promise<number> =>
      (await running.app.inject({ method: 'PATCH', url: path, headers, payload })).statusCode;
    const text = { ...anonymousIdentity(), 'content-type': 'text/plain' };
    expect(await sendPatch('/tenders/none', text, 'x')).toBe(404);
    expect(await sendPatch(`/tenders/${id}`, text, 'x')).toBe(415);
    expect(await sendPatch(`/tenders/${id}`, { ...anonymousIdentity(), ...JSON_CONTENT }, 'x')).toBe(401);
    expect(await sendPatch(`/tenders/${id}`, { ...signedIdentity(), ...JSON_CONTENT }, 'x')).toBe(403);
  });
});
