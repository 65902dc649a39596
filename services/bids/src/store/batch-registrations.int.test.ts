import { instantOf } from '@procurement/contracts/reading/instant';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const BIDS_COUNT = 40;

const running = setupBids();

/** A tender with a bidding row, as after its first bid. */
async function tenderWithBidding(): Promise<string> {
  const { id } = await running().tender();
  await postBid(running().app, id);
  return id;
}

const post = async (tenderId: string, data = bidBody(), headers = bidderHeaders) =>
  send(running().app, 'POST', `/tenders/${tenderId}/bids`, headers, data);

/** Collects the names of statements, and calls `before` ahead of each on the pool. */
function watchStatements(before: (name: string) => Promise<void> = async () => undefined): readonly string[] {
  // One of its overloads, in general.
  const pool = running().database.pool as unknown as { query(...args: readonly unknown[]): Promise<unknown> };
  const names: string[] = [];
  const query = pool.query.bind(pool);
  const spy = vi.spyOn(pool, 'query').mockImplementation(async (...args) => {
    const name = z.object({ name: z.string() }).safeParse(args[0]).data?.name ?? 'unnamed';
    names.push(name);
    await before(name);
    return query(...args);
  });
  onTestFinished(() => spy.mockRestore());
  return names;
}

/** Changes the bidding once, after it was read and before bids are stored. */
function changeBeforeRegister(text: string, id: string): void {
  const { pool } = running().database;
  let isChanged = false;
  watchStatements(async (name) => {
    if (name !== 'bids-register' || isChanged) return;
    isChanged = true;
    const client = await pool.connect();
    await client.query(text, [id]).finally(() => client.release());
  });
}

const bidCount = async (tenderId: string) =>
  (await running().database.pool.query('SELECT FROM bid WHERE tender_id = $1', [tenderId])).rowCount;

describe('POST /tenders/{id}/bids', () => {
  it('reads once and stores once beside the copy of the tender, also the first bid of a tender', async () => {
    const { id } = await running().tender();
    const names = watchStatements();
    for (let n = 0; n < 2; n += 1) expect((await post(id)).statusCode).toBe(201);
    const once = ['replica-read', 'biddings-read', 'bids-register'];
    expect(names.filter((name) => !name.startsWith('outbox'))).toEqual([...once, ...once]);
  });

  it('is decided again when the bidding was closed after it was read', async () => {
    const id = await tenderWithBidding();
    changeBeforeRegister(`UPDATE bidding SET phase = 'sealed', version = version + 1 WHERE tender_id = $1`, id);
    expect((await post(id)).statusCode).toBe(403);
    expect(await bidCount(id)).toBe(1);
  });

  it('is decided again when another process stored the first bid of the tender meanwhile', async () => {
    const { id } = await running().tender();
    const later = '2026-05-14T00:00:00.000000+03:00';
    changeBeforeRegister(`INSERT INTO bidding (tender_id, last_date) VALUES ($1, ${instantOf(later)})`, id);
    const answer = await post(id);
    expect([answer.statusCode, answer.json().data.date]).toEqual([201, '2026-05-14T00:00:00.000001+03:00']);
    expect(await bidCount(id)).toBe(1);
  });

  it('is frozen by a cancellation that came after it was read', async () => {
    const id = await tenderWithBidding();
    changeBeforeRegister(
      'UPDATE bidding SET fence_number = 1, fence_held_at = clock_timestamp() WHERE tender_id = $1',
      id,
    );
    expect((await post(id)).statusCode).toBe(503);
    expect(await bidCount(id)).toBe(1);
  });
});

