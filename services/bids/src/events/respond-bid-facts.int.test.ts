import { describe, expect, it } from 'vitest';
import { postBid, send } from '../../test-support/bid-requests.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { respondBidFacts } from './respond-bid-facts.ts';

const running = setupBids();

async function lastEventData(tenderId: string): Promise<unknown> {
  const { rows } = await running().database.pool.query(
    `SELECT envelope FROM kit.outbox WHERE subject LIKE '%.' || $1 ORDER BY position DESC LIMIT 1`,
    [tenderId],
  );
  return JSON.parse(rows[0].envelope).data;
}

describe('ask.bids.facts', () => {
  it('is answered with what the last event of the bid carries, and with nothing for a withdrawn or unknown bid', async () => {
    const { id: tenderId } = await running().tender();
    const bid = await postBid(running().app, tenderId);
    const respond = respondBidFacts(running().deps);
    expect(await respond({ id: bid.id })).toEqual(await lastEventData(tenderId));
    await send(running().app, 'DELETE', bid.path, bid.owner);
    expect(await respond({ id: bid.id })).toBeUndefined();
    expect(await respond({ id: '0'.repeat(32) })).toBeUndefined();
  });
});
