import { addMicros, HOUR, parseInstant, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureNamed } from '../../test-support/fixtures.ts';
import { bundleReplica, type KillableReplica, type ReplicaBundle } from '../../test-support/killable-replica.ts';
import { buildCommand, playFixture } from '../../test-support/play-fixture.ts';
import { planAs, planFixture } from '../../test-support/plan-fixture.ts';
import { expireLeases, joinReplica, keepWorking, type TestReplica } from '../../test-support/replica.ts';
import { fold } from '../domain/auction.evolve.ts';
import type { Command } from '../domain/commands.ts';
import { stageAt } from '../domain/timetable.ts';

const FIXTURE = fixtureNamed('02-three-bidders');
const EXPECTED = playFixture(FIXTURE).state();
const STAGES = EXPECTED.starts.map((_start, stage) => stage);

interface Step {
  readonly command: Command;
  readonly now: Instant;
}

/** The offers of the fixture, a tick in each stage, and the report. */
const STEPS: readonly Step[] = [
  ...FIXTURE.timeline.map((step, index) => ({ command: buildCommand(step, index), now: parseInstant(step.at) })),
  ...EXPECTED.starts.map((start) => ({ command: { type: 'Tick' } as const, now: addMicros(start, SECOND) })),
  ...(['BeginReport', 'NoteResults'] as const).map((type) => ({
    command: type === 'NoteResults' ? ({ type, outcome: 'accepted' } as const) : { type },
    now: addMicros(EXPECTED.starts.at(-1) ?? EXPECTED.plan.startAt, HOUR),
  })),
].toSorted((a, b) => a.now - b.now);

let database: TestDatabase;
let planner: TestReplica;
let bundle: ReplicaBundle;
let child: KillableReplica;

beforeAll(async () => {
  database = await freshDatabase('auction-room');
  await keepWorking(database.pool);
  planner = await joinReplica(database.pool);
  bundle = await bundleReplica();
  child = await bundle.start(database.url);
});
afterAll(async () => {
  await child.kill();
  bundle.remove();
  await database.drop();
});

async function replaceLeader(): Promise<void> {
  await expireLeases(database.pool);
  child = await bundle.start(database.url);
}

describe('a leader that is killed', () => {
  it('in every stage of an auction loses nothing that it answered, and doubles nothing', async () => {
    const auctionId = 'e'.repeat(32);
    await planFixture(planner, FIXTURE, auctionId);
    const killedIn = new Set<number>();
    for (const { command, now } of STEPS) {
      const run = { auctionId, command, now, actor: 'timer' } as const;
      const stage = stageAt(EXPECTED.starts, now);
      if (!killedIn.has(stage)) {
        killedIn.add(stage);
        // Within the transaction, or after its commit with the answer lost.
        if (stage % 2 === 0) await child.runAndKill(run);
        else await child.run(run).then(async () => child.kill());
        await replaceLeader();
      }
      // The server may end the session of a killed leader, and its locks, later than another waits for them.
      const isDone = async (): Promise<boolean> => (await child.run(run)).error === undefined;
      await waitFor(isDone, { what: command.type });
    }
    expect([...killedIn]).toEqual(STAGES);
    const log = await planner.auctions.log(auctionId);
    const stored = await planner.auctions.load(auctionId);
    expect(fold(undefined, log)).toEqual(stored);
    expect(stored).toMatchObject({
      phase: 'announced',
      results: EXPECTED.results,
      turns: EXPECTED.turns,
      orders: EXPECTED.orders,
      plan: planAs(FIXTURE, auctionId),
    });
    const ids = log.flatMap((event) => ('offerId' in event ? [event.offerId] : []));
    expect(ids).toEqual(FIXTURE.timeline.map((_step, index) => `offer-${index}`));
  });
});

