import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOT_1, LOT_2, LOT_BIDS, tenderInAuctionWithLots } from '../../test-support/hand-off-facts.ts';
import { startHandOff, type RunningHandOff } from '../../test-support/running-hand-off.ts';
import { respondRunDue } from './respond-run-due.ts';
import { runTasks } from './run-tasks.ts';

let running: RunningHandOff;

beforeAll(async () => {
  running = await startHandOff({ SANDBOX_MODE: 'on', AUCTIONS_URL: 'https://auction.example.org' });
});

afterAll(async () => {
  await running.close();
});

beforeEach(() => {
  running.clock.set('2017-02-15T18:00:00.500000+02:00');
});

const quick = (mode: string, partial = {}) => ({ submissionMethodDetails: `quick(mode:${mode})`, ...partial });
const run = async (id: string) => respondRunDue(running.deps)({ id });
const SHIFT = { clockShift: 12_000_000 };

describe('issue 15 R18: ask.auction.run-due', () => {
  it('reports by the moved clock of the owner before its event has arrived, once', async () => {
    const { facts } = running.tender(quick('no-auction', SHIFT));
    expect(await run(facts.id)).toEqual({ published: [], reported: [{}] });
    expect(await run(facts.id)).toEqual({ published: [], reported: [{}] });
    expect((await running.publishedEvents(facts.id)).map(({ type }) => type)).toEqual(['auction.finished']);
  });

  it('runs what the scheduler had claimed while the tender was still being closed', async () => {
    const fixture = running.tender(quick('no-auction', { ...SHIFT, status: 'active.tendering' }));
    await running.deliver(fixture.facts);
    await runTasks(running.deps, 64);
    expect(await run(fixture.facts.id)).toEqual({ published: [], reported: [] });
    fixture.facts = { ...fixture.facts, version: 2, status: 'active.auction' };
    expect(await run(fixture.facts.id)).toEqual({ published: [], reported: [{}] });
  });

  it('publishes the address and reports, for each lot', async () => {
    const { facts } = running.tender(tenderInAuctionWithLots({}, quick('fast-forward', SHIFT)), LOT_BIDS);
    const lots = [{ lot: LOT_1 }, { lot: LOT_2 }];
    expect(await run(facts.id)).toEqual({ published: lots, reported: lots });
  });

  it('has nothing due before its time, in a tender without a special mode, and in an unknown one', async () => {
    const nothing = { published: [], reported: [] };
    expect(await run(running.tender(quick('no-auction')).facts.id)).toEqual(nothing);
    expect(await run(running.tender(SHIFT).facts.id)).toEqual(nothing);
    expect(await run('f'.repeat(32))).toEqual(nothing);
  });
});
