import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { bidderHeaders, ownerHeaders, postBid, send } from '../../test-support/bid-requests.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const running = setupBids();

describe('GET /tenders/{id}/bids/{bid_id}', () => {
  it('200: shows a sealed bid only to the holder of its own token', async () => {
    const { id: tender } = await running().tender();
    const [bid, other] = [await postBid(running().app, tender), await postBid(running().app, tender)];
    expect((await send(running().app, 'GET', bid.path, bid.owner)).json().data).toEqual(bid.data);
    const strangers = [
      anonymousIdentity(),
      bidderHeaders,
      other.owner,
      ownerHeaders(bid.token, 'broker3'),
      signedIdentity({ broker: 'broker1', tokenHash: 'c'.repeat(64) }),
      signedIdentity({ broker: 'root', group: 'Administrator' }),
      signedIdentity({ broker: 'root', group: 'admins' }),
      signedIdentity({ broker: 'auction', group: 'auction', tokenHash: sha256Hex(bid.token) }),
    ];
    for (const headers of strangers) {
      const response = await send(running().app, 'GET', bid.path, headers);
      expect([response.statusCode, response.json().errors]).toMatchObject([
        403,
        [{ location: 'body', name: 'data', description: "Can't view bid in current (active.tendering) tender status" }],
      ]);
    }
  });

  it('405: an unsupported method, after the 404', async () => {
    const { id: tender } = await running().tender();
    const bid = await postBid(running().app, tender);
    const response = await send(running().app, 'PUT', bid.path, anonymousIdentity());
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, PATCH, DELETE']);
    expect((await send(running().app, 'PUT', `${bid.path}0`, anonymousIdentity())).statusCode).toBe(404);
  });
});
