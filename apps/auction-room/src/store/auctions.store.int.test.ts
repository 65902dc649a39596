import { addMicros, HOUR, parseInstant } from '@procurement/contracts/reading/instant';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtureNamed, FIXTURES, type Fixture } from '../../test-support/fixtures.ts';
import { buildCommand, playFixture } from '../../test-support/play-fixture.ts';
import {
  expireLeases,
  joinReplica,
  recordOutage,
  silence,
  workForAnHour,
  type TestReplica,
} from '../../test-support/replica.ts';
import { planAs, planFixture } from '../../test-support/plan-fixture.ts';
import type { Auction } from '../domain/auction.ts';
import type { Command } from '../domain/commands.ts';
import { makeAuctionQueue } from '../lead/auction-queue.ts';
import { FencedError } from './leases.store.ts';

const FIRST = 'a9'.repeat(16);
const TWO_BIDDERS = fixtureNamed('01-two-bidders');

let database: TestDatabase;
let one: TestReplica;
let two: TestReplica;
let count = 0;

beforeAll(async () => {
  database = await freshDatabase('auction-room');
});
beforeEach(async () => {
  one = await joinReplica(database.pool);
  two = await joinReplica(database.pool);
  await workForAnHour(database.pool);
});
afterAll(async () => database.drop());

function newId(): string {
  count += 1;
  return count.toString(16).padStart(32, '0');
}

async function planned(fixture: Fixture = TWO_BIDDERS): Promise<string> {
  const auctionId = newId();
  await planFixture(one, fixture, auctionId);
  return auctionId;
}

async function run(replica: TestReplica, auctionId: string, command: Command, at: string) {
  const result = await replica.auctions.run({ auctionId, command, now: parseInstant(at), actor: 'bidder' });
  if (result === undefined) throw new Error(`no auction ${auctionId}`);
  return result;
}

const offer = (amount: number, offerId: string): Command => ({ type: 'PlaceOffer', bid: FIRST, amount, offerId });

async function stored(auctionId: string): Promise<Auction> {
  const auction = await one.auctions.load(auctionId);
  if (auction === undefined) throw new Error(`no auction ${auctionId}`);
  return auction;
}

async function eventCount(auctionId: string): Promise<number> {
  return (await one.auctions.log(auctionId)).length;
}

