import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import {
  tenderInAuctionWithLots,
  BIDS,
  LOT_2,
  LOT_BIDS,
  REPORTED_AT,
  BID_X,
  BID_Y,
} from '../../test-support/hand-off-facts.ts';
import { auctionPath, RESULTS, AUCTION_URL, viewAfterAward } from '../../test-support/hand-off-requests.ts';
import { auctionHeaders, send } from '../../test-support/running-hand-off.ts';
import { setupHandOff } from '../../test-support/setup-hand-off.ts';

const TOKEN = 'c0ffee';

describe('PATCH /tenders/{id}/auction', () => {
  const running = setupHandOff();

  it('200: publishes the address of the auction by event, and responds to bids with the links', async () => {
    const fixture = running().tender();
    const bids = [BID_X, BID_Y].map((id) => ({ id, participationUrl: `${AUCTION_URL}/login?bidder_id=${id}` }));
    const response = await send(running(), 'PATCH', auctionPath(fixture), { auctionUrl: AUCTION_URL, bids });
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toMatchObject({
      auctionUrl: AUCTION_URL,
      bids: bids.map((bid, n) => ({ ...BIDS[n], ...bid })),
    });
    expect(await running().publishedEvents(fixture.facts.id)).toEqual([
      { type: 'auction.urls-published', id: fixture.facts.id, auctionUrl: AUCTION_URL, version: 1 },
    ]);
    const urls = await sendRequest(running().bus, rpcSubjects.auctionUrls, { id: fixture.facts.id });
    expect(urls).toEqual({ kind: 'answer', value: { id: fixture.facts.id, version: 1, bids } });
    await send(running(), 'PATCH', auctionPath(fixture), { auctionUrl: AUCTION_URL, bids });
    expect(await running().publishedEvents(fixture.facts.id)).toHaveLength(1);
  });

  it('412: with the present ETag, when If-Match names another', async () => {
    const fixture = running().tender();
    const path = auctionPath(fixture);
    const present = (await send(running(), 'GET', path)).headers.etag ?? '';
    const change = async (etag: string) =>
      send(running(), 'PATCH', path, { auctionUrl: AUCTION_URL }, { ...auctionHeaders(), 'if-match': etag });
    expect((await change('"x"')).headers.etag).toBe(present);
    expect((await change(present)).statusCode).toBe(200);
    expect((await change(present)).statusCode).toBe(412);
  });

  it('200: dateModified is that of the publication, even if bids apply the event before the tender', async () => {
    const fixture = running().tender();
    fixture.viewsBeforeShown = 3;
    const response = await send(running(), 'PATCH', auctionPath(fixture), { auctionUrl: AUCTION_URL });
    expect([response.json().data.dateModified, fixture.viewsBeforeShown]).toEqual([REPORTED_AT, -1]);
    const lotted = running().tender(tenderInAuctionWithLots(), LOT_BIDS);
    lotted.viewsBeforeShown = 3;
    const ofLot = await send(running(), 'PATCH', auctionPath(lotted, LOT_2), {
      lots: [{}, { auctionUrl: AUCTION_URL }],
    });
    expect([ofLot.json().data.dateModified, lotted.viewsBeforeShown]).toEqual([REPORTED_AT, -1]);
  });

  it('200: publishes addresses of a lot; a later publication replaces them', async () => {
    const fixture = running().tender(tenderInAuctionWithLots(), LOT_BIDS);
    const publish = async (url: string) =>
      send(running(), 'PATCH', auctionPath(fixture, LOT_2), {
        lots: [{}, { auctionUrl: url }],
        bids: [{ lotValues: [{}, { participationUrl: `${url}/x` }] }, {}],
      });
    await publish(AUCTION_URL);
    const response = await publish(`${AUCTION_URL}/moved`);
    expect(response.json().data.lots[1].auctionUrl).toBe(`${AUCTION_URL}/moved`);
    expect(response.json().data.bids[0].lotValues[1].participationUrl).toBe(`${AUCTION_URL}/moved/x`);
    const events = await running().publishedEvents(fixture.facts.id);
    expect(events.map(({ auctionUrl, lot, version }) => [lot, auctionUrl, version])).toEqual([
      [LOT_2, AUCTION_URL, 1],
      [LOT_2, `${AUCTION_URL}/moved`, 2],
    ]);
    expect(JSON.stringify(events)).not.toContain('/x');
  });

  it('200: reports results in older segments and answers the record', async () => {
    const fixture = running().tender();
    fixture.viewAfterResults = viewAfterAward;
    const body = {
      dateModified: REPORTED_AT,
      bids: [390, 400].map((amount) => ({ value: { amount, currency: 'UAH' } })),
    };
    const report = async () => send(running(), 'PATCH', auctionPath(fixture), body, auctionHeaders('2.3'));
    const response = await report();
    expect(response.statusCode).toBe(200);
    expect(response.json().data.bids).toEqual(
      [390, 400].map((amount, n) => ({ ...BIDS[n], value: { amount, currency: 'UAH', valueAddedTaxIncluded: true } })),
    );
    fixture.facts = { ...fixture.facts, version: 2, status: 'active.qualification' };
    expect((await report()).json().data).toEqual(response.json().data);
    expect((await running().publishedEvents(fixture.facts.id)).map(({ type }) => type)).toEqual(['auction.finished']);
  });
});

describe('PATCH /tenders/{id}/auction in a sandbox with open guards', () => {
  const sandbox = setupHandOff({ SANDBOX_MODE: 'on' });
  const owner = signedIdentity({ broker: 'broker1', tokenHash: sha256Hex(TOKEN), segment: '2.3' });

  it('accepts requests of interface.md on a fresh tender, without effect (rulings R3)', async () => {
    const fixture = sandbox().tender({ status: 'active.enquiries', mode: 'test', ownerTokenHash: sha256Hex(TOKEN) });
    const anyCaller = { ...anonymousIdentity(), ...signedIdentity({ segment: '2.3', group: 'anonymous' }) };
    const read = await send(sandbox(), 'GET', auctionPath(fixture), undefined, anyCaller);
    expect([read.statusCode, read.json().data.bids]).toEqual([200, BIDS]);
    const response = await send(sandbox(), 'PATCH', auctionPath(fixture), RESULTS, owner);
    expect(response.statusCode).toBe(200);
    expect(response.json().data.bids.map((bid: (typeof fixture.bids)[0]) => bid.value?.amount)).toEqual([390, 400]);
    expect(await sandbox().publishedEvents(fixture.facts.id)).toEqual([]);
    const strict = await send(sandbox(), 'GET', auctionPath(fixture));
    expect(strict.statusCode).toBe(403);
  });

  it('lets the owner of a test tender report results', async () => {
    const fixture = sandbox().tender({ mode: 'test', ownerTokenHash: sha256Hex(TOKEN) });
    fixture.viewAfterResults = viewAfterAward;
    expect((await send(sandbox(), 'PATCH', auctionPath(fixture), RESULTS, owner)).statusCode).toBe(200);
    expect(await sandbox().publishedEvents(fixture.facts.id)).toMatchObject([{ type: 'auction.finished' }]);
  });
});