describe('the usage that a process keeps between bids', () => {
  const storedBid = `INSERT INTO bid (id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash)
    SELECT gen_random_uuid()::text, $1, 1, 'active', '{}', 'broker2', '', '' FROM generate_series(1, 300)`;

  it('is not counted again while nobody else writes', async () => {
    const id = await tenderWithBidding();
    await running().database.pool.query(storedBid, [id]);
    expect((await post(id)).statusCode, 'rows that nobody can write without a change of the bidding').toBe(201);
  });

  it('is counted again after another process has written', async () => {
    const id = await tenderWithBidding();
    const { pool } = running().database;
    await pool.query(storedBid, [id]);
    await pool.query('UPDATE bidding SET last_date = last_date WHERE tender_id = $1', [id]);
    expect((await post(id)).statusCode).toBe(422);
  });

  it('is counted again after a bid was changed or withdrawn here', async () => {
    const { id } = await running().tender();
    const bid = await postBid(running().app, id);
    const { pool } = running().database;
    await pool.query(storedBid, [id]);
    expect((await send(running().app, 'PATCH', bid.path, bid.owner, { value: { amount: 350 } })).statusCode).toBe(200);
    expect((await post(id)).statusCode).toBe(422);
  });
});

describe('concurrent POST /tenders/{id}/bids', () => {
  it('share transactions, and store each bid with its own event', async () => {
    const tenders = [await tenderWithBidding(), await tenderWithBidding()];
    const answers = await Promise.all(
      Array.from({ length: BIDS_COUNT }, async (_, n) => post(n % 2 === 0 ? String(tenders[0]) : String(tenders[1]))),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]));
    const ids = answers.map((answer) => String(answer.json().data.id));
    const { pool } = running().database;
    const stored = await pool.query('SELECT id, xmin::text AS by FROM bid WHERE id = ANY($1::text[])', [ids]);
    expect(stored.rows).toHaveLength(BIDS_COUNT);
    // As many transactions as bids would mean that each had its own.
    expect(new Set(stored.rows.map(({ by }) => by)).size).toBeLessThan(BIDS_COUNT);
    const outboxRows = await pool.query(
      `SELECT envelope::json -> 'data' ->> 'id' AS id, xmin::text AS by FROM outbox
       WHERE envelope::json -> 'data' ->> 'id' = ANY($1::text[])`,
      [ids],
    );
    const pairs = (rows: readonly { id: string; by: string }[]) => rows.map(({ id, by }) => `${id} ${by}`).sort();
    expect(pairs(outboxRows.rows)).toEqual(pairs(stored.rows));
  });

  it('are each decided separately', async () => {
    const id = await tenderWithBidding();
    const bodies = [bidBody(), bidBody({ value: { amount: 1_000_000 } }), bidBody(), bidBody({ colour: 'red' })];
    const answers = await Promise.all(bodies.map(async (body) => post(id, body)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 422, 201, 422]);
  });

  it('do not wait for another tender that is being closed', async () => {
    const [closing, open] = [await tenderWithBidding(), await tenderWithBidding()];
    const holder = await running().database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM bidding WHERE tender_id = $1 FOR UPDATE', [closing]);
      const held = post(closing);
      // Sent together with a bid that has to wait; answered while that one waits.
      expect((await post(open)).statusCode).toBe(201);
      running().clock.set('2026-05-20T18:00:00.000001+03:00');
      await holder.query('COMMIT');
      expect((await held).statusCode).toBe(403);
    } finally {
      holder.release();
    }
  });

  it('fail separately, and store a bid that is sent twice at once only once', async () => {
    const id = await tenderWithBidding();
    const repeated = signedIdentity({ broker: 'broker2', seed: 'the same attempt' });
    const headers = [bidderHeaders, repeated, bidderHeaders, repeated, bidderHeaders];
    const answers = await Promise.all(headers.map(async (one) => post(id, bidBody(), one)));
    const statuses = answers.map((answer) => answer.statusCode);
    expect([statuses[0], statuses[2], statuses[4]]).toEqual([201, 201, 201]);
    // The second of the two finds the first stored, or collides with it.
    const both = [answers[1], answers[3]].flatMap((answer) =>
      answer?.statusCode === 201 ? [String(answer.json().data.id)] : [],
    );
    expect(both.length).toBeGreaterThan(0);
    expect(new Set(both).size).toBe(1);
    const { rows } = await running().database.pool.query('SELECT count(*)::int AS n FROM bid WHERE tender_id = $1', [
      id,
    ]);
    expect(rows[0].n).toBe(5);
  });
});
