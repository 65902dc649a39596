import { anonymousIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { example, exampleStates, OCDS_ENV, projectAll, storeExample } from '../../test-support/ocds.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';

let running: RunningService;
const OCID = 'ocds-213czf-UA-2026-03-02-000001';
const BASE = 'https://procurement.example/api/ocds';
const paper = example('paper.releases') as { readonly releases: readonly Readonly<Record<string, unknown>>[] };
const LAST_ID = String(paper.releases.at(-1)?.['id']);
const TENDER_ID = String(exampleStates('paper')[0]?.['id']);

async function get(url: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return running.app.inject({ method, url, headers: { ...anonymousIdentity(), ...headers } });
}

beforeAll(async () => {
  running = await runningService(OCDS_ENV);
});
afterAll(async () => {
  await running.close();
});

describe('before anything is published', () => {
  it('is an empty page of the time of the request', async () => {
    await setPosition(running.database.pool, 0n);
    const answer = await running.get('/ocds/releases.json');
    expect(answer.json()).toMatchObject({ releases: [], publishedDate: '2026-04-01T07:00:00.000Z' });
    expect(answer.json()).not.toHaveProperty('links');
  });

  it('is 503 for an ocid while a back-fill runs, or its tender is still to be projected, and 404 otherwise', async () => {
    const { pool } = running.database;
    expect((await running.get(`/ocds/records/${OCID}`)).statusCode).toBe(404);
    await pool.query(`UPDATE follow SET backfill = '{"after":0,"upTo":1,"until":1}'`);
    expect((await running.get(`/ocds/records/${OCID}`)).statusCode).toBe(503);
    await pool.query('UPDATE follow SET backfill = NULL');
    await storeExample(pool, 'paper');
    const answer = await running.get(`/ocds/releases/${OCID}`);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
    await projectAll(pool);
    expect((await running.get(`/ocds/releases/${OCID}`)).statusCode).toBe(200);
  });
});

describe('GET /ocds/releases/{ocid}', () => {
  it.each(['', '.json'])('is the package of the example', async (suffix) => {
    const answer = await running.get(`/ocds/releases/${OCID}${suffix}`);
    expect(answer.json()).toEqual(paper);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'cache-control': 'public, max-age=15',
      'last-modified': 'Tue, 31 Mar 2026 07:12:30 GMT',
    });
  });

  it('has one release by its id', async () => {
    const answer = await running.get(`/ocds/releases/${OCID}/${LAST_ID}`);
    expect(answer.json()).toEqual({
      ...paper,
      uri: `${BASE}/releases/${OCID}/${LAST_ID}`,
      releases: paper.releases.slice(-1),
    });
    expect(answer.headers['cache-control']).toBe('public, max-age=86400');
  });

  it.each([
    ['releases/ocds-213czf-UA-2026-03-02-000009', 'ocid'],
    ['records/ocds-213czf-UA-2026-03-02-000009', 'ocid'],
    ['records/ocds-zzzzzz-UA-2026-03-02-000001', 'ocid'],
    [`releases/ocds-213czf-UA-2026-03-02-000009/${LAST_ID}`, 'ocid'],
    [`releases/${OCID}/${OCID}-20200101T000000000Z`, 'release_id'],
  ])('is 404 for %s', async (path, name) => {
    const answer = await running.get(`/ocds/${path}`);
    expect([answer.statusCode, answer.json().errors]).toMatchObject([
      404,
      [{ location: 'url', name, description: 'Not Found', code: 'ocds.not-found' }],
    ]);
  });
});

describe('GET /ocds/records/{ocid}', () => {
  it('is the record of the example', async () => {
    expect((await running.get(`/ocds/records/${OCID}`)).json()).toEqual(example('paper.record'));
  });

  it('has whole releases with embed', async () => {
    const answer = await running.get(`/ocds/records/${OCID}?embed=1`);
    expect(answer.json().uri).toBe(`${BASE}/records/${OCID}?embed=1`);
    expect(answer.json().records[0].releases).toEqual(paper.releases);
  });
});

describe('GET /ocds', () => {
  it('names publisher, prefix and addresses', async () => {
    expect((await running.get('/ocds')).json()).toMatchObject({
      version: '1.1',
      ocidPrefix: 'ocds-213czf',
      language: 'uk',
      links: { releases: `${BASE}/releases.json`, recordsBulk: `${BASE}/records.jsonl` },
    });
  });
});

