import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPANDED_BYTES_MAX, PAGE_BYTES_MAX } from '@procurement/kit/feed/feed.store';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { validTender } from '../../test-support/valid-tender.ts';

const TENDERS = 200;
const WRITERS = 16;
const CHANGES = 40;

let running: RunningTenders;

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

/** Repeats a request until it is done: a slow machine waits for the lock of the feed for longer than the service does. */
async function done(method: 'POST' | 'PATCH', url: string, identity: object, data: object, status: number) {
  const headers = { ...signedIdentity(identity), 'content-type': 'application/json' };
  return waitFor(
    async () => {
      const answer = await running.app.inject({ method, url, headers, payload: JSON.stringify({ data }) });
      return answer.statusCode === status && answer.json();
    },
    { what: `${method} ${url}` },
  );
}

async function change(id: string, token: string, description: string): Promise<string> {
  const answer = await done('PATCH', `/tenders/${id}`, { tokenHash: sha256Hex(token) }, { description }, 200);
  return answer.data.dateModified;
}

/** Reads the ascending feed until the writers are done and no row is left. Returns the last position of each tender. */
async function readFeed(writersAreDone: () => boolean): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  let after = 0n;
  for (;;) {
    const writersWereDone = writersAreDone();
    const page = await running.deps.feed.rows({ descending: false, mode: 'all', after, limit: 7 }, false);
    for (const row of page) {
      expect(row.stamp > after).toBe(true);
      after = row.stamp;
      seen.set(row.id, row.dateModified);
    }
    if (writersWereDone && page.length === 0) return seen;
  }
}

async function newestStamp(): Promise<bigint> {
  const { rows } = await running.database.pool.query<{ stamp: string }>('SELECT max(stamp) AS stamp FROM tender_feed');
  return BigInt(rows[0]?.stamp ?? 0);
}

