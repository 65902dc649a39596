import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { eventTypes } from '@procurement/contracts/events/event-types';
import { transact } from '@procurement/kit/database/transaction';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { padId } from '@procurement/testing/ids';
import { beforeAll, describe, expect, it } from 'vitest';
import { postBid } from '../../test-support/bid-requests.ts';
import { bidBodyWithLots, LOTS, tenderFactsWithLots } from '../../test-support/bidding-facts.ts';
import { tenderEvent } from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onAuctionFinished } from '../events/on-auction-finished.ts';
import { onQualificationDue } from '../events/on-qualification-due.ts';
import { onTenderingEnded } from '../events/on-tendering-ended.ts';
import { factSources } from './fact-sources.ts';

const running = setupBids();
const AT = '2026-05-21T11:35:35.000815+03:00';
const [FIRST_LOT, SECOND_LOT] = LOTS;

beforeAll(() => {
  respondTo(running().bus, rpcSubjects.auctionResults, makeLog('auction', 'fatal'), async (payload) => ({
    // Every request names an id and a lot here.
    ...(payload as object),
    results: [],
  }));
});

/** The newest event of a type for each key. */
async function newestEvents(type: string, keyOf: (data: any) => string): Promise<Map<string, unknown>> {
  const { rows } = await running().database.pool.query('SELECT envelope FROM kit.outbox ORDER BY position');
  const events = rows.map((row) => JSON.parse(row.envelope)).filter((event) => event.type === type);
  return new Map(
    events.map(({ subject, aggregateversion: version, data }) => [keyOf(data), { subject, version, data }]),
  );
}

/** All facts of a type, read with one key a page. */
async function allFacts(type: keyof typeof eventTypes): Promise<Map<string, unknown>> {
  const source = factSources(running().database.pool, running().deps)[type];
  if (source === undefined) throw new Error(`no source of ${type}`);
  const facts = new Map<string, unknown>();
  for (let after = ''; ;) {
    const [next] = await source.keys(after, 1);
    if (next === undefined) return facts;
    const [fact] = await source.facts([next.key]);
    eventTypes[type].data.parse(fact?.data);
    facts.set(next.key, fact);
    after = next.key;
  }
}

describe('factSources', () => {
  it('send what the newest events carried', async () => {
    const { apply, app, deps } = running();
    const facts = tenderFactsWithLots({ id: deps.ids.next() });
    const { id } = await running().tender(facts);
    const lotValues = LOTS.map((relatedLot) => ({ relatedLot, value: { amount: 5 } }));
    await postBid(app, id, bidBodyWithLots(...lotValues));
    await postBid(app, id, bidBodyWithLots(...lotValues.slice(0, 1)));
    const openTender = await running().tender();
    await postBid(app, openTender.id);

    const bidEvents = await newestEvents('bid.registered', ({ id: bidId }) => bidId);
    expect(await allFacts('bid.changed')).toEqual(bidEvents);
    expect((await allFacts('bid.set-sealed')).size).toBe(0);

    const ended = { endDate: '2026-05-12T10:15:00+03:00' };
    await apply(onTenderingEnded(deps), [tenderEvent('tender.tendering-ended', id, ended)]);
    expect(await allFacts('bid.set-sealed')).toEqual(await newestEvents('bid.set-sealed', (data) => data.id));
    expect((await allFacts('bid.opened')).size).toBe(0);

    for (const lot of [FIRST_LOT, SECOND_LOT]) {
      await apply(onAuctionFinished(deps), [tenderEvent('auction.finished', id, { at: AT, lot })]);
    }
    const results = await newestEvents('bid.results-applied', (data) => `${data.id}/${data.lot}`);
    expect(await allFacts('bid.results-applied')).toEqual(results);

    await apply(onQualificationDue(deps), [tenderEvent('tender.qualification-due', id, { at: AT })]);
    expect(await allFacts('bid.opened')).toEqual(await newestEvents('bid.opened', (data) => data.id));
  });

  it('name the results by the keys that the auction service has, page by page, and remove what that has not', async () => {
    const { copies } = onAuctionFinished(running().deps);
    const { pool } = running().database;
    await pool.query('TRUNCATE bidding_result');
    const [first, second] = [padId('first'), padId('second')].sort();
    const keys = [`${first}/`, `${second}/${FIRST_LOT}`, `${second}/${SECOND_LOT}`].sort();
    for (const key of keys) await pool.query('INSERT INTO bidding_result VALUES ($1, $2, $3)', [...key.split('/'), AT]);
    expect(await copies?.keys(pool, '', 2)).toEqual(keys.slice(0, 2));
    expect(await copies?.keys(pool, keys[1] ?? '', 2)).toEqual(keys.slice(2));
    await transact(pool, async (tx) => copies?.remove(tx, keys.slice(0, 2)));
    expect(await copies?.keys(pool, '', 3)).toEqual(keys.slice(2));
  });
});
