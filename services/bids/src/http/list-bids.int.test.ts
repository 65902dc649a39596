import { anonymousIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();

describe('GET /tenders/{id}/bids', () => {
  it('403: while sealed, for every caller, with and without bids', async () => {
    const { id: tender } = await running().tender();
    const list = `/tenders/${tender}/bids`;
    for (const bid of [undefined, await postBid(running().app, tender)]) {
      const response = await send(running().app, 'GET', list, bid?.owner ?? anonymousIdentity());
      expect([response.statusCode, response.json().errors[0].description]).toEqual([
        403,
        "Can't view bids in current (active.tendering) tender status",
      ]);
    }
  });

  it('200: opened bids in the order of registration, without drafts', async () => {
    const tender = await running().tender();
    const bids = [await postBid(running().app, tender.id), await postBid(running().app, tender.id)];
    await postBid(running().app, tender.id, bidBody({ status: 'draft' }));
    await running().deliver({ ...tender, status: 'active.qualification', version: 2 });
    const response = await send(running().app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity());
    expect([response.statusCode, response.json().data]).toEqual([200, bids.map((bid) => bid.data)]);
    expect(response.body).not.toContain('owner');
  });

  it('200: an empty list before tendering', async () => {
    const { id: tender } = await running().tender({ status: 'active.enquiries' });
    expect((await send(running().app, 'GET', `/tenders/${tender}/bids`, anonymousIdentity())).body).toBe('{"data":[]}');
  });
});
