import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { validTender } from '../../test-support/valid-tender.ts';

let running: RunningTenders;

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

type Headers = Readonly<Record<string, string>>;
const JSON_HEADER = { 'content-type': 'application/json' };

async function send(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  url: string,
  headers: Headers,
  data?: unknown,
) {
  const body = data === undefined ? {} : { payload: JSON.stringify({ data }) };
  return running.app.inject({
    method,
    url,
    headers: { ...headers, ...(data === undefined ? {} : JSON_HEADER) },
    ...body,
  });
}

async function created(overrides: Readonly<Record<string, unknown>> = {}) {
  const answer = await send('POST', '/tenders', signedIdentity(), validTender(overrides));
  const { data, access } = answer.json();
  return { answer, id: data.id as string, data, owner: signedIdentity({ tokenHash: sha256Hex(access.token) }) };
}

const title = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe(`${title(tendersApi.createTender)}`, () => {
  it('201: stores tender, view, feed row and event together', async () => {
    const { answer, id, data } = await created();
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.location).toBe(`https://api.example.org/api/2.5/tenders/${id}`);
    expect(answer.json().access).toEqual({ token: expect.any(String), transfer: expect.any(String) });
    const { rows } = await running.database.pool.query(
      `SELECT facts, (SELECT body FROM tender_view WHERE tender_id = tender.id) AS body,
        (SELECT entry FROM tender_feed WHERE tender_id = tender.id) AS entry,
        (SELECT envelope FROM outbox WHERE subject = 'tenders.tender-created.' || tender.id) AS envelope
        FROM tender WHERE id = $1`,
      [id],
    );
    expect(JSON.parse(rows[0].body).data).toEqual(data);
    expect(JSON.parse(rows[0].entry)).toEqual({ id, dateModified: data.dateModified });
    expect(JSON.parse(rows[0].envelope)).toMatchObject({ type: 'tender.created', subject: id, sequence: 1 });
    expect(JSON.parse(rows[0].envelope).data).toEqual(JSON.parse(rows[0].facts));
  });

  it('numbers the tenders of a day one after the other, in the local date', async () => {
    const [first, second] = [(await created()).data.tenderID, (await created()).data.tenderID];
    expect(first).toMatch(/^UA-2026-05-04-\d{6}$/);
    expect(Number(second.slice(-6))).toBe(Number(first.slice(-6)) + 1);
    running.clock.set('2026-05-05T00:00:00+03:00');
    expect((await created()).data.tenderID).toBe('UA-2026-05-05-000001');
    running.clock.set('2026-05-04T10:15:00.120034+03:00');
  });

  it('stores no token, only its hash', async () => {
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
      (await running.database.pool.query('SELECT (SELECT count(*) FROM tender) + (SELECT count(*) FROM outbox) AS n'))
        .rows[0].n;
    const before = await count();
    const answer = await send('POST', '/tenders', headers, data);
    expect(answer.statusCode).toBe(status);
    expect(answer.json().status).toBe('error');
    expect(await count()).toBe(before);
  });

  it('403: to whoever does not come through the gateway', async () => {
    expect((await send('POST', '/tenders', {}, validTender())).statusCode).toBe(403);
  });
});

describe(`${title(tendersApi.getTender)}`, () => {
  it('200: the same text for everybody; with a tag for readers without credentials', async () => {
    const { id, data } = await created();
    const answer = await send('GET', `/tenders/${id}`, anonymousIdentity());
    expect(answer.json().data).toEqual(data);
    expect(answer.headers.etag).toBe('"1-2.5"');
    expect(
      (await send('GET', `/tenders/${id}`, { ...anonymousIdentity(), 'if-none-match': '"1-2.3"' })).statusCode,
    ).toBe(304);
    expect((await send('GET', `/tenders/${id}`, signedIdentity())).headers.etag).toBeUndefined();
  });

  it('200: with the moment of its last change on demand', async () => {
    const { id, data } = await created();
    const answer = await send('GET', `/tenders/${id}?opt_fields=public_modified`, anonymousIdentity());
    expect(answer.json().data.public_modified * 1_000).toBeCloseTo(Date.parse(data.dateModified), -1);
  });

  it.each(['x', '0'.repeat(32), `${'0'.repeat(31)}%20`])('404: %s', async (id) => {
    const answer = await send('GET', `/tenders/${id}`, anonymousIdentity());
    expect([answer.statusCode, answer.json().errors]).toEqual([
      404,
      [{ location: 'url', name: 'tender_id', description: 'Not Found' }],
    ]);
  });
});

