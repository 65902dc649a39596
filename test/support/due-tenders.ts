import pg from 'pg';
import type { Stack } from '@procurement/local-stack/stack';
import { broker } from './broker.ts';
import { plainTender } from './tender.ts';

/** Copies, in the database of tenders, of one tender whose enquiries end at `at`: as many as are to be due at once. */
export async function dueTenders(stack: Stack, count: number, at: Date): Promise<void> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const created = await buyer.post('/tenders', plainTender({ enquiryPeriod: { endDate: at.toISOString() } }));
  if (created.status !== 201) throw new Error(`no tender to copy: ${created.text}`);
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(COPY_TENDERS, [created.body.data.id, count - 1]);
    await client.query(COPY_FEED, [created.body.data.id, count - 1]);
    await client.query('COMMIT');
    await client.query('ANALYZE tender');
  } finally {
    await client.end();
  }
}

// An id that md5 makes of a number is 32 hex digits like any other.
const COPY_TENDERS = `INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document,
    facts, surroundings, view_hash, due_at)
  SELECT md5(n::text), tender_id || '-' || n, version, public_rev, owner, owner_token_hash, transfer_hash,
    replace(document, id, md5(n::text)), replace(facts, id, md5(n::text)), surroundings, view_hash, due_at
  FROM tender, generate_series(1, $2::int) AS n WHERE id = $1`;
const COPY_FEED = `INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
  SELECT md5(n::text), stamp - n, rev, listed, is_test, replace(entry, tender_id, md5(n::text)), fast_fields
  FROM tender_feed, generate_series(1, $2::int) AS n WHERE tender_id = $1`;

/** How the due tenders stand: how many have moved, and whether any has moved more than once. */
export interface Moves {
  readonly moved: number;
  /** The most often that one tender was told to have changed since it was copied. */
  readonly timesMax: number;
  /** When the last of them moved, in unix milliseconds. */
  readonly lastMs: number;
}

/** Looks into the database of tenders, at what `dueTenders` made. */
export async function movesOf(stack: Stack): Promise<Moves> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  try {
    const { rows } = await client.query<{ moved: string; times: string | null; last: string | null }>(
      `SELECT count(*) AS moved, max(times) AS times, max(last) AS last FROM (
        SELECT tender.id, max(stamp) AS last,
          (SELECT count(*) FROM outbox WHERE subject = 'tenders.tender-changed.' || tender.id) AS times
        FROM tender JOIN tender_feed ON tender_feed.tender_id = tender.id
        WHERE document::json ->> 'status' = 'active.tendering' GROUP BY tender.id) AS one`,
    );
    const row = rows[0];
    return { moved: Number(row?.moved), timesMax: Number(row?.times ?? 0), lastMs: Number(row?.last ?? 0) / 1_000 };
  } finally {
    await client.end();
  }
}
