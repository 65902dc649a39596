import { askSubjects } from '@procurement/contracts/events/subjects';
import { ask } from '@procurement/kit/ask';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auctionedLots, L1, L2, LOT_BIDS, X, Y } from '../../test-support/hand-off-facts.ts';
import { runningHandOff, send, type RunningHandOff, type World } from '../../test-support/running-hand-off.ts';
import { runTasks } from './run-tasks.ts';

let running: RunningHandOff;

beforeAll(async () => {
  running = await runningHandOff({ SANDBOX_MODE: 'on', AUCTIONS_URL: 'https://auction.example.org' });
});

afterAll(async () => {
  await running.close();
});

beforeEach(async () => {
  await running.database.pool.query('DELETE FROM auction_task');
  running.clock.set('2017-02-15T18:00:00.500000+02:00');
});

const quick = (mode: string, partial = {}) => ({ submissionMethodDetails: `quick(mode:${mode})`, ...partial });
const round = async () => (await runTasks(running.deps, 64)).acted;
const typesOf = async ({ facts }: World) => (await running.told(facts.id)).map(({ type }) => type);
const urlsOf = async ({ facts }: World) => {
  const asked = await ask(running.bus, askSubjects.auctionUrls, { id: facts.id });
  // What this service itself answers.
  return asked.kind === 'answer' ? (asked.value as { bids: { participationUrl: string }[] }).bids : [];
};

describe('an auction that nobody holds', () => {
  it('is reported with unchanged bids twelve seconds after tendering ends, and no address is published', async () => {
    const world = running.tender(quick('no-auction'));
    await running.tell(world.facts);
    running.clock.set('2017-02-15T18:00:11.999999+02:00');
    expect(await round()).toBe(0);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect(await round()).toBe(1);
    expect(await typesOf(world)).toEqual(['auction.finished']);
    const asked = await ask(running.bus, askSubjects.auctionResults, { id: world.facts.id });
    expect(asked).toMatchObject({ value: { results: [{ id: X }, { id: Y }] } });
    expect([await round(), await running.deps.tasks.nextDue()]).toEqual([0, undefined]);
  });

  it('is published at once and reported like the other when it is fast-forwarded', async () => {
    const world = running.tender(quick('fast-forward'));
    await running.tell(world.facts);
    await round();
    const auctionUrl = `https://auction.example.org/tenders/${world.facts.id}`;
    expect(await running.told(world.facts.id)).toEqual([
      { type: 'auction.urls-published', id: world.facts.id, auctionUrl },
    ]);
    expect(await urlsOf(world)).toEqual(
      [X, Y].map((id) => ({
        id,
        participationUrl: expect.stringMatching(`^${auctionUrl}/login\\?bidder_id=${id}&hash=[0-9a-f]{32}$`),
      })),
    );
    running.clock.set('2017-02-15T18:00:12+02:00');
    await round();
    expect(await typesOf(world)).toEqual(['auction.urls-published', 'auction.finished']);
  });

  it('is done for each lot', async () => {
    const world = running.tender(auctionedLots({}, quick('no-auction')), LOT_BIDS);
    await running.tell(world.facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect(await round()).toBe(2);
    const lots = (await running.told(world.facts.id)).map(({ lot }) => lot);
    expect([lots.length, new Set(lots)]).toEqual([2, new Set([L1, L2])]);
  });

  it('is due by the time of the tender', async () => {
    const world = running.tender(quick('no-auction', { clockShift: 12_000_000 }));
    await running.tell(world.facts);
    expect(await round()).toBe(1);
    expect(await typesOf(world)).toEqual(['auction.finished']);
  });

  it('is not done after a cancellation, nor twice', async () => {
    const world = running.tender(quick('no-auction'));
    await running.tell(world.facts);
    world.facts = { ...world.facts, version: 2, status: 'cancelled' };
    running.clock.set('2017-02-15T18:00:12+02:00');
    expect([await round(), await round()]).toEqual([1, 0]);
    expect(await running.told(world.facts.id)).toEqual([]);
    const reported = running.tender(quick('no-auction'));
    await running.tell(reported.facts);
    await send(running, 'POST', `/tenders/${reported.facts.id}/auction`, {});
    await running.tell({ ...reported.facts, version: 2 });
    expect(await round()).toBe(0);
  });

  it('survives the end of whoever was at it, keeping the links already given out', async () => {
    const world = running.tender(quick('fast-forward'));
    await running.tell(world.facts);
    const [task] = await running.deps.tasks.claim(running.clock.now(), 1);
    expect([task?.kind, await round()]).toEqual(['publish', 0]);
    running.clock.advance(10_000);
    await round();
    const links = await urlsOf(world);
    expect(links).toHaveLength(2);
    // As if it had ended between the publishing and the end of the task.
    const insert =
      'INSERT INTO auction_task (tender_id, lot_id, kind, due_at, correlation_id) VALUES ($1, $2, $3, 0, $4)';
    await running.database.pool.query(insert, [world.facts.id, '', 'publish', 'a request']);
    expect(await round()).toBe(1);
    expect(await urlsOf(world)).toEqual(links);
    expect(await typesOf(world)).toEqual(['auction.urls-published']);
  });

  it('is shared by replicas: none is done by two', async () => {
    const worlds = Array.from({ length: 20 }, () => running.tender(quick('no-auction')));
    for (const { facts } of worlds) await running.tell(facts);
    running.clock.set('2017-02-15T18:00:12+02:00');
    const acted = await Promise.all([1, 2, 3, 4].map(async () => round()));
    expect(acted.toSorted((a, b) => a - b).at(-1)).toBeLessThanOrEqual(20);
    for (const world of worlds) expect(await typesOf(world)).toEqual(['auction.finished']);
  });
});