describe(`${title(tendersApi.patchTender)}`, () => {
  it('200: moves dateModified and the place in the feed, raises the version, and tells siblings', async () => {
    const { id, data, owner } = await created();
    const answer = await send('PATCH', `/tenders/${id}`, owner, { title: 'Інша' });
    expect(answer.json().data).toEqual({ ...data, title: 'Інша', dateModified: expect.any(String) });
    expect(answer.json().data.dateModified > data.dateModified).toBe(true);
    const { rows } = await running.database.pool.query('SELECT envelope FROM outbox WHERE subject = $1', [
      `tenders.tender-changed.${id}`,
    ]);
    expect(JSON.parse(rows[0].envelope)).toMatchObject({ sequence: 2, data: { id, version: 2 } });
  });

  it('200: a change of nothing is nothing: no event, no place in the feed', async () => {
    const { id, data, owner } = await created();
    for (const wish of [{}, { id }, data]) {
      const answer = await send('PATCH', `/tenders/${id}`, owner, wish);
      expect([answer.statusCode, answer.json().data]).toEqual([200, data]);
    }
    const { rows } = await running.database.pool.query('SELECT version FROM tender WHERE id = $1', [id]);
    expect(rows).toEqual([{ version: '1' }]);
  });

  it('412: when the tender is not the one the change is meant for', async () => {
    const { id, owner } = await created();
    const ifMatch = (tag: string): Headers => ({ ...owner, 'if-match': tag });
    expect((await send('PATCH', `/tenders/${id}`, ifMatch('"1-2.3"'), { title: 'a' })).statusCode).toBe(200);
    expect((await send('PATCH', `/tenders/${id}`, ifMatch('"1-2.3"'), { title: 'b' })).statusCode).toBe(412);
    expect((await send('PATCH', `/tenders/${id}`, ifMatch('nonsense'), { title: 'b' })).statusCode).toBe(412);
  });

  it('409: when somebody else holds the tender for too long, and nothing has changed', async () => {
    const { id, data, owner } = await created();
    const holder = await running.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tender WHERE id = $1 FOR UPDATE', [id]);
    const answer = await send('PATCH', `/tenders/${id}`, owner, { title: 'x' });
    await holder.query('ROLLBACK');
    holder.release();
    expect([answer.statusCode, answer.json().errors]).toEqual([
      409,
      [{ location: 'body', name: 'data', description: 'Document update conflict.' }],
    ]);
    expect((await send('GET', `/tenders/${id}`, anonymousIdentity())).json().data).toEqual(data);
  });

  it('200: many at once are all applied, one after the other', async () => {
    const { id, owner } = await created();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        send('PATCH', `/tenders/${id}`, owner, { description: `change ${n}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    const { rows } = await running.database.pool.query('SELECT version, public_rev FROM tender WHERE id = $1', [id]);
    expect(rows).toEqual([{ version: '41', public_rev: '41' }]);
  });

  it('an unknown tender wins over a wrong content type, that over missing credentials, they over a bad body', async () => {
    const { id } = await created();
    const wish = async (path: string, headers: Headers, payload: string): Promise<number> =>
      (await running.app.inject({ method: 'PATCH', url: path, headers, payload })).statusCode;
    const text = { ...anonymousIdentity(), 'content-type': 'text/plain' };
    expect(await wish('/tenders/none', text, 'x')).toBe(404);
    expect(await wish(`/tenders/${id}`, text, 'x')).toBe(415);
    expect(await wish(`/tenders/${id}`, { ...anonymousIdentity(), ...JSON_HEADER }, 'x')).toBe(401);
    expect(await wish(`/tenders/${id}`, { ...signedIdentity(), ...JSON_HEADER }, 'x')).toBe(403);
  });
});

describe('an undefined method', () => {
  it('405 with Allow, after the 404', async () => {
    const { id } = await created();
    const answer = await send('DELETE', `/tenders/${id}`, anonymousIdentity());
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH']);
    expect((await send('DELETE', '/tenders/none', anonymousIdentity())).statusCode).toBe(404);
  });
});