describe('auctions', () => {
  it.each(FIXTURES)('$name is decided by two replicas in turn as by one in memory', async (fixture) => {
    const auctionId = await planned(fixture);
    const replicas = [one, two];
    let isFirst = true;
    for (const [index, step] of fixture.timeline.entries()) {
      if (step.secret !== undefined) continue;
      const replica = isFirst ? one : two;
      isFirst = !isFirst;
      if (step.do === 'outage') await recordOutage(database.pool, step.at, step.until ?? step.at);
      const command: Command = step.do === 'outage' ? { type: 'Tick' } : buildCommand(step, index);
      await run(replica, auctionId, command, step.until ?? step.at);
    }
    const end = addMicros((await stored(auctionId)).starts.at(-1) ?? parseInstant(fixture.auction.start), HOUR);
    for (const command of [
      { type: 'Tick' },
      { type: 'BeginReport' },
      { type: 'NoteResults', outcome: 'accepted' },
    ] as const) {
      await replicas[0]?.auctions.run({ auctionId, command, now: end, actor: 'timer' });
    }
    const expected = playFixture(fixture).state();
    expect(await stored(auctionId)).toEqual({ ...expected, plan: planAs(fixture, auctionId) });
  });

  it('are planned once when two replicas plan at once', async () => {
    const auctionId = newId();
    const plans = [one, two, one, two].map(async (replica) => planFixture(replica, TWO_BIDDERS, auctionId));
    await Promise.allSettled(plans);
    expect(await eventCount(auctionId)).toBe(1);
  });

  it('take offers of many at once in one order, each answered truly', async () => {
    const auctionId = await planned();
    const amounts = Array.from({ length: 20 }, (_amount, index) => 400 - index);
    // As in a room: one command of an auction at a time in each replica.
    const replicas = [one, two].map((replica) => ({ replica, queue: makeAuctionQueue() }));
    const placeAll = replicas.flatMap(({ replica, queue }, turn) =>
      amounts
        .filter((_amount, index) => index % 2 === turn)
        .map(async (amount) => {
          const command = offer(amount, `offer-${amount}`);
          const place = async () => run(replica, auctionId, command, '2017-02-16T11:18:00+02:00');
          return { amount, ...(await queue.run(auctionId, 'first', place)) };
        }),
    );
    // Each answer shows its own offer, as it stood when that was recorded.
    for (const { amount, refused, auction } of await Promise.all(placeAll))
      expect([refused, auction.posted?.amount]).toEqual([undefined, amount]);
    const placed = (await one.auctions.log(auctionId)).filter(({ type }) => type === 'OfferPlaced');
    expect(placed).toHaveLength(20);
    const last = placed.at(-1);
    expect((await stored(auctionId)).posted).toMatchObject({ amount: last?.type === 'OfferPlaced' ? last.amount : 0 });
  });

  it('begin each stage once when two replicas tick at once (F4)', async () => {
    const auctionId = await planned();
    const ticks = [one, two, one, two].map(async (replica) =>
      run(replica, auctionId, { type: 'Tick' }, '2017-02-16T11:18:00+02:00'),
    );
    const appended = (await Promise.all(ticks)).map(({ events }) => events.length);
    expect(appended.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 2]);
    expect(await eventCount(auctionId)).toBe(3);
  });

  it('answer an offer id that is sent again through another replica, and store it once', async () => {
    const auctionId = await planned();
    await run(one, auctionId, offer(400, 'offer-1'), '2017-02-16T11:18:00+02:00');
    const again = await run(two, auctionId, offer(400, 'offer-1'), '2017-02-16T11:18:01+02:00');
    expect(again).toMatchObject({ events: [], auction: { posted: { amount: 400 } } });
  });

  it('refuse to change or delete the log', async () => {
    const auctionId = await planned();
    for (const statement of [
      `UPDATE auction_event SET data = '{}' WHERE auction_id = '${auctionId}'`,
      `DELETE FROM auction_event WHERE auction_id = '${auctionId}'`,
      'TRUNCATE auction_event',
    ]) {
      await expect(database.pool.query(statement)).rejects.toThrow('append-only');
    }
  });

  it('are left alone when somebody changed their state by hand', async () => {
    const [changed, whole] = [await planned(), await planned()];
    const now = '2017-02-16T11:18:00+02:00';
    for (const auctionId of [changed, whole]) await run(one, auctionId, { type: 'Tick' }, now);
    await database.pool.query(`UPDATE auction SET state = replace(state, '479', '379') WHERE id = $1`, [changed]);
    expect(await two.auctions.verifyRunning()).toEqual([changed]);
    await expect(run(two, changed, { type: 'Tick' }, now)).rejects.toThrow(UnavailableError);
    await run(two, whole, { type: 'Tick' }, now);
  });
});

