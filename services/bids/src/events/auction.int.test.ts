import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postBid, send } from '../../test-support/bid-requests.ts';
import { tenderFactsWithLots, LOTS, bidBody, bidBodyWithLots } from '../../test-support/bidding-facts.ts';
import { startBids, tenderEvent, type RunningBids } from '../../test-support/running-bids.ts';
import { respondBidLinks, respondSealedBids } from './respond-sealed-bids.ts';
import { onAuctionFinished } from './on-auction-finished.ts';
import { onAuctionUrlsPublished } from './on-auction-urls-published.ts';
import { onQualificationDue } from './on-qualification-due.ts';
import { onTenderCancelled } from './on-tender-cancelled.ts';
import { onTenderingEnded } from './on-tendering-ended.ts';

let running: RunningBids;
/** Replies of the auction service by tender; without an entry it does not reply. */
const auctionReplies = new Map<string, { readonly results?: object; readonly urls?: object }>();
const AT = '2026-05-21T11:35:35.000815+03:00';

beforeAll(async () => {
  running = await startBids();
  const log = makeLog('auction', 'fatal');
  // Every request names an id.
  const replyTo = (payload: unknown) => auctionReplies.get((payload as { id: string }).id);
  respondTo(running.bus, rpcSubjects.auctionResults, log, async (payload) => replyTo(payload)?.results);
  respondTo(running.bus, rpcSubjects.auctionUrls, log, async (payload) => replyTo(payload)?.urls);
});

afterAll(async () => {
  await running.close();
});

const seal = async (id: string): Promise<void> =>
  running.apply(onTenderingEnded(running.deps), [
    tenderEvent('tender.tendering-ended', id, { endDate: '2026-05-12T10:15:00+03:00' }),
  ]);
const finish = async (id: string, lot?: string): Promise<void> =>
  running.apply(onAuctionFinished(running.deps), [tenderEvent('auction.finished', id, { at: AT, lot })]);

async function publishedEvents(id: string): Promise<readonly { readonly data: unknown }[]> {
  const { rows } = await running.database.pool.query('SELECT envelope FROM kit.outbox WHERE subject = $1', [
    `bids.bid-results-applied.${id}`,
  ]);
  return rows.map((row) => JSON.parse(row.envelope));
}

describe('ask.bids.sealed', () => {
  it('gives no offer away before the bidding is closed here', async () => {
    const { id } = await running.tender();
    await postBid(running.app, id);
    await expect(respondSealedBids(running.deps)({ id })).rejects.toThrow('not closed');
  });

  it('returns the sealed set with its offers and without tenderers', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await seal(id);
    // The assertion below checks the shape.
    const { bids } = (await respondSealedBids(running.deps)({ id })) as { bids: Record<string, unknown>[] };
    expect(bids).toEqual([{ id: bid.id, date: bid.data.date, value: bid.data.value }]);
  });
});

describe('auction.finished', () => {
  it('gives bids their final values, and publishes that without amounts', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await seal(id);
    auctionReplies.set(id, { results: { id, results: [{ id: bid.id, amount: 3.5, date: AT }] } });
    await finish(id);
    const data = (await send(running.app, 'GET', bid.path, bid.owner)).json().data;
    expect(data).toMatchObject({ date: AT, value: { amount: 3.5, currency: 'UAH' } });
    expect((await publishedEvents(id)).map((event) => event.data)).toEqual([{ id, at: AT }]);
    expect(JSON.stringify(await publishedEvents(id))).not.toContain('3.5');
    expect((await send(running.app, 'GET', bid.path, anonymousIdentity())).statusCode).toBe(403);
  });

  it('changes the auctioned lot only, and names it in the event', async () => {
    const { id } = await running.tender(tenderFactsWithLots({ id: running.deps.ids.next() }));
    const lotValues = LOTS.map((relatedLot) => ({ relatedLot, value: { amount: 5 } }));
    const bid = await postBid(running.app, id, bidBodyWithLots(...lotValues));
    await seal(id);
    auctionReplies.set(id, { results: { id, lot: LOTS[1], results: [{ id: bid.id, amount: 4 }] } });
    await finish(id, LOTS[1]);
    const data = (await send(running.app, 'GET', bid.path, bid.owner)).json().data;
    expect(data.lotValues.map((one: { value: { amount: number } }) => one.value.amount)).toEqual([5, 4]);
    expect((await publishedEvents(id)).map((event) => event.data)).toEqual([{ id, at: AT, lot: LOTS[1] }]);
  });

  it('is redelivered while the auction service does not reply, and has no effect after a cancellation', async () => {
    const { id } = await running.tender();
    await postBid(running.app, id);
    await seal(id);
    await expect(finish(id)).rejects.toThrow('the transaction lost to concurrent transactions');
    auctionReplies.set(id, { results: { id, results: [] } });
    await running.apply(onTenderCancelled(running.deps), [tenderEvent('tender.cancelled', id, { erasesBids: true })]);
    await finish(id);
    expect(await publishedEvents(id)).toEqual([]);
  });
});

