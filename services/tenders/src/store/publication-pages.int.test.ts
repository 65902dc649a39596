import { createHash } from 'node:crypto';
import { PageHead, PublicationRow, TEXT_BYTES_MAX } from '@procurement/contracts/events/publications';
import { anonymousIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { respondListing, respondPublications } from '../events/respond-publications.ts';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { beginFeedEpoch } from './publication-log.ts';
import { publicationPages, type PublicationPages } from './publication-pages.ts';

let running: RunningTenders;
let pages: PublicationPages;
const { send, created } = requestsTo(() => running);
const ids: string[] = [];

beforeAll(async () => {
  running = await runningTenders();
  pages = publicationPages(running.database.pool);
  for (let n = 0; n < 3; n += 1) {
    const { id, owner } = await created();
    ids.push(id);
    await send('PATCH', `/tenders/${id}`, owner, { description: `change ${n}` });
  }
});

afterAll(async () => {
  await running.close();
});

interface ReadPage {
  readonly head: PageHead;
  readonly rows: readonly (PublicationRow & { readonly text?: string })[];
}

function read(lines: readonly string[], texts = true): ReadPage {
  const [first = '', ...rest] = lines;
  const rows: (PublicationRow & { text?: string })[] = [];
  while (rest.length > 0) {
    const row = PublicationRow.parse(JSON.parse(rest.shift() ?? ''));
    rows.push(texts && row.listed && row.parts === undefined ? { ...row, text: rest.shift() ?? '' } : row);
  }
  return { head: PageHead.parse(JSON.parse(first)), rows };
}

const QUESTION = { after: '0', epoch: 0, rowsMax: 500, bytesMax: 4_000_000, horizon: false };
const publications = async (question: object = {}): Promise<ReadPage> =>
  read(await respondPublications(pages)({ ...QUESTION, ...question }));

const digests = async (question: object = {}): Promise<ReadPage> =>
  read(await respondPublications(pages)({ ...QUESTION, texts: false, ...question }), false);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function publicText(id: string): Promise<string> {
  return (await send('GET', `/tenders/${id}`, anonymousIdentity())).body;
}

describe('ask.tenders.publications', () => {
  it('gives the publications after a position with the texts that were public, and the head', async () => {
    const { head, rows } = await publications();
    expect(rows.map(({ id, rev, first, causes }) => [id, rev, first, causes])).toEqual(
      ids.flatMap((id) => [
        [id, 1, true, ['tender.created']],
        [id, 2, undefined, ['tender.edited']],
      ]),
    );
    expect(rows.slice(1).map(({ previous }) => previous)).toEqual(rows.slice(0, -1).map(({ position }) => position));
    expect(head).toMatchObject({ head: rows.at(-1)?.position, oldest: rows[0]?.position, horizon: null, rows: 6 });
    for (const id of ids) expect(rows.findLast((row) => row.id === id)?.text).toBe(await publicText(id));
    for (const { text = '', bytes } of rows) expect(Buffer.byteLength(text)).toBe(bytes);
    expect((await publications({ after: rows[3]?.position })).rows).toEqual(rows.slice(4));
  });

  it('ends a page by rows or by bytes, and gives at least one', async () => {
    const { rows } = await publications();
    expect((await publications({ rowsMax: 2 })).rows).toEqual(rows.slice(0, 2));
    expect((await publications({ bytesMax: 1 })).rows).toEqual(rows.slice(0, 1));
    const bytesMax = (rows[0]?.bytes ?? 0) + (rows[1]?.bytes ?? 0);
    expect((await publications({ bytesMax })).rows).toEqual(rows.slice(0, 2));
  });

  it('reads no other texts, also with a plan from when there were none', async () => {
    const { pool, url } = running.database;
    const single = new pg.Pool({ connectionString: url, max: 1 });
    onTestFinished(async () => single.end());
    const alone = publicationPages(single);
    const textsRead = async (): Promise<number> => {
      await single.query('SELECT pg_stat_force_next_flush()');
      const { rows } = await pool.query(
        `SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE relname = 'tender_publication_text'`,
      );
      return rows[0].read;
    };
    const before = await textsRead();
    // PostgreSQL keeps the plan after five executions.
    for (let n = 0; n < 8; n += 1) await respondPublications(alone)(QUESTION);
    expect(await textsRead()).toBe(before);
  });

  it('finds a page by the index, also with the first plans and while the table has no statistics', async () => {
    const single = new pg.Pool({ connectionString: running.database.url, max: 1 });
    onTestFinished(async () => single.end());
    await single.query('BEGIN');
    await single.query(
      `INSERT INTO tender_publication (stamp, previous, tender_id, version, rev, listed, is_test, causes)
      SELECT head + n, head + n - 1, 'any', n, n, false, false, 0
      FROM (SELECT max(stamp) AS head FROM tender_publication) AS log, generate_series(1, 1000) AS n`,
    );
    const scans = async (): Promise<number> => {
      const { rows } = await single.query(
        `SELECT seq_scan::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'tender_publication'`,
      );
      return rows[0].scans;
    };
    const before = await scans();
    const alone = publicationPages(single);
    for (let n = 0; n < 3; n += 1) await respondPublications(alone)(QUESTION);
    expect(await scans()).toBe(before);
    await single.query('ROLLBACK');
  });

  it('lets no text of a draft leave', async () => {
    const { pool } = running.database;
    await pool.query('UPDATE tender_publication SET listed = false WHERE tender_id = $1', [ids[0]]);
    const { rows } = await publications();
    expect(rows[0]).toMatchObject({ id: ids[0], listed: false, bytes: 0 });
    expect(rows[0]).not.toHaveProperty('text');
    await pool.query('UPDATE tender_publication SET listed = true WHERE tender_id = $1', [ids[0]]);
  });

  it('gives digests and numbers instead of texts, up to any number of bytes', async () => {
    const [whole, { head, rows }] = [await publications(), await digests({ bytesMax: 1 })];
    expect(rows).toEqual(
      whole.rows.map(({ text = '', ...row }, n) => ({ ...row, sha256: sha256(text), number: n + 1 })),
    );
    expect(head).toEqual(whole.head);
    expect((await digests({ rowsMax: 2, after: rows[1]?.position })).rows).toEqual(rows.slice(2, 4));
  });

  it('tells of epochs that the asker does not have', async () => {
    const { pool } = running.database;
    await beginFeedEpoch(pool, 4);
    await beginFeedEpoch(pool, 5);
    const { head } = await publications({ epoch: 4 });
    expect(head).toMatchObject({ epoch: 5, epochs: [{ epoch: 5, restoredTo: head.head }] });
    expect((await publications({ epoch: 5 })).head.epochs).toEqual([]);
  });

  it('waits with a horizon for a publication that has its position and is not committed (A8)', async () => {
    const { pool } = running.database;
    const writer = await pool.connect();
    await writer.query('BEGIN');
    const { rows: ticked } = await writer.query<{ stamp: string }>('SELECT feed_tick()::text AS stamp');
    let answered: ReadPage | undefined;
    const answer = publications({ horizon: true }).then((page) => (answered = page));
    const waiting =
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    await waitFor(async () => (await pool.query(waiting)).rowCount === 1, { what: 'the horizon to wait' });
    expect(answered).toBeUndefined();
    await writer.query('COMMIT');
    writer.release();
    const { head } = await answer;
    expect(BigInt(head.horizon ?? 0)).toBeGreaterThan(BigInt(ticked[0]?.stamp ?? 0));
  });

  it('gives a text above the size of a line in parts (A7)', async () => {
    const { pool } = running.database;
    const after = (await publications()).rows[1]?.position;
    const description = 'ї'.repeat(TEXT_BYTES_MAX / 2);
    await pool.query('UPDATE tender_publication_text SET head = head || $2 WHERE tender_id = $1', [
      ids[1],
      description,
    ]);
    const { rows } = await publications({ after });
    const [row] = rows;
    expect([rows.length, row]).toMatchObject([1, { id: ids[1], parts: 2 }]);
    expect((await digests({ after })).rows[0]).not.toHaveProperty('parts');
    const parts = await Promise.all(
      [0, 1].map(async (part) => respondPublications(pages)({ position: row?.position, part })),
    );
    const text = Buffer.concat(parts.map(([line = '']) => Buffer.from(line, 'base64'))).toString();
    expect([Buffer.byteLength(text), text.includes(description)]).toEqual([row?.bytes, true]);
  });

  it('answers nothing when a listed publication has lost its text', async () => {
    const { pool } = running.database;
    await pool.query('DELETE FROM tender_publication_text WHERE tender_id = $1', [ids[0]]);
    await expect(publications()).rejects.toThrow('has no text');
  });
});

describe('ask.tenders.listing and ask.tenders.census', () => {
  it('list each tender once, at its newest, within the range', async () => {
    const question = { after: '0', upTo: String(Number.MAX_SAFE_INTEGER), rowsMax: 500, bytesMax: 4_000_000 };
    const { rows } = read(await respondListing(pages)(question));
    expect(rows.map(({ id, rev }) => [id, rev])).toEqual(ids.map((id) => [id, 2]));
    for (const { id, text } of rows) expect(text).toBe(await publicText(id));
    const withoutTexts = read(await respondListing(pages)({ ...question, bytesMax: 1, texts: false }), false).rows;
    expect(withoutTexts).toEqual(rows.map(({ text = '', ...row }) => ({ ...row, sha256: sha256(text) })));
    const upTo = rows[1]?.position ?? '';
    expect(read(await respondListing(pages)({ ...question, upTo })).rows).toEqual(rows.slice(0, 2));
    expect(read(await respondListing(pages)({ ...question, after: upTo })).rows).toEqual(rows.slice(2));
    const census = await pages.census('0', upTo);
    expect(census).toMatchObject({ count: 2, head: rows[2]?.position });
    expect(await pages.census(rows[0]?.position ?? '', upTo)).not.toMatchObject({ sum: census.sum });
  });

  it('end a page of digests by the length of the texts that they are of', async () => {
    await running.database.pool.query('UPDATE tender_view SET body = rpad(body, 40000000)');
    const question = { after: '0', upTo: String(Number.MAX_SAFE_INTEGER), rowsMax: 500, bytesMax: 1, texts: false };
    const { rows } = read(await respondListing(pages)(question), false);
    expect(rows.map(({ id }) => id)).toEqual([ids[0]]);
    const next = read(await respondListing(pages)({ ...question, after: rows[0]?.position }), false).rows;
    expect(next.map(({ id }) => id)).toEqual([ids[1]]);
  });
});
