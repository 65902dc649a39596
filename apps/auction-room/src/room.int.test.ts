import { randomUUID } from 'node:crypto';
import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import { ConflictError, transact } from '@procurement/kit/database/transaction';
import { makeLog } from '@procurement/kit/runtime/log';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureNamed, buildPlan } from '../test-support/fixtures.ts';
import { keepWorking, removeNewest, workAsUsual } from '../test-support/replica.ts';
import type { AuctionPlan, StageLengths } from './domain/auction.ts';
import { decide, foldOnto } from './domain/auction.decide.ts';
import { evolve } from './domain/auction.evolve.ts';
import { RateExceededError } from './session/rates.ts';
import { startRoom, type Room } from './room.ts';
import { shardOf } from './store/auction.row.ts';
import { OUTAGE_LOCK } from './store/replicas.store.ts';

const [LAST_BIDDER = '', FIRST_BIDDER = ''] = buildPlan(fixtureNamed('01-two-bidders')).bids.map(({ id }) => id);
const TURN_END_MS = 1_000;
const MS = 1_000;

let database: TestDatabase;
let one: Room;
let two: Room;
let count = 0;

beforeAll(async () => {
  database = await freshDatabase('auction-room');
  await keepWorking(database.pool);
  one = await openRoom();
  two = await openRoom();
});
afterAll(async () => {
  await one.stop();
  await two.stop();
  await database.drop();
});

async function openRoom(databaseUrl = database.url, turnEndMs = TURN_END_MS): Promise<Room> {
  return startRoom({
    databaseUrl,
    replicaId: randomUUID(),
    replicaName: 'test',
    turnEndMs,
    log: makeLog('room', 'fatal'),
  });
}

const buildLengths = (opening: number, others: number): StageLengths => ({
  opening: opening * MS,
  turn: others * MS,
  pause: others * MS,
  preAnnouncement: others * MS,
});

/** Plans an auction of two bidders that starts so many milliseconds from now. */
async function plan(startsInMs: number, lengths: StageLengths, room = one): Promise<AuctionPlan> {
  count += 1;
  const id = count.toString(16).padStart(32, 'b');
  const startAt = addMicros(room.clock.now(), startsInMs * MS);
  const planned = { ...buildPlan(fixtureNamed('01-two-bidders')), id, tenderId: id, startAt, lengths };
  await room.run(id, { type: 'Plan', plan: planned }, 'follower');
  return planned;
}

async function reached(auctionId: string, stage: number, room = two): Promise<readonly Instant[]> {
  const auction = await waitFor(
    async () => {
      const stored = await room.auctions.load(auctionId);
      return stored !== undefined && stored.currentStage >= stage && stored;
    },
    { what: `stage ${stage}` },
  );
  return auction.starts;
}

describe('a room that cannot come up', () => {
  it('leaves no connection and no sign of work behind, and comes up at the next attempt', async () => {
    const own = await freshDatabase('auction-room');
    const counted = async (text: string): Promise<number> =>
      (await own.pool.query(`SELECT FROM ${text}`)).rowCount ?? 0;
    await own.pool.query('ALTER TABLE auction RENAME TO away');
    await expect(openRoom(own.url)).rejects.toThrow('relation "auction" does not exist');
    const connections = `pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'auction-room%'`;
    await waitFor(async () => (await counted(connections)) === 0, { what: 'the end of all connections' });
    expect(await counted('replica')).toBe(0);
    await own.pool.query('ALTER TABLE away RENAME TO auction');
    const room = await openRoom(own.url);
    expect(room.isReady()).toBe(true);
    await room.stop();
    await own.drop();
  });
});

