import { anonymousIdentity } from '@procurement/testing/identity';
import { describe, expect, it, vi } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();

describe('a copy of the tender that lags', () => {
  it('causes no refusal: writes and reads are decided again by the facts of the tenders service', async () => {
    const tender = await running().tender({ status: 'active.enquiries' });
    running().ownerTenders.set(tender.id, { ...tender, status: 'active.tendering', version: 2 });
    const bid = await postBid(running().app, tender.id);
    running().ownerTenders.set(tender.id, { ...tender, status: 'active.qualification', version: 3 });
    expect((await send(running().app, 'GET', bid.path, anonymousIdentity())).json().data).toEqual(bid.data);
    expect((await send(running().app, 'GET', `/tenders/${tender.id}/bids`, anonymousIdentity())).statusCode).toBe(200);
  });

  it('causes no refusal of a write while the tenders service does not answer: 503, and a read goes by the copy', async () => {
    const tender = await running().tender({ status: 'active.enquiries' });
    const silence = vi.spyOn(running().ownerTenders, 'get').mockImplementation(() => {
      throw new Error('unavailable');
    });
    const url = `/tenders/${tender.id}/bids`;
    const refused = await send(running().app, 'POST', url, bidderHeaders, bidBody());
    const read = await send(running().app, 'GET', url, anonymousIdentity());
    silence.mockRestore();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(read.statusCode).toBe(200);
  });

  it('causes no refusal by an older value of the tender', async () => {
    const tender = await running().tender({ value: { amount: 10, currency: 'UAH', valueAddedTaxIncluded: true } });
    running().ownerTenders.set(tender.id, {
      ...tender,
      value: { amount: 500, currency: 'UAH', valueAddedTaxIncluded: true },
      version: 2,
    });
    expect((await postBid(running().app, tender.id)).data.value.amount).toBe(489);
  });

  it('costs one request for a refusal by the tender, and none for a refusal by the body', async () => {
    const { id: tender } = await running().tender({ status: 'active.auction' });
    const before = running().ownerRequestCount();
    expect((await send(running().app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, bidBody())).statusCode).toBe(
      403,
    );
    expect(running().ownerRequestCount() - before).toBe(1);
    expect((await send(running().app, 'POST', `/tenders/${tender}/bids`, bidderHeaders, {})).statusCode).toBe(422);
    expect(running().ownerRequestCount() - before).toBe(1);
  });
});
