import { fixedClock, type FixedClock } from '@procurement/testing/clock';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postBid, send } from '../../test-support/bid-requests.ts';
import { bidBody } from '../../test-support/bidding-facts.ts';
import type { BidsReplica } from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';

const AHEAD = '2026-05-12T10:15:05+03:00';
const BEHIND = '2026-05-12T10:15:00+03:00';

const running = setupBids();
let ahead: BidsReplica;
let behind: BidsReplica;
let clocks: readonly [FixedClock, FixedClock];

beforeAll(() => {
  clocks = [fixedClock(AHEAD), fixedClock(BEHIND)];
  [ahead, behind] = [running().replica(clocks[0]), running().replica(clocks[1])];
});

beforeEach(() => {
  clocks[0].set(AHEAD);
  clocks[1].set(BEHIND);
});

afterAll(async () => {
  await Promise.all([ahead.close(), behind.close()]);
});

/** Dates of the bids of a tender in the order of registration. */
async function dates(tenderId: string): Promise<readonly string[]> {
  return (await running().deps.bids.list(tenderId)).map(({ document }) => document.date);
}

describe('dates of bids on two replicas, one clock 5 s ahead of the other', () => {
  it('follow the order of registration', async () => {
    const { id } = await running().tender();
    for (const replica of [ahead, behind, behind, ahead]) await postBid(replica.app, id);
    expect(await dates(id)).toEqual([0, 1, 2, 3].map((micros) => `2026-05-12T10:15:05.00000${micros}+03:00`));
  });

  it('follow the order of registration for concurrent bids', async () => {
    const { id } = await running().tender();
    // The last of them wait for longer on a slow machine than the service does, and are refused without effect.
    const post = async (n: number) => postBid((n % 2 === 0 ? ahead : behind).app, id);
    await Promise.all(Array.from({ length: 60 }, async (_, n) => waitFor(async () => post(n), { what: `bid ${n}` })));
    const found = await dates(id);
    expect(found).toEqual([...found].sort());
    expect(new Set(found).size).toBe(60);
  });

  it('are later for a changed amount than for bids registered before the change', async () => {
    const { id } = await running().tender();
    const changed = await postBid(behind.app, id);
    const other = await postBid(ahead.app, id);
    const answer = await send(behind.app, 'PATCH', changed.path, changed.owner, bidBody({ value: { amount: 480 } }));
    expect(answer.json().data.date > other.data.date).toBe(true);
    const unchanged = await send(behind.app, 'PATCH', changed.path, changed.owner, bidBody({ value: { amount: 480 } }));
    expect(unchanged.json().data.date).toBe(answer.json().data.date);
  });

  it('are never after the end of the tendering period', async () => {
    const { id } = await running().tender();
    clocks[0].set('2026-05-20T18:00:00+03:00');
    clocks[1].set('2026-05-20T17:59:58+03:00');
    for (const replica of [ahead, behind, ahead]) await postBid(replica.app, id);
    expect(await dates(id)).toEqual(Array.from({ length: 3 }, () => '2026-05-20T18:00:00.000000+03:00'));
  });

  it('do not depend on other tenders', async () => {
    const [{ id }, other] = [await running().tender(), await running().tender()];
    await postBid(ahead.app, other.id);
    await postBid(behind.app, id);
    expect(await dates(id)).toEqual(['2026-05-12T10:15:00.000000+03:00']);
  });
});