describe('auction.finished after the opening', () => {
  it('gives opened bids their final values once, as after a restore whose replay opened them first', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await seal(id);
    await running.apply(onQualificationDue(running.deps), [tenderEvent('tender.qualification-due', id, { at: AT })]);
    const amounts: number[] = [];
    for (const amount of [3.5, 3]) {
      auctionReplies.set(id, { results: { id, results: [{ id: bid.id, amount, date: AT }] } });
      await finish(id);
      amounts.push((await send(running.app, 'GET', bid.path, bid.owner)).json().data.value.amount);
    }
    expect(amounts).toEqual([3.5, 3.5]);
  });
});

describe('auction.urls-published', () => {
  it('shows each bidder their own link and no other caller any', async () => {
    const { id } = await running.tender();
    const [bid, other] = [await postBid(running.app, id), await postBid(running.app, id, bidBody())];
    const link = (bidId: string): string => `https://auction.example.org/login?bidder_id=${bidId}&hash=secret`;
    await seal(id);
    const bids = [bid, other].map(({ id: bidId }) => ({ id: bidId, participationUrl: link(bidId) }));
    auctionReplies.set(id, { urls: { id, version: 1, bids } });
    await running.apply(onAuctionUrlsPublished(running.deps), [tenderEvent('auction.urls-published', id, {})]);
    const shown = (await send(running.app, 'GET', bid.path, bid.owner)).json().data;
    expect(shown.participationUrl).toBe(link(bid.id));
    expect((await send(running.app, 'GET', other.path, bid.owner)).statusCode).toBe(403);
  });

  it('never overwrites links by an older reply of the auction service', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await seal(id);
    expect(await respondBidLinks(running.deps)({ id })).toEqual({ version: null });
    const publish = async (name: string, version: number): Promise<string> => {
      auctionReplies.set(id, {
        urls: { id, version, bids: [{ id: bid.id, participationUrl: `https://a.org/${name}` }] },
      });
      await running.apply(onAuctionUrlsPublished(running.deps), [tenderEvent('auction.urls-published', id, {})]);
      return (await send(running.app, 'GET', bid.path, bid.owner)).json().data.participationUrl.split('/').pop();
    };
    expect([await publish('second', 2), await publish('first', 1), await publish('third', 3)]).toEqual([
      'second',
      'second',
      'third',
    ]);
    expect(await respondBidLinks(running.deps)({ id })).toEqual({ version: 3 });
  });

  it('changes no bid that was opened and published before, and is not asked for again', async () => {
    const { id } = await running.tender();
    const bid = await postBid(running.app, id);
    await seal(id);
    await running.apply(onQualificationDue(running.deps), [tenderEvent('tender.qualification-due', id, { at: AT })]);
    const stored = async (): Promise<string> =>
      (await running.database.pool.query('SELECT document FROM bid WHERE id = $1', [bid.id])).rows[0].document;
    const published = await stored();
    auctionReplies.set(id, {
      urls: { id, version: 4, bids: [{ id: bid.id, participationUrl: 'https://a.org/late' }] },
    });
    await running.apply(onAuctionUrlsPublished(running.deps), [tenderEvent('auction.urls-published', id, {})]);
    expect(await stored()).toBe(published);
    expect(await respondBidLinks(running.deps)({ id })).toEqual({ version: 4 });
  });
});
