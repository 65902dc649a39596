import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { tenderInAuctionWithLots, BIDS, LOT_1, LOT_BIDS, REPORTED_AT } from '../../test-support/hand-off-facts.ts';
import { auctionPath } from '../../test-support/hand-off-requests.ts';
import { auctionHeaders, send } from '../../test-support/running-hand-off.ts';
import { setupHandOff } from '../../test-support/setup-hand-off.ts';

const running = setupHandOff();

/** Longer than the second for which requests between services once waited. */
const SLOW_MS = 1_200;

async function slowAnswer(): Promise<void> {
  const startedMs = monotonicMs();
  await waitFor(() => monotonicMs() - startedMs > SLOW_MS, { what: 'the slow answer' });
}

describe('GET /tenders/{id}/auction', () => {
  it('200: the auction record for the auction component', async () => {
    const fixture = running().tender();
    const response = await send(running(), 'GET', auctionPath(fixture));
    expect(response.statusCode).toBe(200);
    expect(response.json().data).toEqual({
      tenderID: fixture.facts.tenderID,
      dateModified: '2017-02-15T18:00:00.100000+02:00',
      minimalStep: fixture.facts.minimalStep,
      tenderPeriod: fixture.facts.tenderPeriod,
      auctionPeriod: fixture.facts.auctionPeriod,
      bids: BIDS,
    });
    expect(response.body).toContain('"amount":469.0');
  });

  it('200: also when the bids service takes more than a second', async () => {
    const fixture = running().tender();
    fixture.bidsDelayed = slowAnswer();
    expect((await send(running(), 'GET', auctionPath(fixture))).statusCode).toBe(200);
  });

  it('503: when the bids service takes longer than the gateway waits', async () => {
    const fixture = running().tender();
    fixture.bidsDelayed = slowAnswer();
    const headers = { ...auctionHeaders(), 'x-timeout-ms': '1100' };
    const response = await send(running(), 'GET', auctionPath(fixture), undefined, headers);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  });

  it.each(['GET', 'PATCH', 'POST'] as const)(
    '%s 503: for a tender without a copy while the tenders service does not answer',
    async (method) => {
      const fixture = running().tender();
      fixture.unavailable = 'facts';
      const response = await send(running(), method, auctionPath(fixture), method === 'GET' ? undefined : {});
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    },
  );

  it('403: for other callers in segment 2.5; older segments show them a masked record', async () => {
    const fixture = running().tender();
    const refused = await send(running(), 'GET', auctionPath(fixture), undefined, anonymousIdentity());
    expect([refused.statusCode, refused.json().errors[0].description]).toEqual([403, 'Forbidden']);
    running().clock.set('2017-02-16T11:12:33+02:00');
    const anyCaller = signedIdentity({ segment: '2.3' });
    const masked = await send(running(), 'GET', auctionPath(fixture), undefined, anyCaller);
    expect(masked.json().data.bids[0]).toEqual({
      date: BIDS[0]?.date,
      value: { currency: 'UAH', valueAddedTaxIncluded: true },
    });
    running().clock.set(REPORTED_AT);
    const started = await send(running(), 'GET', auctionPath(fixture), undefined, anyCaller);
    expect(started.json().data.bids[0].value.amount).toBe(469);
  });

  it('403: outside the auction, by the current status of the tender, even if the local copy is stale', async () => {
    const fixture = running().tender();
    await running().deliver(fixture.facts);
    fixture.facts = { ...fixture.facts, version: 2, status: 'cancelled' };
    const { statusCode, body } = await send(running(), 'GET', auctionPath(fixture));
    expect(statusCode).toBe(403);
    expect(body).toContain("Can't get auction info in current (cancelled) tender status");
  });

  it('404: an unknown tender or lot; 405: no GET for a lot', async () => {
    const noTender = await send(running(), 'GET', `/tenders/${'9'.repeat(32)}/auction`);
    expect([noTender.statusCode, noTender.json().errors[0].name]).toEqual([404, 'tender_id']);
    const fixture = running().tender(tenderInAuctionWithLots(), LOT_BIDS);
    const ofLot = await send(running(), 'GET', auctionPath(fixture, LOT_1));
    expect([ofLot.statusCode, ofLot.headers['allow']]).toEqual([405, 'POST, PATCH']);
    const noLot = await send(running(), 'GET', auctionPath(fixture, 'f'.repeat(32)));
    expect([noLot.statusCode, noLot.json().errors[0].name]).toEqual([404, 'auction_lot_id']);
  });
});