describe('a room of two replicas', () => {
  it('begins every stage by itself, with the log that the decision alone would write', async () => {
    const planned = await plan(100, buildLengths(100, 100));
    await reached(planned.id, 9);
    const [first, ...log] = await one.auctions.log(planned.id);
    if (first === undefined) throw new Error('no log');
    const alone = decide(evolve(undefined, first), { type: 'Tick' }, addMicros(planned.startAt, 60_000 * MS));
    expect(log).toEqual('accepted' in alone ? alone.accepted : []);
    expect(foldOnto(evolve(undefined, first), log)).toEqual(await two.auctions.load(planned.id));
  });

  it('counts an offer that arrived before the end of its turn, and is handled after it', async () => {
    const own = await freshDatabase('auction-room');
    await keepWorking(own.pool);
    // Waits for offers under way for longer than any of them takes on a slow machine.
    const leader = await openRoom(own.url, 3_600_000);
    const patient = await openRoom(own.url, 3_600_000);
    // The first turn ends in some seconds.
    const { id } = await plan(-57_000, buildLengths(500, 60_000), patient);
    leader.wakeTimers();
    // The stages of the auction are begun by the one, the offer arrives at the other.
    expect([leader, patient].map((room) => room.leadership.lease(shardOf(id)) !== undefined)).toEqual([true, false]);
    const [, , boundary = patient.clock.now()] = await reached(id, 1, patient);
    await waitFor(() => patient.clock.now() >= boundary, { what: 'the end of the turn' });
    const offer = { auctionId: id, offerId: 'offer-1', bid: FIRST_BIDDER, amount: 400 };
    const inTime = await patient.placeOffer({ ...offer, arrivedAt: addMicros(boundary, -1) });
    expect(inTime).toMatchObject({ accepted: 400, stage: 1, repeat: false });
    await patient.stop();
    await leader.stop();
    await own.drop();
  });

  it('lets an offer that arrived after the end of a turn wait for the next one', async () => {
    // The first turn ends soon, the second one after a minute.
    const planned = await plan(-59_000, buildLengths(500, 60_000));
    const [, , boundary = planned.startAt] = await reached(planned.id, 1);
    await waitFor(() => one.clock.now() >= boundary, { what: 'the end of the turn' });
    const offer = { auctionId: planned.id, offerId: 'offer-1', bid: LAST_BIDDER, amount: 410 };
    const next = await two.placeOffer({ ...offer, arrivedAt: boundary });
    expect(next).toMatchObject({ accepted: 410, stage: 2 });
    expect(two.clock.now()).toBeGreaterThanOrEqual(boundary + TURN_END_MS * MS);
    const log = await one.auctions.log(planned.id);
    expect(log.filter(({ type }) => type !== 'AuctionPlanned').map(({ type }) => type)).toEqual([
      'StageStarted',
      'StageStarted',
      'TurnClosed',
      'StageStarted',
      'OfferPlaced',
    ]);
    await one.run(planned.id, { type: 'Cancel', reason: 'test' }, 'operator');
  });

  it('answers offers that cannot count while their auction is held, and keeps ten of a bidder waiting', async () => {
    const { id } = await plan(-1_000, buildLengths(500, 3_600_000));
    await reached(id, 1);
    const placeOffer = async (bid: string, n: number, room = one) =>
      room.placeOffer({ auctionId: id, bid, offerId: `offer-${n}`, amount: 400 - n, arrivedAt: one.clock.now() });
    // Both have the auction in their memory then.
    for (const room of [one, two]) await placeOffer(LAST_BIDDER, 0, room);
    const waiting = await transact(database.pool, async (tx) => {
      await tx.query('SELECT FROM auction WHERE id = $1 FOR UPDATE', [id]);
      const inTurn = Array.from({ length: 12 }, async (_one, n) => placeOffer(FIRST_BIDDER, n));
      const limited = await Promise.allSettled(inTurn.slice(10));
      expect(limited.map((one) => one.status === 'rejected' && one.reason)).toEqual([
        expect.any(RateExceededError),
        expect.any(RateExceededError),
      ]);
      for (let n = 0; n < 50; n += 1) {
        const answer = await placeOffer(LAST_BIDDER, n, n % 2 === 0 ? one : two);
        expect(answer).toMatchObject({ refused: { code: 'offer.not-your-turn' } });
      }
      // In an object: the transaction must not wait for it.
      return { inTurn: inTurn.slice(0, 10) };
    });
    for (const answer of await Promise.all(waiting.inTurn)) expect(answer).toMatchObject({ stage: 1 });
    await one.run(id, { type: 'Cancel', reason: 'test' }, 'operator');
  });

  it('decides about an auction while more than it has connections are held', async () => {
    const planned = await Promise.all(
      Array.from({ length: 13 }, async () => plan(-1_000, buildLengths(500, 3_600_000))),
    );
    await Promise.all(planned.map(async ({ id }) => reached(id, 1, one)));
    const [{ id: free } = { id: '' }, ...held] = planned;
    const offerOn = async (auctionId: string, amount: number) =>
      one.placeOffer({
        auctionId,
        bid: FIRST_BIDDER,
        offerId: `offer-${amount}`,
        amount,
        arrivedAt: one.clock.now(),
      });
    const answered: string[] = [];
    const waiting = await transact(database.pool, async (tx) => {
      await tx.query('SELECT FROM auction WHERE id = ANY($1) FOR UPDATE', [held.map(({ id }) => id)]);
      const inTurn = Promise.allSettled(held.map(async ({ id }) => offerOn(id, 400).finally(() => answered.push(id))));
      // All of them have met their locks before the last.
      for (const amount of [400, 399, 398]) {
        expect(await offerOn(free, amount)).toMatchObject({ accepted: amount });
      }
      expect(answered).toEqual([]);
      // In an object: the transaction must not wait for it.
      return { inTurn };
    });
    // On a slow machine some may have waited for the 2 s that are allowed.
    for (const settled of await waiting.inTurn) {
      if (settled.status === 'fulfilled') expect(settled.value).toMatchObject({ accepted: 400 });
      else expect(settled.reason).toBeInstanceOf(ConflictError);
    }
    for (const { id } of planned) await one.run(id, { type: 'Cancel', reason: 'test' }, 'operator');
  });

  it('refuses offers about auctions and turns that do not exist', async () => {
    const offer = { bid: FIRST_BIDDER, offerId: 'offer-1', amount: 400, arrivedAt: one.clock.now() };
    expect(await one.placeOffer({ ...offer, auctionId: 'f'.repeat(32) })).toBeUndefined();
    const { id } = await plan(60_000, buildLengths(1, 1));
    expect(await one.placeOffer({ ...offer, auctionId: id })).toMatchObject({ refused: { code: 'offer.no-turn' } });
  });

  it('sets an auction aside whose state cannot be read, and goes on with all others', async () => {
    const broken = await plan(60_000, buildLengths(100, 100));
    await database.pool.query(`UPDATE auction SET seq = 7, state = '{}', due_at = $2 WHERE id = $1`, [
      broken.id,
      one.clock.now(),
    ]);
    const whole = await plan(100, buildLengths(100, 100));
    await reached(whole.id, 9);
    // Not while it is tried again.
    await expect.poll(() => [...one.setAside(), ...two.setAside()]).toEqual([broken.id]);
    await database.pool.query('UPDATE auction SET due_at = NULL WHERE id = $1', [broken.id]);
  });

  it('spreads its shards; epochs only grow, and each shard has one leader', async () => {
    const epochs = new Map<number, number>();
    await waitFor(
      async () => {
        await Promise.all([one.leadership.round(), two.leadership.round()]);
        const { rows } = await database.pool.query<{ shard: number; epoch: number }>(
          'SELECT shard, epoch::int FROM lease',
        );
        for (const { shard, epoch } of rows) {
          expect(epoch).toBeGreaterThanOrEqual(epochs.get(shard) ?? 0);
          epochs.set(shard, epoch);
        }
        const both = [...one.leadership.shards(), ...two.leadership.shards()];
        expect(new Set(both).size).toBe(both.length);
        return one.leadership.shards().length === 32 && two.leadership.shards().length === 32;
      },
      { what: 'half of the shards at each replica' },
    );
  });

  it('hands the shards of a replica that ends over at once', async () => {
    const three = await openRoom();
    await waitFor(
      async () => {
        await Promise.all([one.leadership.round(), three.leadership.round()]);
        return three.leadership.shards().length > 0;
      },
      { what: 'a shard of the third' },
    );
    await three.stop();
    // Given away: nobody waits until they are over.
    const { rows } = await database.pool.query(`SELECT shard FROM lease WHERE until > clock_timestamp()
      AND holder = (SELECT id FROM replica ORDER BY started_at DESC LIMIT 1)`);
    expect(rows).toEqual([]);
    await removeNewest(database.pool);
    const led = await waitFor(
      async () => {
        await Promise.all([one.leadership.round(), two.leadership.round()]);
        const both = [...one.leadership.shards(), ...two.leadership.shards()];
        return both.length === 64 && both;
      },
      { what: 'all shards led again' },
    );
    expect(new Set(led).size).toBe(64);
  });

  it('takes no offer and leads nothing at a replica whose clock is uncertain (A21)', async () => {
    const { id } = await plan(60_000, buildLengths(1, 1));
    // The way to the clock of the database takes longer than the 2 × 50 ms that are certain enough.
    await database.pool.query(`
      CREATE SCHEMA slow;
      CREATE FUNCTION slow.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS
        $$ BEGIN PERFORM pg_sleep(0.12); RETURN pg_catalog.clock_timestamp(); END $$;`);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=slow,pg_catalog,public');
    const slow = await openRoom(url.href);
    expect(slow.isReady()).toBe(false);
    expect(slow.leadership.shards()).toEqual([]);
    const offer = { auctionId: id, bid: FIRST_BIDDER, offerId: 'offer-1', amount: 400, arrivedAt: one.clock.now() };
    await expect(slow.placeOffer(offer)).rejects.toThrow(UnavailableError);
    expect(await one.placeOffer(offer)).toMatchObject({ refused: { code: 'offer.no-turn' } });
    await slow.stop();
    await removeNewest(database.pool);
    await database.pool.query('DROP SCHEMA slow CASCADE');
  });

  it('takes no offer at a replica that has not worked for 3 s, until that has looked for an outage', async () => {
    const { id } = await plan(60_000, buildLengths(1, 1));
    const offer = { auctionId: id, bid: FIRST_BIDDER, offerId: 'offer-1', amount: 400, arrivedAt: one.clock.now() };
    await workAsUsual(database.pool);
    await transact(database.pool, async (tx) => {
      // The replicas look under this lock.
      await tx.query('SELECT pg_advisory_xact_lock($1)', [OUTAGE_LOCK]);
      await database.pool.query(`UPDATE replica SET alive_at = clock_timestamp() - interval '4 s'`);
      await expect(one.placeOffer(offer)).rejects.toThrow(UnavailableError);
    });
    await waitFor(async () => one.placeOffer(offer), { what: 'an answer again' });
    const { rows } = await database.pool.query('SELECT number FROM outage ORDER BY number');
    expect(rows[0]).toEqual({ number: 1 });
  });
});
