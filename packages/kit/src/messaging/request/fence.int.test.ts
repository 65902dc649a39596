import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transact } from '../../database/transaction.ts';
import { ProblemError } from '../../runtime/problem-error.ts';
import { makeLog } from '../../runtime/log.ts';
import { openBus, type Bus } from '../bus.ts';
import { FencedError, isPassable, makeFence, NO_FENCE, type Fence } from './fence.ts';
import { makeFenceRaiser, type FenceRaiser, type RaisedFence } from './fence-raiser.ts';
import { respondTo } from './request.ts';

const log = makeLog('test', 'silent' as 'fatal');
const LOCK = 'SELECT pg_advisory_xact_lock(hashtext($1))';
/** Sessions of this database that wait for a lock: other test files have theirs on the same server. */
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;
/** Two deciders of the same object, and the service that freezes them. */
let fence: Fence;
let raiser: FenceRaiser;
let silent = false;
let outcomesAnswered = true;
let version = 1;
let objects = 0;
let id = '';

beforeAll(async () => {
  // The tables of the awards service have both sides of a fence.
  [testBus, database] = await Promise.all([freshBus(), freshDatabase('awards')]);
  bus = await openBus(testBus.url, 'test', log);
  const { pool } = database;
  fence = makeFence({ pool, bus, log, table: 'kit.fence', idColumn: 'id', outcomeSubject: 'ask.outcome' });
  raiser = makeFenceRaiser({
    pool,
    bus,
    log,
    deciders: ['ask.decider', 'ask.other'],
    versionOf: async () => version,
  });
  const lock = async (tx: pg.PoolClient, subject: string): Promise<number> => {
    await tx.query(LOCK, [subject]);
    return 7;
  };
  respondTo(bus, 'ask.decider', log, async (request) => fence.respond(request, lock));
  respondTo(bus, 'ask.other', log, async () => {
    if (silent) throw new Error('unavailable');
    return { frozen: true, version: 0 };
  });
  respondTo(bus, 'ask.outcome', log, async (request) => {
    if (!outcomesAnswered) throw new Error('unavailable');
    return raiser.respondOutcome(request);
  });
});

afterAll(async () => {
  await bus.close();
  await Promise.all([testBus.stop(), database.drop()]);
});

beforeEach(() => {
  objects += 1;
  id = `object ${objects}`;
  [silent, outcomesAnswered, version] = [false, true, 1];
});

/** One decision by facts of the current version, or of another one at first. Returns whether it was made again. */
async function decide(firstVersion = version, about = id): Promise<boolean> {
  return fence.decide(about, async (again) =>
    transact(database.pool, async (tx) => {
      await tx.query(LOCK, [about]);
      const state = (await fence.read(tx, [about])).get(about) ?? NO_FENCE;
      if (!isPassable(state, again ? version : firstVersion)) throw new FencedError(about);
      return again;
    }),
  );
}

/** Raises a fence, again where a decider answers later than it waits. */
async function raise(): Promise<RaisedFence> {
  return waitFor(async () => raiser.raise(id), { what: 'the fence' });
}

/** The same as `decide`, again after a fence that a slow machine holds for longer than a decision waits. */
async function untilDecided(firstVersion = version): Promise<boolean> {
  let again = false;
  await waitFor(async () => ((again = await decide(firstVersion)), true), { what: 'the decision' });
  return again;
}

/** The decision of the raiser, which changes the version: whoever reads it after the commit must see the new one. */
async function settle(raised: RaisedFence): Promise<void> {
  const before = version;
  try {
    await transact(database.pool, async (tx) => {
      await raiser.settle(tx, raised);
      version = before + 1;
    });
  } catch (error) {
    version = before;
    throw error;
  }
}

async function pretendAbandoned(age = '6 seconds'): Promise<void> {
  await database.pool.query(`UPDATE kit.fence SET fence_held_at = now() - $2::interval WHERE id = $1`, [id, age]);
}

async function isHeld(): Promise<boolean> {
  const { rowCount } = await database.pool.query('SELECT FROM kit.fence WHERE id = $1 AND fence_held_at IS NOT NULL', [
    id,
  ]);
  return rowCount === 1;
}

const unavailable = expect.objectContaining({
  problem: expect.objectContaining({ status: 503, headers: { 'retry-after': '1' } }),
});