describe('the feed (http.md 1.8, acceptance test)', () => {
  it('delivers the last change of every tender to every reader while transactions commit late', async () => {
    // Delays writers between the update of the row and the publication: a feed ordered by wall clock would skip changes.
    await running.database.pool.query(`
      CREATE FUNCTION delay_update() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NEW; END $$;
      CREATE TRIGGER delay_update BEFORE UPDATE ON tender FOR EACH ROW EXECUTE FUNCTION delay_update();`);
    const tenders = await Promise.all(
      Array.from({ length: TENDERS }, async () => {
        const { data, access } = await done('POST', '/tenders', {}, validTender(), 201);
        return { id: data.id as string, token: access.token as string };
      }),
    );
    const last = new Map<string, string>();
    let isOver = false;
    const readers = [readFeed(() => isOver), readFeed(() => isOver)];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < CHANGES; n += 1) {
          const tender = tenders[(writer + WRITERS * n) % TENDERS];
          if (tender === undefined) throw new Error('no tender');
          const modified = await change(tender.id, tender.token, `${writer} ${n}`);
          if (modified > (last.get(tender.id) ?? '')) last.set(tender.id, modified);
        }
      }),
    );
    isOver = true;
    for (const seen of await Promise.all(readers)) {
      expect(seen.size).toBe(TENDERS);
      for (const [id, modified] of last) expect(seen.get(id)).toBe(modified);
    }
  });

  it('ends a page of large tenders early, and delivers all of them (http.md 1.4)', async () => {
    const { pool } = running.database;
    const large = `jsonb_build_object('data', jsonb_build_object('description', repeat('x', ${PAGE_BYTES_MAX / 2})))::text`;
    await pool.query(
      `UPDATE tender_view SET body = ${large} WHERE tender_id IN (SELECT tender_id FROM tender_feed ORDER BY stamp LIMIT 5)`,
    );
    const lengths: number[] = [];
    const seen = new Set<string>();
    for (let after = 0n; ;) {
      const page = await running.deps.feed.rows({ descending: false, mode: 'all', after, limit: 100 }, true);
      const last = page.at(-1);
      if (last === undefined) break;
      lengths.push(page.length);
      for (const row of page) seen.add(row.id);
      after = last.stamp;
    }
    expect(lengths.slice(0, 3)).toEqual([2, 2, 100]);
    expect(seen.size).toBe(TENDERS);
  });

  it('gives whole tenders with opt_expand, byte for byte, in pages of at most 4 MiB unless one is larger (register.md 8.6)', async () => {
    const { pool } = running.database;
    // 5 of 8 MiB, from the test before: one page each. Then pairs of 2 MiB with their envelopes exceed 4 MiB.
    await pool.query(
      `UPDATE tender_view SET body = '{"data":{"description":"' || repeat('ї', ${EXPANDED_BYTES_MAX / 4}) || '"}}'
        WHERE tender_id IN (SELECT tender_id FROM tender_feed ORDER BY stamp OFFSET 5 LIMIT 3)`,
    );
    const { rows } = await pool.query<{ body: string }>(
      'SELECT body FROM tender_view JOIN tender_feed USING (tender_id) ORDER BY stamp',
    );
    const lengths: number[] = [];
    const texts: string[] = [];
    for (let url = '/tenders?opt_expand=1&mode=_all_'; ;) {
      const { body: answer } = await running.app.inject({ method: 'GET', url, headers: anonymousIdentity() });
      const page = JSON.parse(answer);
      if (page.data.length === 0) break;
      lengths.push(page.data.length);
      texts.push(answer.slice('{"data":['.length, answer.lastIndexOf('],"next_page":{')));
      url = page.next_page.path.replace('/api/2.5', '');
    }
    expect(lengths.slice(0, 9)).toEqual([1, 1, 1, 1, 1, 1, 1, 100, 93]);
    expect(texts.join()).toBe(rows.map(({ body }) => body.slice('{"data":'.length, -1)).join());
  });

  it('skips nothing in pages of whole tenders that are cut by their bytes, while writers go on (A46, http.md 1.8)', async () => {
    const start = await newestStamp();
    // 90 of 60 kB: a page of up to 100 ends before the last.
    const description = 'ї'.repeat(30_000);
    const tenders = await Promise.all(
      Array.from({ length: 90 }, async () => {
        const { data, access } = await done('POST', '/tenders', {}, validTender({ description }), 201);
        return { id: String(data.id), token: String(access.token) };
      }),
    );
    const page = { descending: false, mode: 'all', limit: 100 } as const;
    expect((await running.deps.feed.objects({ ...page, after: start })).length).toBeLessThan(tenders.length);
    let isOver = false;
    const read = async (): Promise<Map<string, string>> => {
      const seen = new Map<string, string>();
      for (let after = start; ;) {
        const isLast = isOver;
        const rows = await running.deps.feed.objects({ ...page, after });
        for (const { body } of rows) seen.set(JSON.parse(body).data.id, body);
        after = rows.at(-1)?.stamp ?? after;
        if (isLast && rows.length === 0) return seen;
      }
    };
    const readers = [read(), read()];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (const { id, token } of tenders.slice(0, 3 * WRITERS).filter((_one, n) => n % WRITERS === writer))
          await done('PATCH', `/tenders/${id}`, { tokenHash: sha256Hex(token) }, { title: `${writer}` }, 200);
      }),
    );
    isOver = true;
    const { rows } = await running.database.pool.query<{ id: string; body: string }>(
      'SELECT tender_id AS id, body FROM tender_view JOIN tender_feed USING (tender_id) WHERE stamp > $1',
      [start],
    );
    const now = new Map(rows.map(({ id, body }) => [id, body]));
    expect(now.size).toBe(tenders.length);
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(now);
  });

  it('refuses a change that was not published', async () => {
    const update = running.database.pool.query('UPDATE tender SET public_rev = public_rev + 1');
    await expect(update).rejects.toThrow('was changed without being published');
  });
});
