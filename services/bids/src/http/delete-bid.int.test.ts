import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, publishedBidEvents, send } from '../../test-support/bid-requests.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();

const late = '2026-05-20T18:00:00.000001+03:00';

describe('DELETE /tenders/{id}/bids/{bid_id}', () => {
  it('200: the bid as it was; after that a 404 for every caller, with its row kept for the audit, encrypted', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const response = await send(running().app, 'DELETE', bid.path, bid.owner);
    expect([response.statusCode, response.json().data]).toEqual([200, bid.data]);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const after = await send(running().app, method, bid.path, bid.owner);
      expect([after.statusCode, after.json().errors[0].name]).toEqual([404, 'bid_id']);
    }
    expect((await publishedBidEvents(running().database.pool, tender)).at(-1)).toMatchObject({
      type: 'bid.withdrawn',
      asksForAppliedAck: false,
      data: { id: bid.id, version: 2, status: 'deleted' },
    });
    const { rows } = await running().database.pool.query('SELECT status, document, sealed FROM bid WHERE id = $1', [
      bid.id,
    ]);
    expect(rows).toEqual([{ status: 'deleted', document: null, sealed: expect.any(Buffer) }]);
  });

  it('200: to the Administrator, without anything of the bidder or the offer', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const headers = signedIdentity({ broker: 'root', group: 'Administrator' });
    const response = await send(running().app, 'DELETE', bid.path, headers);
    const { id, date, status } = bid.data;
    expect([response.statusCode, response.json().data]).toEqual([200, { id, date, status }]);
  });

  it('200: to one of two concurrent requests only', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const responses = await Promise.all([1, 2].map(async () => send(running().app, 'DELETE', bid.path, bid.owner)));
    expect(responses.map((response) => `${response.statusCode}`).sort()).toEqual(['200', '404']);
  });

  it.each([
    [401, 'without credentials', () => anonymousIdentity()],
    [403, 'without its token', () => bidderHeaders],
    [403, 'with its token, by another broker', (token: string) => ownerHeaders(token, 'broker3')],
  ] as const)('%d: %s', async (status, _how, headersOf) => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    expect((await send(running().app, 'DELETE', bid.path, headersOf(bid.token))).statusCode).toBe(status);
    expect((await send(running().app, 'GET', bid.path, bid.owner)).statusCode).toBe(200);
  });

  it('403: outside period and status', async () => {
    const tender = await running().tender();
    const bid = await postBid(running().app, tender.id);
    running().clock.set(late);
    const after = await send(running().app, 'DELETE', bid.path, bid.owner);
    expect(after.json().errors[0].description).toBe(
      'Bid can be deleted only during the tendering period: from (2026-05-10T00:00:00+03:00) to (2026-05-20T18:00:00+03:00).',
    );
    await running().deliver({ ...tender, status: 'active.auction', version: 2 });
    const closed = await send(running().app, 'DELETE', bid.path, bid.owner);
    expect(closed.json().errors[0].description).toBe("Can't delete bid in current (active.auction) tender status");
  });
});