describe('a fence', () => {
  it('lets decisions pass that nobody has frozen', async () => {
    expect(await decide()).toBe(false);
  });

  it('holds decisions until it is lifted; they are made again by newer facts', async () => {
    const raised = await raise();
    expect(raised.versions.get('ask.decider')).toBe(7);
    const decided = untilDecided(1);
    await settle(raised);
    expect(await isHeld()).toBe(true);
    await raiser.lift(raised);
    expect(await decided).toBe(true);
  });

  it('refuses decisions by facts from before it, after it was lifted', async () => {
    const raised = await raise();
    await settle(raised);
    await raiser.lift(raised);
    expect(await untilDecided(1)).toBe(true);
    expect(await decide()).toBe(false);
  });

  it('lets decisions about one object wait without connections, so that others about other objects have some', async () => {
    const { pool } = database;
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await tx.query(LOCK, [id]);
    const waiting = Array.from({ length: 2 * pool.options.max }, async () => decide());
    expect(await decide(version, `another than ${id}`)).toBe(false);
    await tx.query('ROLLBACK');
    tx.release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([false]));
  });

  it('waits for a decision that has the lock', async () => {
    const tx = await database.pool.connect();
    await tx.query('BEGIN');
    await tx.query(LOCK, [id]);
    let isRaised = false;
    const raising = raise().then((raised) => {
      isRaised = true;
      return raised;
    });
    await waitFor(async () => Number((await database.pool.query(WAITING)).rowCount) > 0, {
      what: 'the freeze at the lock',
    });
    expect([isRaised, await isHeld()]).toEqual([false, false]);
    await tx.query('COMMIT');
    tx.release();
    await raiser.lift(await raising);
  });

  it('answers 503 with Retry-After to a decision when it is not lifted within a second', async () => {
    const raised = await raise();
    await expect(decide()).rejects.toEqual(unavailable);
    await raiser.lift(raised);
  });

  it('503, and lifts again, when one of the deciders does not freeze', async () => {
    silent = true;
    await expect(raiser.raise(id)).rejects.toEqual(unavailable);
    expect(await isHeld()).toBe(false);
    expect(await decide()).toBe(false);
  });

  it('keeps the outcome of an earlier fence whose end was not heard of, when a later one fails', async () => {
    const first = await raise();
    await settle(first);
    silent = true;
    await expect(raiser.raise(id)).rejects.toBeInstanceOf(ProblemError);
    expect(await untilDecided(1)).toBe(true);
  });

  it('ignores a freeze that arrives after its lift, or after a newer one', async () => {
    const first = await raise();
    await raiser.lift(first);
    const late = { act: 'freeze', id, number: first.number };
    expect(await fence.respond(late, async () => 0)).toEqual({ frozen: false, version: 0 });
    expect(await isHeld()).toBe(false);
    const second = await raise();
    expect(await fence.respond(late, async () => 0)).toEqual({ frozen: false, version: 0 });
    await fence.respond({ act: 'lift', id, number: first.number, version: 1 }, async () => 0);
    expect(await isHeld()).toBe(true);
    await raiser.lift(second);
  });

  it('ignores a freeze that arrives after its lift when the decider knew of no fence before', async () => {
    await fence.respond({ act: 'lift', id, number: 5, version: 1 }, async () => 0);
    await fence.respond({ act: 'freeze', id, number: 5 }, async () => 0);
    expect(await isHeld()).toBe(false);
  });

  it('gives way one after the other: a second fence of the object waits for the first', async () => {
    const first = await raise();
    const raising = raise();
    await settle(first);
    const second = await raising;
    expect(second.number).toBeGreaterThan(first.number);
    await raiser.lift(first);
    expect(await isHeld()).toBe(true);
    await raiser.lift(second);
    expect(await isHeld()).toBe(false);
  });
});

describe('an abandoned fence', () => {
  it('is lifted by the outcome; its decision can no longer be stored', async () => {
    const raised = await raise();
    await pretendAbandoned();
    expect(await untilDecided()).toBe(true);
    await expect(settle(raised)).rejects.toEqual(unavailable);
  });

  it('is lifted too when the clock of the database was put back', async () => {
    await raise();
    await pretendAbandoned('-1 hour');
    expect(await untilDecided()).toBe(true);
  });

  it('gives way to a new fence of the same object after 10 s; its decision can no longer be stored', async () => {
    const first = await raise();
    await database.pool.query(`UPDATE kit.fence_raised SET raised_at = raised_at - interval '11 s' WHERE id = $1`, [
      id,
    ]);
    const second = await raise();
    await expect(settle(first)).rejects.toEqual(unavailable);
    await settle(second);
    await raiser.lift(second);
    expect(await untilDecided(1)).toBe(true);
  });

  it('whose decision is about to be stored, is lifted after that only', async () => {
    const raised = await raise();
    await pretendAbandoned();
    const tx = await database.pool.connect();
    await tx.query('BEGIN');
    await raiser.settle(tx, raised);
    let isDecided = false;
    const decided = untilDecided().then((again) => {
      isDecided = true;
      return again;
    });
    await waitFor(async () => Number((await database.pool.query(WAITING)).rowCount) > 0, {
      what: 'the request for the outcome at the lock',
    });
    expect(isDecided).toBe(false);
    // Before the end of the transaction: the request for the outcome goes on with it, perhaps before its end is known here.
    version += 1;
    await tx.query('COMMIT');
    tx.release();
    expect(await decided).toBe(true);
    expect(await untilDecided(1)).toBe(true);
  });

  it('keeps decisions refused with 503 while its raiser cannot be asked', async () => {
    const raised = await raise();
    await pretendAbandoned();
    outcomesAnswered = false;
    await expect(decide()).rejects.toEqual(unavailable);
    outcomesAnswered = true;
    expect(await untilDecided()).toBe(true);
    await raiser.lift(raised);
  });

  it('is lifted in the background for decisions without a caller', async () => {
    await raise();
    await pretendAbandoned();
    fence.liftAbandoned(id);
    expect(await waitFor(async () => !(await isHeld()), { what: 'the lift' })).toBe(true);
  });

  it('is lifted when nothing is decided about its object any more, and not while its raiser may be at work', async () => {
    const raised = await raise();
    await pretendAbandoned('0 seconds');
    await fence.liftAllAbandoned();
    expect(await isHeld()).toBe(true);
    await pretendAbandoned();
    const isLifted = async (): Promise<boolean> => fence.liftAllAbandoned().then(async () => !(await isHeld()));
    expect(await waitFor(isLifted, { what: 'the lift' })).toBe(true);
    await raiser.lift(raised);
  });
});