describe('conditional requests', () => {
  it.each([
    `/ocds/releases/${OCID}`,
    `/ocds/releases/${OCID}/${LAST_ID}`,
    `/ocds/records/${OCID}`,
    '/ocds/releases.json',
    '/ocds/records.json',
    '/ocds',
    '/ocds/releases.jsonl',
  ])('%s is 304 for its tag', async (url) => {
    const { etag } = (await running.get(url)).headers;
    expect((await get(url, { 'if-none-match': `"other", ${String(etag)}` })).statusCode).toBe(304);
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is 304 by date where no earlier release can come, and not on a page that grows', async () => {
    const headers = { 'if-modified-since': 'Tue, 31 Mar 2026 07:12:30 GMT' };
    expect((await get(`/ocds/records/${OCID}`, headers)).statusCode).toBe(304);
    expect((await get('/ocds/releases.json', headers)).statusCode).toBe(200);
    const earlier = { 'if-modified-since': 'Tue, 31 Mar 2026 07:12:29 GMT' };
    expect((await get(`/ocds/records/${OCID}`, earlier)).statusCode).toBe(200);
  });

  it('has the headers of GET for HEAD, and no body', async () => {
    const answer = await get(`/ocds/records/${OCID}`, {}, 'HEAD');
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    expect(answer.headers.etag).toBe((await running.get(`/ocds/records/${OCID}`)).headers.etag);
  });
});

describe('pages', () => {
  /** Path of a link, as the service has it. */
  const pathOf = (link: unknown): string => String(link).replace('https://procurement.example/api', '');
  const datesOf = (releases: readonly { readonly date: string }[]): readonly string[] =>
    releases.map(({ date }) => date);

  it('walks all releases once, forwards and backwards, while others come', async () => {
    const seen: string[] = [];
    let page = (await running.get('/ocds/releases.json?limit=3')).json();
    expect(page.links.next).toMatch(/^https:\/\/procurement\.example\/api\/ocds\/releases\.json\?limit=3&cursor=/);
    const { pool } = running.database;
    await storeExample(pool, 'cancelled-before-opening', '2027');
    await projectAll(pool);
    const pages = [page.uri];
    for (;;) {
      seen.push(...page.releases.map(({ id }: { id: string }) => id));
      if (page.links?.next === undefined) break;
      page = (await running.get(pathOf(page.links.next))).json();
      pages.push(page.uri);
    }
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM ocds_release ORDER BY seq');
    expect(seen).toEqual(rows.map(({ id }) => id));
    const back: string[] = [];
    for (;;) {
      back.unshift(...page.releases.map(({ id }: { id: string }) => id));
      if (page.links?.prev === undefined) break;
      page = (await running.get(pathOf(page.links.prev))).json();
    }
    expect(back).toEqual(seen);
  });

  it('at the head asks for the same page until it fills', async () => {
    const head = '/ocds/records.json?limit=2';
    const before = await running.get(head);
    expect(before.json().records).toHaveLength(2);
    expect(before.json().links).toBeUndefined();
    const etag = String(before.headers.etag);
    await storeExample(running.database.pool, 'lots-cancelled', '2028');
    await projectAll(running.database.pool);
    const after = await get(head, { 'if-none-match': etag });
    expect(after.json().links.next).toBeDefined();
    const next = await running.get(pathOf(after.json().links.next));
    expect(next.json().records).toHaveLength(1);
    expect(next.json().links).toEqual({ prev: expect.stringContaining('before=') });
  });

  it('takes releases of a time only', async () => {
    const { releases } = (
      await running.get('/ocds/releases.json?since=2026-03-17&until=2026-03-18T14:05:40.900Z')
    ).json();
    expect(datesOf(releases)).toContain('2026-03-18T14:05:40.900Z');
    expect(datesOf(releases).every((date) => date > '2026-03-17' && date <= '2026-03-18T14:05:40.900Z')).toBe(true);
  });

  it('caches a closed page for an hour, and the last one for seconds', async () => {
    const closed = await running.get('/ocds/releases.json?limit=1');
    const last = await running.get('/ocds/releases.json?limit=1000');
    expect(closed.headers['cache-control']).toBe('public, max-age=3600');
    expect(last.headers['cache-control']).toBe('public, max-age=15');
  });

  it('is empty, with the date of the newest release, where nothing matches', async () => {
    const answer = (await running.get('/ocds/records.json?since=2030-01-01')).json();
    const { rows } = await running.database.pool.query<{ date: Date }>('SELECT max(date) AS date FROM ocds_release');
    expect(answer).toMatchObject({ records: [], publishedDate: rows[0]?.date.toISOString() });
  });

  it('refuses a cursor of the other kind', async () => {
    expect((await running.get('/ocds/records.json?cursor=r1')).statusCode).toBe(404);
  });
});

