import { addMicros, formatLocalDate, parseInstant } from '@procurement/contracts/reading/instant';
import { isDatabaseUnavailable, transact } from '@procurement/kit/database/transaction';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtureNamed } from '../../test-support/fixtures.ts';
import { planFixture } from '../../test-support/plan-fixture.ts';
import { joinReplica, recordOutage, silence, workForAnHour, type TestReplica } from '../../test-support/replica.ts';
import type { Command } from '../domain/commands.ts';

const FIRST = 'a9'.repeat(16);
const IN_FIRST_TURN = '2017-02-16T11:18:00+02:00';

let database: TestDatabase;
let one: TestReplica;
let two: TestReplica;
let planned = 0;

beforeAll(async () => {
  database = await freshDatabase('auction-room');
});
beforeEach(async () => {
  [one, two] = await Promise.all([joinReplica(database.pool), joinReplica(database.pool)]);
  await workForAnHour(database.pool);
});
afterAll(async () => database.drop());

/** Auctions in their first turn, in the memory of the first replica. */
async function running(auctions: number): Promise<readonly string[]> {
  const ids = Array.from({ length: auctions }, () => (planned += 1).toString(16).padStart(32, '0'));
  for (const auctionId of ids) {
    await planFixture(one, fixtureNamed('01-two-bidders'), auctionId);
    await run(one, auctionId, { type: 'Tick' });
  }
  return ids;
}

async function run(replica: TestReplica, auctionId: string, command: Command, at = IN_FIRST_TURN) {
  const result = await replica.auctions.run({ auctionId, command, now: parseInstant(at), actor: 'bidder' });
  if (result === undefined) throw new Error(`no auction ${auctionId}`);
  return result;
}

const offer = (amount: number, offerId = `offer-${amount}`): Command => ({
  type: 'PlaceOffer',
  bid: FIRST,
  amount,
  offerId,
});

/** Ids of the offers in the log. */
async function placed(auctionId: string): Promise<readonly string[]> {
  const log = await one.auctions.log(auctionId);
  return log.flatMap((event) => (event.type === 'OfferPlaced' ? [event.offerId] : []));
}

/** Makes the log refuse offers of this auction by that statement, until the function that it returns is called. */
async function refuseInLog(auctionId: string, statement: string): Promise<() => Promise<void>> {
  await database.pool.query(`
    CREATE FUNCTION refuse_offer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$;
    CREATE TRIGGER refuse_offer BEFORE INSERT ON auction_event FOR EACH ROW
      WHEN (NEW.auction_id = '${auctionId}' AND NEW.type = 'OfferPlaced') EXECUTE FUNCTION refuse_offer();`);
  return async () => void (await database.pool.query('DROP FUNCTION refuse_offer CASCADE'));
}

describe('offers of several auctions at once', () => {
  it('are each stored with the state of its auction', async () => {
    const ids = await running(20);
    const results = await Promise.all(ids.map(async (id, n) => run(one, id, offer(400 - n))));
    for (const [n, id] of ids.entries()) {
      expect(results[n]?.events.map(({ type }) => type)).toEqual(['OfferPlaced']);
      expect(await placed(id)).toEqual([`offer-${400 - n}`]);
      expect(await two.auctions.load(id)).toEqual(results[n]?.auction);
      expect(await one.auctions.isFaithful(id)).toBe(true);
    }
  });

  it('are judged each for itself: refused ones and repeats change nothing', async () => {
    const [good = '', high = '', again = ''] = await running(3);
    await run(one, again, offer(400));
    const [accepted, refused, repeated] = await Promise.all([
      run(one, good, offer(400)),
      run(one, high, offer(5_000)),
      run(one, again, offer(400)),
    ]);
    expect(accepted.events).toHaveLength(1);
    expect([refused.refused?.code, refused.events]).toEqual(['offer.too-high', []]);
    expect([repeated.refused, repeated.events]).toEqual([undefined, []]);
    expect(await Promise.all([good, high, again].map(placed))).toEqual([['offer-400'], [], ['offer-400']]);
  });

  it('of one auction are decided one on the other', async () => {
    const [id = ''] = await running(1);
    const results = await Promise.all([400, 390, 380].map(async (amount) => run(one, id, offer(amount))));
    expect(results.map(({ events }) => events.length)).toEqual([1, 1, 1]);
    expect((await placed(id)).toSorted()).toEqual(['offer-380', 'offer-390', 'offer-400']);
    expect(await one.auctions.isFaithful(id)).toBe(true);
  });

  it('wait for no row of another auction', async () => {
    const [held = '', free = ''] = await running(2);
    const waiting = await transact(database.pool, async (tx) => {
      await tx.query('SELECT FROM auction WHERE id = $1 FOR UPDATE', [held]);
      const offered = run(one, held, offer(400));
      await run(one, free, offer(400));
      expect(await Promise.all([held, free].map(placed))).toEqual([[], ['offer-400']]);
      // In an object: the transaction must not wait for it.
      return { offered };
    });
    expect((await waiting.offered).events).toHaveLength(1);
    expect(await placed(held)).toEqual(['offer-400']);
  });

  it('that another replica overtook are decided by the newer state', async () => {
    const [overtaken = '', other = ''] = await running(2);
    await run(two, overtaken, offer(400, 'offer-same'));
    const [late, whole] = await Promise.all([
      run(one, overtaken, offer(390, 'offer-same')),
      run(one, other, offer(400)),
    ]);
    expect(late.refused?.code).toBe('offer.id-used');
    expect(whole.events).toHaveLength(1);
    expect(await placed(overtaken)).toEqual(['offer-same']);
  });

  it('are not refused by a state that another replica has changed', async () => {
    const [id = ''] = await running(1);
    await two.auctions.run({
      auctionId: id,
      command: { type: 'RenewLink', bid: FIRST },
      now: parseInstant(IN_FIRST_TURN),
      actor: 'operator',
    });
    const { refused, events } = await run(one, id, {
      type: 'PlaceOffer',
      bid: FIRST,
      amount: 400,
      offerId: 'offer-1',
      generation: 2,
    });
    expect([refused, events.map(({ type }) => type)]).toEqual([undefined, ['OfferPlaced']]);
  });

  it('come after an outage that their auction has not seen', async () => {
    const [id = ''] = await running(1);
    await recordOutage(database.pool, '2017-02-16T11:18:10+02:00', '2017-02-16T11:18:40+02:00');
    const { events } = await run(one, id, offer(400), '2017-02-16T11:18:41+02:00');
    expect(events.map(({ type }) => type)).toEqual(['TimetableShifted', 'OfferPlaced']);
  });

  it('are not stored by a replica that has not worked for 3 s', async () => {
    const [id = ''] = await running(1);
    await silence(database.pool, 20);
    await expect(run(one, id, offer(400))).rejects.toThrow(UnavailableError);
    expect(await placed(id)).toEqual([]);
  });

  it('are judged by the time of an auction that was moved', async () => {
    const [id = ''] = await running(1);
    // By another replica: this one has the earlier time in its memory.
    await two.auctions.moveAhead(id, 3_600_000_000);
    const { refused } = await run(one, id, offer(400));
    expect(refused?.code).toBe('offer.no-turn');
  });
});

