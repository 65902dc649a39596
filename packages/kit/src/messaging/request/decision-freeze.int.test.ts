import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { transact } from '../../database/transaction.ts';
import { ProblemError } from '../../runtime/problem-error.ts';
import { makeLog } from '../../runtime/log.ts';
import { openBus, type Bus } from '../bus.ts';
import { FrozenError, allowsDecision, makeDecisionFreeze, NOT_FROZEN, type DecisionFreeze } from './decision-freeze.ts';
import { makeDecisionFreezer, type DecisionFreezer, type BegunFreeze } from './decision-freezer.ts';
import { respondTo } from './request.ts';

const log = makeLog('test', 'silent' as 'fatal');
const LOCK = 'SELECT pg_advisory_xact_lock(hashtext($1))';
/** Sessions of this database that wait for a lock: other test files have theirs on the same server. */
const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

let testBus: TestBus;
let bus: Bus;
let database: TestDatabase;
/** Two deciders of the same object, and the service that freezes them. */
let freeze: DecisionFreeze;
let freezer: DecisionFreezer;
let silent = false;
let outcomesAnswered = true;
let version = 1;
let objects = 0;
let id = '';

beforeAll(async () => {
  // The tables of the awards service have both sides of a freeze.
  [testBus, database] = await Promise.all([freshBus(), freshDatabase('awards')]);
  bus = await openBus(testBus.url, 'test', log);
  const { pool } = database;
  freeze = makeDecisionFreeze({
    pool,
    bus,
    log,
    table: 'kit.decision_freeze',
    idColumn: 'id',
    outcomeSubject: 'ask.outcome',
  });
  freezer = makeDecisionFreezer({
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
  respondTo(bus, 'ask.decider', log, async (request) => freeze.respond(request, lock));
  respondTo(bus, 'ask.other', log, async () => {
    if (silent) throw new Error('unavailable');
    return { frozen: true, version: 0 };
  });
  respondTo(bus, 'ask.outcome', log, async (request) => {
    if (!outcomesAnswered) throw new Error('unavailable');
    return freezer.respondOutcome(request);
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
  return freeze.decide(about, async (again) =>
    transact(database.pool, async (tx) => {
      await tx.query(LOCK, [about]);
      const state = (await freeze.read(tx, [about])).get(about) ?? NOT_FROZEN;
      if (!allowsDecision(state, again ? version : firstVersion)) throw new FrozenError(about);
      return again;
    }),
  );
}

/** Begins a freeze, again where a decider answers later than it waits. */
async function beginFreeze(): Promise<BegunFreeze> {
  return waitFor(async () => freezer.freeze(id), { what: 'the freeze' });
}

/** The same as `decide`, again after a freeze that a slow machine holds for longer than a decision waits. */
async function untilDecided(firstVersion = version): Promise<boolean> {
  let again = false;
  await waitFor(async () => ((again = await decide(firstVersion)), true), { what: 'the decision' });
  return again;
}

/** The decision of the freezer, which changes the version: whoever reads it after the commit must see the new one. */
async function confirm(begun: BegunFreeze): Promise<void> {
  const before = version;
  try {
    await transact(database.pool, async (tx) => {
      await freezer.confirm(tx, begun);
      version = before + 1;
    });
  } catch (error) {
    version = before;
    throw error;
  }
}

async function pretendAbandoned(age = '6 seconds'): Promise<void> {
  await database.pool.query(`UPDATE kit.decision_freeze SET frozen_at = now() - $2::interval WHERE id = $1`, [id, age]);
}

async function isHeld(): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'SELECT FROM kit.decision_freeze WHERE id = $1 AND frozen_at IS NOT NULL',
    [id],
  );
  return rowCount === 1;
}

const unavailable = expect.objectContaining({
  problem: expect.objectContaining({ status: 503, headers: { 'retry-after': '1' } }),
});

describe('a freeze', () => {
  it('lets decisions pass that nobody has frozen', async () => {
    expect(await decide()).toBe(false);
  });

  it('holds decisions until it is lifted; they are made again by newer facts', async () => {
    const begun = await beginFreeze();
    expect(begun.versions.get('ask.decider')).toBe(7);
    const decided = untilDecided(1);
    await confirm(begun);
    expect(await isHeld()).toBe(true);
    await freezer.lift(begun);
    expect(await decided).toBe(true);
  });

  it('refuses decisions by facts from before it, after it was lifted', async () => {
    const begun = await beginFreeze();
    await confirm(begun);
    await freezer.lift(begun);
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
    const raising = beginFreeze().then((begun) => {
      isRaised = true;
      return begun;
    });
    await waitFor(async () => Number((await database.pool.query(WAITING)).rowCount) > 0, {
      what: 'the freeze at the lock',
    });
    expect([isRaised, await isHeld()]).toEqual([false, false]);
    await tx.query('COMMIT');
    tx.release();
    await freezer.lift(await raising);
  });

  it('answers 503 with Retry-After to a decision when it is not lifted within a second', async () => {
    const begun = await beginFreeze();
    await expect(decide()).rejects.toEqual(unavailable);
    await freezer.lift(begun);
  });

  it('503, and lifts again, when one of the deciders does not freeze', async () => {
    silent = true;
    await expect(freezer.freeze(id)).rejects.toEqual(unavailable);
    expect(await isHeld()).toBe(false);
    expect(await decide()).toBe(false);
  });

  it('keeps the outcome of an earlier freeze whose end was not heard of, when a later one fails', async () => {
    const first = await beginFreeze();
    await confirm(first);
    silent = true;
    await expect(freezer.freeze(id)).rejects.toBeInstanceOf(ProblemError);
    expect(await untilDecided(1)).toBe(true);
  });

  it('ignores a freeze that arrives after its lift, or after a newer one', async () => {
    const first = await beginFreeze();
    await freezer.lift(first);
    const late = { act: 'freeze', id, number: first.number };
    expect(await freeze.respond(late, async () => 0)).toEqual({ frozen: false, version: 0 });
    expect(await isHeld()).toBe(false);
    const second = await beginFreeze();
    expect(await freeze.respond(late, async () => 0)).toEqual({ frozen: false, version: 0 });
    await freeze.respond({ act: 'lift', id, number: first.number, version: 1 }, async () => 0);
    expect(await isHeld()).toBe(true);
    await freezer.lift(second);
  });

  it('ignores a freeze that arrives after its lift when the decider knew of no freeze before', async () => {
    await freeze.respond({ act: 'lift', id, number: 5, version: 1 }, async () => 0);
    await freeze.respond({ act: 'freeze', id, number: 5 }, async () => 0);
    expect(await isHeld()).toBe(false);
  });

  it('gives way one after the other: a second freeze of the object waits for the first', async () => {
    const first = await beginFreeze();
    const raising = beginFreeze();
    await confirm(first);
    const second = await raising;
    expect(second.number).toBeGreaterThan(first.number);
    await freezer.lift(first);
    expect(await isHeld()).toBe(true);
    await freezer.lift(second);
    expect(await isHeld()).toBe(false);
  });
});

describe('an abandoned freeze', () => {
  it('is lifted by the outcome; its decision can no longer be stored', async () => {
    const begun = await beginFreeze();
    await pretendAbandoned();
    expect(await untilDecided()).toBe(true);
    await expect(confirm(begun)).rejects.toEqual(unavailable);
  });

  it('is lifted too when the clock of the database was put back', async () => {
    await beginFreeze();
    await pretendAbandoned('-1 hour');
    expect(await untilDecided()).toBe(true);
  });

  it('gives way to a new freeze of the same object after 10 s; its decision can no longer be stored', async () => {
    const first = await beginFreeze();
    await database.pool.query(`UPDATE kit.begun_freeze SET begun_at = begun_at - interval '11 s' WHERE id = $1`, [id]);
    const second = await beginFreeze();
    await expect(confirm(first)).rejects.toEqual(unavailable);
    await confirm(second);
    await freezer.lift(second);
    expect(await untilDecided(1)).toBe(true);
  });

  it('whose decision is about to be stored, is lifted after that only', async () => {
    const begun = await beginFreeze();
    await pretendAbandoned();
    const tx = await database.pool.connect();
    await tx.query('BEGIN');
    await freezer.confirm(tx, begun);
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

  it('keeps decisions refused with 503 while its freezer cannot be asked', async () => {
    const begun = await beginFreeze();
    await pretendAbandoned();
    outcomesAnswered = false;
    await expect(decide()).rejects.toEqual(unavailable);
    outcomesAnswered = true;
    expect(await untilDecided()).toBe(true);
    await freezer.lift(begun);
  });

  it('is lifted in the background for decisions without a caller', async () => {
    await beginFreeze();
    await pretendAbandoned();
    freeze.liftAbandoned(id);
    expect(await waitFor(async () => !(await isHeld()), { what: 'the lift' })).toBe(true);
  });

  it('is lifted when nothing is decided about its object any more, and not while its freezer may be at work', async () => {
    const begun = await beginFreeze();
    await pretendAbandoned('0 seconds');
    await freeze.liftAllAbandoned();
    expect(await isHeld()).toBe(true);
    await pretendAbandoned();
    const isLifted = async (): Promise<boolean> => freeze.liftAllAbandoned().then(async () => !(await isHeld()));
    expect(await waitFor(isLifted, { what: 'the lift' })).toBe(true);
    await freezer.lift(begun);
  });
});
