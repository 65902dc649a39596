import pg from 'pg';
import type { Stack } from '@procurement/local-stack/stack';
import { broker } from './broker.ts';
import { minimalTender } from './request-bodies.ts';

/** Tenders whose enquiry period has ended, that the scheduler leaves alone until they are released. */
export interface HeldTenders {
  release(): Promise<void>;
}

/**
 * Creates a tender and copies it in the database, `count` tenders in all, and then lets the enquiry period of all of them end at `at`.
 * The first `heldCount` are locked before that.
 */
export async function createDueTenders(stack: Stack, count: number, at: Date, heldCount = 0): Promise<HeldTenders> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  // An hour later: on a slow machine `at` may come before the copies are there.
  const later = new Date(at.getTime() + 3_600_000).toISOString();
  const created = await buyer.post('/tenders', minimalTender({ enquiryPeriod: { endDate: later } }));
  if (created.status !== 201) throw new Error(`the tender was not created: ${created.text}`);
  const { id, enquiryPeriod } = created.body.data;
  const [client, holder] = [await connectTo(stack), await connectTo(stack)];
  const end = (on: pg.Client, ids: readonly string[]) => endEnquiries(on, ids, enquiryPeriod.endDate, at);
  try {
    await client.query('BEGIN');
    await client.query(COPY_TENDERS, [id, count - 1]);
    await client.query(COPY_FEED, [id, count - 1]);
    await client.query('COMMIT');
    await client.query('ANALYZE tender');
    const { rows } = await client.query<{ id: string }>(DUE_TENDERS, [enquiryPeriod.endDate]);
    const ids = rows.map((row) => row.id);
    const held = ids.slice(0, heldCount);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tender WHERE id = ANY($1) FOR UPDATE', [held]);
    await end(client, ids.slice(heldCount));
    return {
      async release() {
        await end(holder, held);
        await holder.query('COMMIT');
        await holder.end();
      },
    };
  } catch (error) {
    await holder.end();
    throw error;
  } finally {
    await client.end();
  }
}

async function connectTo(stack: Stack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  return client;
}

/** Lets enquiry periods that end at `later` end at `at`. */
async function endEnquiries(client: pg.Client, ids: readonly string[], later: string, at: Date): Promise<void> {
  const values = [ids, later, at.toISOString(), at.getTime() * 1_000];
  const { rowCount } = await client.query(END_ENQUIRIES, values);
  if (rowCount !== ids.length) throw new Error(`${rowCount} of ${ids.length} tenders have the period`);
}

// Others are not due: a system may have more tenders.
const DUE_TENDERS = 'SELECT id FROM tender WHERE strpos(document, $1) > 0 ORDER BY id';
const END_ENQUIRIES = `UPDATE tender SET document = replace(document, $2, $3), facts = replace(facts, $2, $3), due_at = $4
  WHERE id = ANY($1) AND strpos(document, $2) > 0`;

// The md5 of a number has the form of an id: 32 hex digits. Each copy has a number of its own, which names its process in OCDS.
const COPY_TENDERS = `INSERT INTO tender (id, tender_id, version, public_rev, owner, owner_token_hash, transfer_hash, document,
    facts, private_state, view_hash, due_at)
  SELECT md5(n::text), number, version, public_rev, owner, owner_token_hash, transfer_hash,
    replace(replace(document, id, md5(n::text)), tender_id, number), replace(replace(facts, id, md5(n::text)), tender_id, number),
    private_state, view_hash, due_at
  FROM tender, generate_series(1, $2::int) AS n, LATERAL (SELECT left(tender_id, -6) || (500000 + n)::text AS number) AS own
  WHERE id = $1`;
const COPY_FEED = `INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
  SELECT md5(n::text), stamp - n, rev, listed, is_test, replace(entry, tender_id, md5(n::text)), fast_fields
  FROM tender_feed, generate_series(1, $2::int) AS n WHERE tender_id = $1`;

/** How many of the due tenders had their transition, and the largest number of transition events of one tender. */
export interface TransitionCounts {
  readonly transitioned: number;
  readonly timesMax: number;
}

// A later change, such as a planned auction, is no transition, nor is the same state published again (decision 0062).
const COUNT_TRANSITIONS = `SELECT count(DISTINCT subject) AS moved, max(times) AS times FROM (
    SELECT subject, count(DISTINCT envelope::json #>> '{data,version}') AS times FROM kit.outbox
    WHERE subject LIKE 'tenders.tender-changed.%' AND envelope::json #>> '{data,status}' = 'active.tendering'
      AND envelope::json #>> '{data,auctionPeriod,startDate}' IS NULL
    GROUP BY subject) AS one`;

/** Counts, in the database of tenders, the transitions of the tenders of `createDueTenders`. */
export async function countTransitions(stack: Stack): Promise<TransitionCounts> {
  const client = await connectTo(stack);
  try {
    const { rows } = await client.query<{ moved: string; times: string | null }>(COUNT_TRANSITIONS);
    return { transitioned: Number(rows[0]?.moved), timesMax: Number(rows[0]?.times ?? 0) };
  } finally {
    await client.end();
  }
}