describe('downloads', () => {
  it('have one entry on each line', async () => {
    const answer = await running.get('/ocds/releases.jsonl');
    const lines = answer.body.trimEnd().split('\n');
    const { rows } = await running.database.pool.query<{ body: string }>('SELECT body FROM ocds_release ORDER BY seq');
    expect(lines).toEqual(rows.map(({ body }) => body));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=UTF-8',
      'content-disposition': 'attachment; filename="releases.jsonl"',
      link: `<https://creativecommons.org/publicdomain/zero/1.0/>; rel="license", <${BASE}>; rel="describedby"`,
    });
    const records = (await running.get('/ocds/records.jsonl?embed=1')).body.trimEnd().split('\n');
    expect(records.map((line) => JSON.parse(line).releases.length).reduce((sum, count) => sum + count, 0)).toBe(
      rows.length,
    );
  });

  it('are refused beyond the limit, and free their place at the end', async () => {
    const client = await running.database.pool.connect();
    await client.query('BEGIN; LOCK TABLE ocds_release IN ACCESS EXCLUSIVE MODE');
    const [first, second] = [running.get('/ocds/releases.jsonl'), running.get('/ocds/releases.jsonl')];
    const third = await running.get('/ocds/releases.jsonl');
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '30']);
    await client.query('ROLLBACK');
    client.release();
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200]);
    expect((await running.get('/ocds/releases.jsonl')).statusCode).toBe(200);
  });

  it('free their place when the client goes away (T8)', async () => {
    const client = await running.database.pool.connect();
    const isWaiting = async (count: number): Promise<boolean> => {
      const { rows } = await client.query<{ waiting: number }>(`SELECT count(*)::int AS waiting FROM pg_locks
        WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`);
      return rows[0]?.waiting === count;
    };
    const address = await running.app.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const open = async (): Promise<number> => {
      const { signal } = leaving;
      return (await fetch(`${address}/ocds/releases.jsonl`, { headers: anonymousIdentity(), signal })).status;
    };
    await client.query('BEGIN; LOCK TABLE ocds_release IN ACCESS EXCLUSIVE MODE');
    const left = [open(), open()];
    await waitFor(async () => isWaiting(2), { what: 'two downloads' });
    leaving.abort();
    expect((await Promise.allSettled(left)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // Refused until the service has seen that both are gone; then it waits for the table as well.
    let status: number | undefined;
    const ask = async (): Promise<void> => {
      status = undefined;
      status = (await running.get('/ocds/releases.jsonl')).statusCode;
    };
    let next = ask();
    await waitFor(
      async () => {
        if (status === 429) next = ask();
        return isWaiting(3);
      },
      { what: 'a free place' },
    );
    await client.query('ROLLBACK');
    client.release();
    await next;
    expect(status).toBe(200);
  });
});

describe('opt_schema', () => {
  it('is 503 for an unknown tender while the owner does not answer, and the stored release for a known one', async () => {
    expect((await running.get(`/ocds/tenders/2.5/${'a'.repeat(32)}`)).statusCode).toBe(503);
    const answer = await running.get(`/ocds/tenders/0.1/${TENDER_ID}`);
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.json()).toEqual({
      ...paper,
      uri: `https://procurement.example/api/0.1/tenders/${TENDER_ID}?opt_schema=OCDS-1.1`,
      releases: paper.releases.slice(-1),
    });
  });
});

describe('sealed bids', () => {
  it('are in no answer before the opening, whatever the view shows', async () => {
    const states = exampleStates('paper');
    const opened = states.at(-1) ?? {};
    // A view that shows bids early, as open guards of older segments may.
    const early = { ...states[2], bids: opened['bids'], id: 'e'.repeat(32), tenderID: 'UA-2026-03-02-000077' };
    const dateModified = '2029-03-06T12:00:06.017000+02:00';
    await storeRevisions(running.database.pool, [{ rev: 1, tender: { ...early, dateModified } }]);
    await projectAll(running.database.pool);
    const ocid = 'ocds-213czf-UA-2026-03-02-000077';
    for (const path of [`releases/${ocid}`, `records/${ocid}`, `records/${ocid}?embed=1`]) {
      const { body, statusCode } = await running.get(`/ocds/${path}`);
      expect(statusCode).toBe(200);
      for (const secret of ['94250.5', '95800', '34567803', 'Канцлер', 'c4e6a8b0d2f4416385a7c9ebd0f2a4c6'])
        expect(body).not.toContain(secret);
    }
  });
});

describe('an installation without a prefix', () => {
  it('has none of these paths', async () => {
    const off = await runningService({ OCDS_PUBLISHER_NAME: 'Example' });
    for (const path of ['', '/releases.json', `/records/${OCID}`, `/tenders/2.5/${TENDER_ID}`]) {
      const answer = await off.get(`/ocds${path}`);
      expect([answer.statusCode, answer.json().errors[0].name]).toEqual([404, 'not_found']);
    }
    await off.close();
  });
});
