import { auditedHashes } from '@procurement/testing/audit';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import {
  tenderInAuctionWithLots,
  LOT_1,
  LOT_2,
  LOT_BIDS,
  REPORTED_AT,
  AUCTION_STARTS,
  BID_X,
  BID_Y,
} from '../../test-support/hand-off-facts.ts';
import {
  auctionPath,
  withAmount,
  RESULTS,
  AWARD,
  viewAfterAward,
  recordedResults,
  AUCTION_URL,
} from '../../test-support/hand-off-requests.ts';
import { send } from '../../test-support/running-hand-off.ts';
import { setupHandOff } from '../../test-support/setup-hand-off.ts';

const running = setupHandOff();

describe('POST /tenders/{id}/auction', () => {
  it('is recorded, as are reads of the offers and repeats', async () => {
    const fixture = running().tender();
    await send(running(), 'GET', auctionPath(fixture));
    await send(running(), 'PATCH', auctionPath(fixture), { auctionUrl: AUCTION_URL });
    await send(running(), 'POST', auctionPath(fixture), RESULTS);
    await send(running(), 'POST', auctionPath(fixture), RESULTS);
    const rows = [...(await auditedHashes(running().database.pool, fixture.facts.id))];
    expect(rows.map(({ what }) => what)).toEqual([
      'auction GET read 200',
      'auction PATCH changed ',
      'auction POST changed ',
      'auction POST answered 200',
    ]);
    expect(rows[2]?.beforeHash).toBe(rows[1]?.afterHash);
    expect(rows[2]?.afterHash).not.toBe(rows[2]?.beforeHash);
  });

  it('200: stores results once, waits for their effect, and answers the public tender', async () => {
    const fixture = running().tender();
    fixture.viewAfterResults = viewAfterAward;
    fixture.viewsBeforeShown = 3;
    const response = await send(running(), 'POST', auctionPath(fixture), RESULTS);
    expect([response.statusCode, fixture.viewsBeforeShown]).toEqual([200, -1]);
    expect(response.json().data).toMatchObject({
      id: fixture.facts.id,
      status: 'active.qualification',
      awards: [AWARD],
    });
    expect(response.headers['location']).toBe(
      `https://api.example.org/api/2.5/tenders/${fixture.facts.id}/awards/${AWARD.id}`,
    );
    const events = await running().publishedEvents(fixture.facts.id);
    expect(events).toEqual([{ type: 'auction.finished', id: fixture.facts.id, at: REPORTED_AT, version: 1 }]);
    expect(await recordedResults(running(), fixture)).toEqual({
      kind: 'answer',
      value: {
        id: fixture.facts.id,
        results: [
          { id: BID_X, amount: 390 },
          { id: BID_Y, amount: 400 },
        ],
      },
    });

    fixture.facts = { ...fixture.facts, version: 2, status: 'active.qualification' };
    const repeated = await send(running(), 'POST', auctionPath(fixture), RESULTS);
    expect([repeated.statusCode, repeated.body]).toEqual([200, response.body]);
    const other = await send(running(), 'POST', auctionPath(fixture), { bids: [withAmount(1), withAmount(2)] });
    expect([other.statusCode, other.json().errors[0].description]).toEqual([
      403,
      "Can't report auction results in current (active.qualification) tender status",
    ]);
    expect(await running().publishedEvents(fixture.facts.id)).toHaveLength(1);
  });

  it('accepts one of several concurrent reports and publishes one event', async () => {
    const fixture = running().tender();
    fixture.viewAfterResults = viewAfterAward;
    const amounts = [390, 391, 390, 392, 390, 391];
    // One that waits for too long on a slow machine is refused without effect.
    const report = async (amount: number) => {
      const answer = await send(running(), 'POST', auctionPath(fixture), { bids: [withAmount(amount), {}] });
      return ![409, 503].includes(answer.statusCode) && answer;
    };
    const responses = await Promise.all(
      amounts.map(async (amount) => waitFor(async () => report(amount), { what: `the report of ${amount}` })),
    );
    const recorded = await recordedResults(running(), fixture);
    const recordedText = recorded.kind === 'answer' ? JSON.stringify(recorded.value) : '';
    for (const [n, amount] of amounts.entries()) {
      expect(responses[n]?.statusCode).toBe(recordedText.includes(`"amount":${amount}`) ? 200 : 403);
    }
    expect(await running().publishedEvents(fixture.facts.id)).toHaveLength(1);
  });

  it('200: for a lot, ends that lot; no Location while other lots run', async () => {
    const fixture = running().tender(tenderInAuctionWithLots(), LOT_BIDS);
    const ended = { startDate: AUCTION_STARTS, endDate: REPORTED_AT };
    const lotsAfter = (finished: readonly (string | undefined)[]) =>
      (fixture.facts.lots ?? []).map((lot) => (finished.includes(lot.id) ? { ...lot, auctionPeriod: ended } : lot));
    fixture.viewAfterResults = (finished) =>
      finished.length < 2
        ? { lots: lotsAfter(finished) }
        : {
            lots: lotsAfter(finished),
            status: 'active.qualification',
            awards: [
              { ...AWARD, lotID: LOT_1 },
              { ...AWARD, id: '4'.repeat(32), lotID: LOT_2 },
            ],
          };
    const first = await send(running(), 'POST', auctionPath(fixture, LOT_1), {
      bids: [{ lotValues: [withAmount(400), {}] }, {}],
    });
    expect(first.json().data.status).toBe('active.auction');
    expect(first.headers['location']).toBeUndefined();
    expect(await recordedResults(running(), fixture, LOT_1)).toMatchObject({
      value: { lot: LOT_1, results: [{ id: BID_X, amount: 400 }, { id: BID_Y }] },
    });
    const second = await send(running(), 'POST', auctionPath(fixture, LOT_2), {});
    expect(second.json().data.status).toBe('active.qualification');
    expect(second.headers['location']).toMatch(/4{32}$/);
    expect((await running().publishedEvents(fixture.facts.id)).map(({ lot, version }) => [lot, version])).toEqual([
      [LOT_1, 1],
      [LOT_2, 1],
    ]);
  });

  it('is decided by the current tender, not by a stale local copy', async () => {
    const late = running().tender({ status: 'active.tendering' });
    await running().deliver(late.facts);
    late.facts = { ...late.facts, version: 2, status: 'active.auction' };
    late.viewAfterResults = viewAfterAward;
    expect((await send(running(), 'POST', auctionPath(late), RESULTS)).statusCode).toBe(200);
    const cancelled = running().tender();
    await running().deliver(cancelled.facts);
    cancelled.facts = { ...cancelled.facts, version: 2, status: 'cancelled' };
    expect((await send(running(), 'POST', auctionPath(cancelled), RESULTS)).statusCode).toBe(403);
    expect(await running().publishedEvents(cancelled.facts.id)).toEqual([]);
  });

  it('403: when a cancellation comes before the results take effect', async () => {
    const fixture = running().tender();
    fixture.viewAfterResults = () => ({ status: 'cancelled' });
    const { statusCode, body } = await send(running(), 'POST', auctionPath(fixture), RESULTS);
    expect([statusCode, body.includes('(cancelled) tender status')]).toEqual([403, true]);
  });

  it('503: while another service is unavailable; stores nothing', async () => {
    const fixture = running().tender();
    fixture.unavailable = 'bids';
    for (const method of ['GET', 'POST'] as const) {
      const response = await send(running(), method, auctionPath(fixture), method === 'GET' ? undefined : RESULTS);
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    }
    expect(await running().publishedEvents(fixture.facts.id)).toEqual([]);
    fixture.unavailable = 'tenders';
    expect((await send(running(), 'GET', auctionPath(fixture))).statusCode).toBe(503);
  });

  it('publishes no amounts', async () => {
    const fixture = running().tender();
    await send(running(), 'POST', auctionPath(fixture), { bids: [withAmount(123.45), {}] });
    expect(JSON.stringify(await running().publishedEvents(fixture.facts.id))).not.toContain('123.45');
  });
});