describe('outages', () => {
  it('reach an auction before its next command, also one that is refused, and once', async () => {
    const auctionId = await planned();
    await run(one, auctionId, { type: 'Tick' }, '2017-02-16T11:18:00+02:00');
    await recordOutage(database.pool, '2017-02-16T11:18:10+02:00', '2017-02-16T11:18:40+02:00');
    const { refused, events } = await run(two, auctionId, offer(450, 'offer-1'), '2017-02-16T11:18:41+02:00');
    expect(refused?.code).toBe('offer.too-high');
    expect(events.map(({ type }) => type)).toEqual(['TimetableShifted']);
    await run(one, auctionId, { type: 'Tick' }, '2017-02-16T11:18:42+02:00');
    expect((await stored(auctionId)).shifts).toMatchObject([{ seconds: 30 }]);
  });

  it('of the time before it was planned do not concern an auction', async () => {
    await recordOutage(database.pool, '2017-02-16T11:18:10+02:00', '2017-02-16T11:18:40+02:00');
    const auctionId = await planned();
    await run(one, auctionId, { type: 'Tick' }, '2017-02-16T11:19:00+02:00');
    expect((await stored(auctionId)).shifts).toEqual([]);
  });

  it('are recorded by the first replica that looks, with the time of the last sign of work', async () => {
    const beganMs = performance.now();
    await silence(database.pool, 20);
    const looks = await Promise.all([one.replicas.detectOutage(), two.replicas.detectOutage()]);
    const [outage, ...others] = looks.filter((found) => found !== undefined);
    expect(others).toEqual([]);
    const seconds = ((outage?.awayUntil ?? 0) - (outage?.awayFrom ?? 0)) / 1_000_000;
    expect(seconds).toBeGreaterThanOrEqual(20);
    expect(seconds).toBeLessThan(21 + (performance.now() - beganMs) / 1_000);
  });

  it('are none while another replica works', async () => {
    await silence(database.pool, 20);
    await one.replicas.detectOutage();
    await workForAnHour(database.pool, one.id);
    expect(await two.replicas.recordHeartbeat()).toBe(false);
    expect(await two.replicas.detectOutage()).toBeUndefined();
    expect(await two.replicas.recordHeartbeat()).toBe(true);
  });

  it('keep a replica that did not look from deciding anything', async () => {
    const auctionId = await planned();
    await silence(database.pool, 20);
    await expect(run(one, auctionId, offer(400, 'offer-1'), '2017-02-16T11:18:00+02:00')).rejects.toThrow(
      UnavailableError,
    );
    expect(await eventCount(auctionId)).toBe(1);
    await one.replicas.detectOutage();
    await workForAnHour(database.pool, one.id);
    await run(one, auctionId, { type: 'Tick' }, '2017-02-16T11:18:00+02:00');
    expect(await eventCount(auctionId)).toBeGreaterThan(1);
  });
});

describe('leases', () => {
  const tick = async (replica: TestReplica, auctionId: string) =>
    replica.auctions.run({
      auctionId,
      command: { type: 'Tick' },
      now: parseInstant('2017-02-16T11:18:00+02:00'),
      actor: 'timer',
      lease: replica.leaseOf(auctionId),
    });

  it('end the transactions of a leader that another has replaced', async () => {
    const auctionId = await planned();
    await expireLeases(database.pool);
    await one.lead();
    await expireLeases(database.pool);
    await two.lead();
    await expect(tick(one, auctionId)).rejects.toThrow(FencedError);
    expect(await eventCount(auctionId)).toBe(1);
    await tick(two, auctionId);
    const { rows } = await database.pool.query(
      'SELECT epoch, actor FROM auction_event WHERE auction_id = $1 AND seq > 1',
      [auctionId],
    );
    const { epoch } = two.leaseOf(auctionId);
    expect(rows).toEqual([
      { epoch: String(epoch), actor: 'timer' },
      { epoch: String(epoch), actor: 'timer' },
    ]);
  });

  it('are not taken while a transaction of their leader is open', async () => {
    await expireLeases(database.pool);
    await one.lead();
    const auctionId = newId();
    const { shard, epoch } = one.leaseOf(auctionId);
    const tx = await database.pool.connect();
    await tx.query('BEGIN');
    await tx.query('SELECT FROM lease WHERE shard = $1 AND epoch = $2 FOR SHARE', [shard, epoch]);
    await tx.query('SAVEPOINT read');
    await expireLeasesExcept(shard);
    expect((await two.leases.take(64)).map((lease) => lease.shard)).not.toContain(shard);
    await tx.query('ROLLBACK');
    tx.release();
  });

  async function expireLeasesExcept(shard: number): Promise<void> {
    await database.pool.query(`UPDATE lease SET until = clock_timestamp() - interval '1 s' WHERE shard <> $1`, [shard]);
  }
});
