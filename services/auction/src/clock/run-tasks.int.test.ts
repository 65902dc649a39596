import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { freezeTender } from '@procurement/testing/frozen-tender';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tenderInAuctionWithLots, LOT_1, LOT_2, LOT_BIDS, BID_X, BID_Y } from '../../test-support/hand-off-facts.ts';
import { startHandOff, send, type RunningHandOff, type TenderFixture } from '../../test-support/running-hand-off.ts';
import { respondFreeze } from '../events/respond-freeze.ts';
import { runTasks } from './run-tasks.ts';

let running: RunningHandOff;

beforeAll(async () => {
  running = await startHandOff({ SANDBOX_MODE: 'on', AUCTIONS_URL: 'https://auction.example.org' });
});

afterAll(async () => {
  await running.close();
});

beforeEach(async () => {
  await running.database.pool.query('DELETE FROM auction_task');
  running.clock.set('2017-02-15T18:00:00.500000+02:00');
});

const quick = (mode: string, partial = {}) => ({ submissionMethodDetails: `quick(mode:${mode})`, ...partial });
const runRound = async () => (await runTasks(running.deps, 64)).processed;
const readEventTypes = async ({ facts }: TenderFixture) =>
  (await running.publishedEvents(facts.id)).map(({ type }) => type);
const fetchAuctionUrls = async ({ facts }: TenderFixture) => {
  const response = await sendRequest(running.bus, rpcSubjects.auctionUrls, { id: facts.id });
  // The response of the service under test has this shape.
  return response.kind === 'answer' ? (response.value as { bids: { participationUrl: string }[] }).bids : [];
};