/** Why the first replica refuses an offer before it waits for anything. */
async function refusedAtOnce(auctionId: string, command: Command, at = IN_FIRST_TURN) {
  return (await one.auctions.refusalOf({ auctionId, command, now: parseInstant(at), actor: 'bidder' }))?.code;
}

describe('offers that cannot count', () => {
  const SECOND = 'a8'.repeat(16);
  const ofSecond: Command = { type: 'PlaceOffer', bid: SECOND, amount: 400, offerId: 'offer-1' };

  it('are refused by the state in memory, without a lock, and others pass', async () => {
    const [id = ''] = await running(1);
    await transact(database.pool, async (tx) => {
      await tx.query('SELECT FROM auction WHERE id = $1 FOR UPDATE', [id]);
      expect(await refusedAtOnce(id, ofSecond)).toBe('offer.not-your-turn');
      expect(await refusedAtOnce(id, offer(5_000))).toBe('offer.too-high');
      expect(await refusedAtOnce(id, offer(400))).toBeUndefined();
    });
    expect(await placed(id)).toEqual([]);
  });

  it('are those of the stored state: what another replica changed counts', async () => {
    const [renewed = '', moved = ''] = await running(2);
    const now = parseInstant(IN_FIRST_TURN);
    await two.auctions.run({
      auctionId: renewed,
      command: { type: 'RenewLink', bid: FIRST },
      now,
      actor: 'operator',
    });
    expect(await refusedAtOnce(renewed, { ...offer(400), generation: 2 } as Command)).toBeUndefined();
    // Into the second turn.
    await two.auctions.moveAhead(moved, 120_000_000);
    expect(await refusedAtOnce(moved, ofSecond)).toBeUndefined();
  });

  it('are not known before an outage that the auction has not seen', async () => {
    const [id = ''] = await running(1);
    await recordOutage(database.pool, '2017-02-16T11:18:10+02:00', '2017-02-16T11:18:40+02:00');
    // Without the 30 s of the outage the first turn would be over.
    const [, , boundary = parseInstant(IN_FIRST_TURN)] = (await one.auctions.load(id))?.starts ?? [];
    const late = formatLocalDate(addMicros(boundary, 10_000_000));
    expect(await refusedAtOnce(id, offer(400), late)).toBeUndefined();
    expect((await run(one, id, offer(400), late)).events.map(({ type }) => type)).toEqual([
      'TimetableShifted',
      'OfferPlaced',
    ]);
  });
});

describe('an offer that fails', () => {
  it('fails alone when the database refuses it', async () => {
    const ids = await running(3);
    const [bad = '', ...good] = ids;
    const allow = await refuseInLog(bad, `RAISE EXCEPTION 'refused'`);
    const results = await Promise.allSettled(ids.map(async (id) => run(one, id, offer(400))));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    await allow();
    expect(await Promise.all(ids.map(placed))).toEqual([[], ...good.map(() => ['offer-400'])]);
  });

  it('fails alone when its connection is lost, and a repeat stores it', async () => {
    const ids = await running(3);
    const [lost = '', ...others] = ids;
    const allow = await refuseInLog(lost, 'PERFORM pg_terminate_backend(pg_backend_pid())');
    const [result, ...rest] = await Promise.allSettled(ids.map(async (id) => run(one, id, offer(400))));
    expect(result?.status === 'rejected' && isDatabaseUnavailable(result.reason)).toBe(true);
    expect(rest.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await Promise.all(ids.map(placed))).toEqual([[], ...others.map(() => ['offer-400'])]);
    await allow();
    expect((await run(one, lost, offer(400))).events).toHaveLength(1);
  });

  it('is found by a repeat when it was stored, and only its answer was lost', async () => {
    const [id = ''] = await running(1);
    await run(one, id, offer(400));
    const again = await run(two, id, offer(400));
    expect([again.events.length, again.auction.posted?.amount]).toEqual([0, 400]);
    expect(await placed(id)).toEqual(['offer-400']);
  });
});
