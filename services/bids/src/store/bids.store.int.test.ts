import { freezeTender } from '@procurement/testing/frozen-tender';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { respondFreeze } from '../events/respond-freeze.ts';

const running = setupBids();

/** A tender with a bidding row, as after its first bid. */
async function tenderWithBidding(): Promise<string> {
  const { id } = await running().tender();
  await postBid(running().app, id);
  return id;
}

const post = async (tenderId: string, data = bidBody(), headers = bidderHeaders) =>
  send(running().app, 'POST', `/tenders/${tenderId}/bids`, headers, data);

describe('POST /tenders/{id}/bids', () => {
  it('422 and 403 while the tender is frozen: a freeze concerns accepted bids only', async () => {
    const { id } = await running().tender();
    const frozen = await freezeTender(respondFreeze(running().deps), id);
    expect((await post(id, bidBody({ colour: 'red' }))).statusCode).toBe(422);
    running().clock.set('2026-05-20T18:00:00.000001+03:00');
    expect((await post(id)).statusCode).toBe(403);
    await frozen.lift(1);
  });
});

describe('concurrent POST /tenders/{id}/bids', () => {
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
      // Answered while the bid of the closing tender waits.
      expect((await post(open)).statusCode).toBe(201);
      running().clock.set('2026-05-20T18:00:00.000001+03:00');
      await holder.query('COMMIT');
      expect((await held).statusCode).toBe(403);
    } finally {
      holder.release();
    }
  });

  it('of one tender leave connections for bids of others, however many wait', async () => {
    const [closing, open] = [await tenderWithBidding(), await tenderWithBidding()];
    const { pool } = running().database;
    const holder = await pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM bidding WHERE tender_id = $1 FOR UPDATE', [closing]);
      const waiting = Array.from({ length: 2 * pool.options.max }, async () => post(closing));
      expect((await post(open)).statusCode).toBe(201);
      await holder.query('COMMIT');
      const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
      expect(new Set(statuses)).toEqual(new Set([201]));
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