describe('runTasks', () => {
  it('no-auction: reports unchanged bids twelve seconds after tendering ends, without publishing an address', async () => {
    const fixture = running.tender(quick('no-auction'));
    await running.deliver(fixture.facts);
    running.clock.set('2017-02-15T18:00:11.999999+02:00');
    expect(await runRound()).toBe(0);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect(await runRound()).toBe(1);
    expect(await readEventTypes(fixture)).toEqual(['auction.finished']);
    const response = await sendRequest(running.bus, rpcSubjects.auctionResults, { id: fixture.facts.id });
    expect(response).toMatchObject({ value: { results: [{ id: BID_X }, { id: BID_Y }] } });
    expect([await runRound(), await running.deps.tasks.nextDue()]).toEqual([0, undefined]);
  });

  it('fast-forward: publishes addresses at once and reports after twelve seconds', async () => {
    const fixture = running.tender(quick('fast-forward'));
    await running.deliver(fixture.facts);
    await runRound();
    const auctionUrl = `https://auction.example.org/tenders/${fixture.facts.id}`;
    expect(await running.publishedEvents(fixture.facts.id)).toEqual([
      { type: 'auction.urls-published', id: fixture.facts.id, auctionUrl, version: 1 },
    ]);
    expect(await fetchAuctionUrls(fixture)).toEqual(
      [BID_X, BID_Y].map((id) => ({
        id,
        participationUrl: expect.stringMatching(`^${auctionUrl}/login\\?bidder_id=${id}&hash=[0-9a-f]{32}$`),
      })),
    );
    running.clock.set('2017-02-15T18:00:12+02:00');
    await runRound();
    expect(await readEventTypes(fixture)).toEqual(['auction.urls-published', 'auction.finished']);
  });

  it('fast-forward: publishes no address where nothing shows the auction, and reports all the same', async () => {
    const other = await startHandOff({ SANDBOX_MODE: 'on' });
    other.clock.set('2017-02-15T18:00:12+02:00');
    const fixture = other.tender(quick('fast-forward'));
    await other.deliver(fixture.facts);
    await runTasks(other.deps, 64);
    const types = (await other.publishedEvents(fixture.facts.id)).map(({ type }) => type);
    await other.close();
    expect(types).toEqual(['auction.finished']);
  });

  it('runs for each lot', async () => {
    const fixture = running.tender(tenderInAuctionWithLots({}, quick('no-auction')), LOT_BIDS);
    await running.deliver(fixture.facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect(await runRound()).toBe(2);
    const lots = (await running.publishedEvents(fixture.facts.id)).map(({ lot }) => lot);
    expect([lots.length, new Set(lots)]).toEqual([2, new Set([LOT_1, LOT_2])]);
  });

  it('is due in tender time', async () => {
    const fixture = running.tender(quick('no-auction', { clockShift: 12_000_000 }));
    await running.deliver(fixture.facts);
    expect(await runRound()).toBe(1);
    expect(await readEventTypes(fixture)).toEqual(['auction.finished']);
  });

  it('drops tasks of a cancelled tender, and schedules none after a report', async () => {
    const fixture = running.tender(quick('no-auction'));
    await running.deliver(fixture.facts);
    fixture.facts = { ...fixture.facts, version: 2, status: 'cancelled' };
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect([await runRound(), await runRound()]).toEqual([1, 0]);
    expect(await running.publishedEvents(fixture.facts.id)).toEqual([]);
    const reported = running.tender(quick('no-auction'));
    await running.deliver(reported.facts);
    await send(running, 'POST', `/tenders/${reported.facts.id}/auction`, {});
    await running.deliver({ ...reported.facts, version: 2 });
    expect(await runRound()).toBe(0);
  });

  it('runs by the facts of the owner when every event after the planning was lost', async () => {
    const fixture = running.tender(quick('fast-forward', { status: 'active.tendering' }));
    await running.deliver(fixture.facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect([await runRound(), await readEventTypes(fixture)], 'the closing is late').toEqual([1, []]);
    fixture.facts = { ...fixture.facts, version: 2, status: 'active.auction' };
    expect(await runRound()).toBe(0);
    running.clock.advance(10_000);
    expect(await runRound()).toBe(1);
    expect(await readEventTypes(fixture)).toEqual(['auction.urls-published', 'auction.finished']);
  });

  it('holds no other tender while one is frozen, and runs the tasks of that one later', async () => {
    const [first, other] = [
      running.tender(quick('no-auction', { clockShift: 1 })),
      running.tender(quick('no-auction')),
    ];
    for (const { facts } of [first, other]) await running.deliver(facts);
    const frozen = await freezeTender(respondFreeze(running.deps), first.facts.id);
    running.clock.set('2017-02-15T18:00:12+02:00');
    await runRound();
    expect([await readEventTypes(other), await readEventTypes(first)]).toEqual([['auction.finished'], []]);
    await frozen.lift(first.facts.version);
    running.clock.advance(10_000);
    await runRound();
    expect(await readEventTypes(first)).toEqual(['auction.finished']);
  });

  it('runs a claimed task again after the end of a process, and keeps published links', async () => {
    const fixture = running.tender(quick('fast-forward'));
    await running.deliver(fixture.facts);
    const [task] = await running.deps.tasks.claim(running.clock.now(), 1);
    expect([task?.kind, await runRound()]).toEqual(['publish', 0]);
    running.clock.advance(10_000);
    await runRound();
    const links = await fetchAuctionUrls(fixture);
    expect(links).toHaveLength(2);
    // As if the process had ended after the publication and before the deletion of the task.
    const insert =
      'INSERT INTO auction_task (tender_id, lot_id, kind, due_at, correlation_id) VALUES ($1, $2, $3, 0, $4)';
    await running.database.pool.query(insert, [fixture.facts.id, '', 'publish', 'a request']);
    expect(await runRound()).toBe(1);
    expect(await fetchAuctionUrls(fixture)).toEqual(links);
    expect(await readEventTypes(fixture)).toEqual(['auction.urls-published']);
  });

  it('runs no task twice when several processes run concurrently', async () => {
    const fixtures = Array.from({ length: 20 }, () => running.tender(quick('no-auction')));
    for (const { facts } of fixtures) await running.deliver(facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    const processed = await Promise.all([1, 2, 3, 4].map(async () => runRound()));
    expect(processed.toSorted((a, b) => a - b).at(-1)).toBeLessThanOrEqual(20);
    for (const fixture of fixtures) expect(await readEventTypes(fixture)).toEqual(['auction.finished']);
  });
});
