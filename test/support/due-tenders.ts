import pg from 'pg';
import type { Stack } from '@procurement/local-stack/stack';
import { broker } from './broker.ts';
import { minimalTender } from './request-bodies.ts';

/** Creates a tender whose enquiry period ends at `at`, and copies it in the database: `count` tenders in all. */
export async function createDueTenders(stack: Stack, count: number, at: Date): Promise<void> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const created = await buyer.post('/tenders', minimalTender({ enquiryPeriod: { endDate: at.toISOString() } }));
  if (created.status !== 201) throw new Error(`the tender was not created: ${created.text}`);
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  try {
    await client.query('BEGIN');
    // The scheduler leaves it alone until the copies are there.
    await client.query('SELECT FROM tender WHERE id = $1 FOR UPDATE', [created.body.data.id]);
    await client.query(COPY_TENDERS, [created.body.data.id, count - 1]);
    await client.query(COPY_FEED, [created.body.data.id, count - 1]);
    await client.query('COMMIT');
    await client.query('ANALYZE tender');
  } finally {
    await client.end();
  }
}

// The md5 of a number has the form of an id: 32 hex digits. Each copy has a number of its own, which names its process in OCDS.
const COPY_TENDERS = `INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document,
    facts, surroundings, view_hash, due_at)
  SELECT md5(n::text), number, version, public_rev, owner, owner_token_hash, transfer_hash,
    replace(replace(document, id, md5(n::text)), tender_id, number), replace(replace(facts, id, md5(n::text)), tender_id, number),
    surroundings, view_hash, due_at
  FROM tender, generate_series(1, $2::int) AS n, LATERAL (SELECT left(tender_id, -6) || (500000 + n)::text AS number) AS own
  WHERE id = $1`;
const COPY_FEED = `INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
  SELECT md5(n::text), stamp - n, rev, listed, is_test, replace(entry, tender_id, md5(n::text)), fast_fields
  FROM tender_feed, generate_series(1, $2::int) AS n WHERE tender_id = $1`;

/** Locks so many of the tenders of `createDueTenders`, which the scheduler then leaves alone. */
export async function holdDueTenders(stack: Stack, count: number): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM tender ORDER BY id LIMIT $1 FOR UPDATE', [count]);
  return {
    async release() {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

/** How many of the due tenders had their transition, and the largest number of transition events of one tender. */
export interface TransitionCounts {
  readonly transitioned: number;
  readonly timesMax: number;
}

// A later change, such as a planned auction, is no transition, nor is the same state published again (decision 0062).
const COUNT_TRANSITIONS = `SELECT count(DISTINCT subject) AS moved, max(times) AS times FROM (
    SELECT subject, count(DISTINCT envelope::json #>> '{data,version}') AS times FROM outbox
    WHERE subject LIKE 'tenders.tender-changed.%' AND envelope::json #>> '{data,status}' = 'active.tendering'
      AND envelope::json #>> '{data,auctionPeriod,startDate}' IS NULL
    GROUP BY subject) AS one`;

/** Counts, in the database of tenders, the transitions of the tenders of `createDueTenders`. */
export async function countTransitions(stack: Stack): Promise<TransitionCounts> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  try {
    const { rows } = await client.query<{ moved: string; times: string | null }>(COUNT_TRANSITIONS);
    return { transitioned: Number(rows[0]?.moved), timesMax: Number(rows[0]?.times ?? 0) };
  } finally {
    await client.end();
  }
}