describe('a replica that is killed with offers of many auctions under way', () => {
  const fixture = fixtureNamed('01-two-bidders');
  const ids = Array.from({ length: 30 }, (_one, n) => n.toString(16).padStart(32, '0'));

  async function offer(auctionId: string, offerId: string): Promise<void> {
    const command = { type: 'PlaceOffer', bid: 'a9'.repeat(16), amount: 400, offerId } as const;
    const now = parseInstant('2017-02-16T11:18:00+02:00');
    const { error } = await child.run({ auctionId, command, now, actor: 'bidder' });
    if (error !== undefined) throw new Error(error);
  }

  /** Repeats each offer until it is answered: the locks of a process that was killed may last a little longer than it. */
  async function offerAll(offerId: string): Promise<void> {
    const what = 'an answer to an offer';
    await Promise.all(ids.map(async (id) => waitFor(async () => offer(id, offerId).then(() => true), { what })));
  }

  async function placed(auctionId: string): Promise<readonly string[]> {
    const log = await planner.auctions.log(auctionId);
    return log.flatMap((event) => ('offerId' in event ? [event.offerId] : []));
  }

  it('loses none that it answered, and doubles none', async () => {
    for (const id of ids) await planFixture(planner, fixture, id);
    const expected: string[] = [];
    for (const round of [0, 1, 2, 3]) {
      // The states are in its memory then, and the next offers share a statement.
      await offerAll(`offer-first-${round}`);
      const answered: string[] = [];
      const last = `offer-last-${round}`;
      const sent = ids.map(async (id) => offer(id, last).then(() => void answered.push(id)));
      // Before the answers, or after the first.
      if (round % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.race(sent);
      await child.kill();
      expect(round % 2 === 0 || answered.length > 0).toBe(true);
      for (const id of answered) expect(await placed(id)).toContain(last);
      await replaceLeader();
      await offerAll(last);
      expected.push(`offer-first-${round}`, last);
      for (const id of ids) expect(await placed(id)).toEqual(expected);
    }
    for (const id of ids) expect(await planner.auctions.isFaithful(id)).toBe(true);
  });
});

describe('one of two replicas that is killed', () => {
  it('holds nothing up: the other takes offers at once, and leads when the lease of 6 s is over (F2)', async () => {
    const auctionId = 'd'.repeat(32);
    await planFixture(planner, FIXTURE, auctionId);
    const offer = STEPS.find(({ command }) => command.type === 'PlaceOffer');
    if (offer === undefined) throw new Error('the fixture has no offer');
    await child.kill();
    await replaceLeader();
    await planner.lead();
    // The leases are those of the new leader.
    expect(() => planner.leaseOf(auctionId)).toThrow('not led');
    await child.kill();
    const result = await planner.auctions.run({ auctionId, ...offer, actor: 'bidder' });
    expect(result?.events.map(({ type }) => type)).toContain('OfferPlaced');
    const left = await database.pool.query(`SELECT FROM lease WHERE until > clock_timestamp() + interval '6 s'`);
    expect(left.rowCount).toBe(0);
    const lease = await waitFor(async () => planner.lead().then(() => planner.leaseOf(auctionId)), {
      what: 'the lease of the other',
    });
    const ticked = { auctionId, command: { type: 'Tick' }, now: offer.now, actor: 'timer', lease } as const;
    expect(await planner.auctions.run(ticked)).not.toHaveProperty('refused');
    expect((await database.pool.query('SELECT FROM outage')).rowCount).toBe(0);
    await replaceLeader();
  });
});

describe('a leader that is stopped and wakes', () => {
  it('writes nothing under its old epoch', async () => {
    const auctionId = 'f'.repeat(32);
    await planFixture(planner, FIXTURE, auctionId);
    const [first, second] = STEPS;
    if (first === undefined || second === undefined) throw new Error('the fixture has no steps');
    expect(await child.run({ auctionId, ...first, actor: 'timer' })).not.toHaveProperty('error');
    child.signal('SIGSTOP');
    await expireLeases(database.pool);
    await planner.lead();
    const { length } = await planner.auctions.log(auctionId);
    child.signal('SIGCONT');
    const answer = await child.run({ auctionId, ...second, actor: 'timer' });
    expect(answer.error).toBe('FencedError');
    expect(await planner.auctions.log(auctionId)).toHaveLength(length);
  });
});
