import { tableContents } from '@procurement/testing/table-contents';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();
const contents = async () => tableContents(running().database.pool);

describe('a write of a bid with opt_dry_run', () => {
  it('is answered as if done, and changes nothing', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const before = await contents();
    const created = await send(
      running().app,
      'POST',
      `/tenders/${tender}/bids?opt_dry_run=1`,
      bidderHeaders,
      bidBody({ value: { amount: 440 } }),
    );
    expect([created.statusCode, created.json().data]).toEqual([
      201,
      { ...bid.data, id: expect.any(String), date: expect.any(String), value: { ...bid.data.value, amount: 440 } },
    ]);
    expect([Object.keys(created.json().access), created.headers.location]).toEqual([
      ['token', 'transfer'],
      `https://api.example.org/api/2.5/tenders/${tender}/bids/${created.json().data.id}`,
    ]);
    const changed = await send(running().app, 'PATCH', `${bid.path}?opt_dry_run=1`, bid.owner, {
      value: { amount: 450 },
    });
    expect([changed.statusCode, changed.json().data.value.amount]).toEqual([200, 450]);
    const deleted = await send(running().app, 'DELETE', `${bid.path}?opt_dry_run=1`, bid.owner);
    expect([deleted.statusCode, deleted.json().data.id]).toEqual([200, bid.id]);
    const refused = await send(running().app, 'PATCH', `${bid.path}?opt_dry_run=1`, bid.owner, {
      value: { amount: 501 },
    });
    expect([refused.statusCode, refused.json().errors[0].code]).toEqual([422, 'bid.terms']);
    expect(await contents()).toEqual(before);
  });
});
