import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tenderInAuctionWithLots, LOT_1, LOT_2, LOT_BIDS, BID_X, BID_Y } from '../../test-support/hand-off-facts.ts';
import { startHandOff, send, type RunningHandOff, type TenderFixture } from '../../test-support/running-hand-off.ts';
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
const typesOf = async ({ facts }: TenderFixture) => (await running.publishedEvents(facts.id)).map(({ type }) => type);
const urlsOf = async ({ facts }: TenderFixture) => {
  const asked = await sendRequest(running.bus, rpcSubjects.auctionUrls, { id: facts.id });
  // What this service itself answers.
  return asked.kind === 'answer' ? (asked.value as { bids: { participationUrl: string }[] }).bids : [];
};

describe('an auction that nobody holds', () => {
  it('is reported with unchanged bids twelve seconds after tendering ends, and no address is published', async () => {
    const world = running.tender(quick('no-auction'));
    await running.deliver(world.facts);
    running.clock.set('2017-02-15T18:00:11.999999+02:00');
    expect(await runRound()).toBe(0);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect(await runRound()).toBe(1);
    expect(await typesOf(world)).toEqual(['auction.finished']);
    const asked = await sendRequest(running.bus, rpcSubjects.auctionResults, { id: world.facts.id });
    expect(asked).toMatchObject({ value: { results: [{ id: BID_X }, { id: BID_Y }] } });
    expect([await runRound(), await running.deps.tasks.nextDue()]).toEqual([0, undefined]);
  });

  it('is published at once and reported like the other when it is fast-forwarded', async () => {
    const world = running.tender(quick('fast-forward'));
    await running.deliver(world.facts);
    await runRound();
    const auctionUrl = `https://auction.example.org/tenders/${world.facts.id}`;
    expect(await running.publishedEvents(world.facts.id)).toEqual([
      { type: 'auction.urls-published', id: world.facts.id, auctionUrl },
    ]);
    expect(await urlsOf(world)).toEqual(
      [BID_X, BID_Y].map((id) => ({
        id,
        participationUrl: expect.stringMatching(`^${auctionUrl}/login\\?bidder_id=${id}&hash=[0-9a-f]{32}$`),
      })),
    );
    running.clock.set('2017-02-15T18:00:12+02:00');
    await runRound();
    expect(await typesOf(world)).toEqual(['auction.urls-published', 'auction.finished']);
  });

  it('is done for each lot', async () => {
    const world = running.tender(tenderInAuctionWithLots({}, quick('no-auction')), LOT_BIDS);
    await running.deliver(world.facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect(await runRound()).toBe(2);
    const lots = (await running.publishedEvents(world.facts.id)).map(({ lot }) => lot);
    expect([lots.length, new Set(lots)]).toEqual([2, new Set([LOT_1, LOT_2])]);
  });

  it('is due by the time of the tender', async () => {
    const world = running.tender(quick('no-auction', { clockShift: 12_000_000 }));
    await running.deliver(world.facts);
    expect(await runRound()).toBe(1);
    expect(await typesOf(world)).toEqual(['auction.finished']);
  });

  it('is not done after a cancellation, nor twice', async () => {
    const world = running.tender(quick('no-auction'));
    await running.deliver(world.facts);
    world.facts = { ...world.facts, version: 2, status: 'cancelled' };
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect([await runRound(), await runRound()]).toEqual([1, 0]);
    expect(await running.publishedEvents(world.facts.id)).toEqual([]);
    const reported = running.tender(quick('no-auction'));
    await running.deliver(reported.facts);
    await send(running, 'POST', `/tenders/${reported.facts.id}/auction`, {});
    await running.deliver({ ...reported.facts, version: 2 });
    expect(await runRound()).toBe(0);
  });

  it('survives the end of whoever was at it, keeping the links already given out', async () => {
    const world = running.tender(quick('fast-forward'));
    await running.deliver(world.facts);
    const [task] = await running.deps.tasks.claim(running.clock.now(), 1);
    expect([task?.kind, await runRound()]).toEqual(['publish', 0]);
    running.clock.advance(10_000);
    await runRound();
    const links = await urlsOf(world);
    expect(links).toHaveLength(2);
    // As if it had ended between the publishing and the end of the task.
    const insert =
      'INSERT INTO auction_task (tender_id, lot_id, kind, due_at, correlation_id) VALUES ($1, $2, $3, 0, $4)';
    await running.database.pool.query(insert, [world.facts.id, '', 'publish', 'a request']);
    expect(await runRound()).toBe(1);
    expect(await urlsOf(world)).toEqual(links);
    expect(await typesOf(world)).toEqual(['auction.urls-published']);
  });

  it('is shared by replicas: none is done by two', async () => {
    const worlds = Array.from({ length: 20 }, () => running.tender(quick('no-auction')));
    for (const { facts } of worlds) await running.deliver(facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    const acted = await Promise.all([1, 2, 3, 4].map(async () => runRound()));
    expect(acted.toSorted((a, b) => a - b).at(-1)).toBeLessThanOrEqual(20);
    for (const world of worlds) expect(await typesOf(world)).toEqual(['auction.finished']);
  });
});
