import { tableContents } from '@procurement/testing/table-contents';
import { describe, expect, it } from 'vitest';
import { AUCTION_URL, auctionPath, RESULTS } from '../../test-support/hand-off-requests.ts';
import { send } from '../../test-support/running-hand-off.ts';
import { setupHandOff } from '../../test-support/setup-hand-off.ts';

const running = setupHandOff();

describe('a write of an auction with opt_dry_run', () => {
  it('is answered with the record or the tender, and stores neither addresses nor results', async () => {
    const fixture = running().tender();
    // A read stores a copy of the tender.
    await send(running(), 'GET', auctionPath(fixture));
    const before = await tableContents(running().database.pool);
    const path = `${auctionPath(fixture)}?opt_dry_run=1`;
    const published = await send(running(), 'PATCH', path, { auctionUrl: AUCTION_URL });
    expect([published.statusCode, published.json().data.auctionUrl]).toEqual([200, AUCTION_URL]);
    const reported = await send(running(), 'POST', path, RESULTS);
    expect(reported.statusCode).toBe(200);
    expect(await tableContents(running().database.pool)).toEqual(before);
  });
});
