import { fileURLToPath } from 'node:url';
import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { makePool } from '@procurement/kit/database/pool';
import { makeLog } from '@procurement/kit/runtime/log';
import { startOwnPostgres, type OwnPostgres } from '@procurement/testing/postgres';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestRoom, type TestRoom } from '../../test-support/test-room.ts';
import type { AuctionPlan } from '../domain/auction.ts';
import { linkHash } from '../session/links.ts';

const FIRST_BIDDER = 'a9'.repeat(16);
const IN_FIRST_TURN = 310;

let server: OwnPostgres;
let room: TestRoom;
let plan: AuctionPlan;

beforeAll(async () => {
  server = await startOwnPostgres();
  const { url } = server;
  await applyMigrations(url, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)));
  const pool = makePool({ url, name: 'test', connectionsMax: 2, log: makeLog('test', 'fatal') });
  const drop = async (): Promise<void> => pool.end().then(async () => server.stop());
  room = await startTestRoom({}, { url, pool, drop });
  plan = await waitFor(async () => room.plan(IN_FIRST_TURN), { what: 'the plan' });
  await room.stored(plan.id, ({ currentStage }) => currentStage === 1);
});
afterAll(async () => room.stop());

const place = async (offerId: string, amount: number) =>
  room.room.placeOffer({
    auctionId: plan.id,
    bid: FIRST_BIDDER,
    offerId,
    amount,
    arrivedAt: room.room.clock.now(),
  });

/** A replica that stalled for 3 s takes no offer until it has looked for an outage. */
const answered = async (offerId: string, amount: number) =>
  waitFor(async () => place(offerId, amount), { what: 'an answer' });

/** An offer as a robot sends it. */
async function post(amount: number): Promise<{ readonly status: number; readonly retryAfter: unknown }> {
  const hash = linkHash(room.settings.ROOM_SECRETS, { auctionId: plan.id, bid: FIRST_BIDDER, generation: 1 });
  const { statusCode: status, headers } = await room.app.inject({
    method: 'POST',
    url: `/api/auctions/${plan.id}/bids/${FIRST_BIDDER}?hash=${hash}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ amount }),
  });
  return { status, retryAfter: headers['retry-after'] };
}

const REFUSED = { status: 503, retryAfter: '1' };

async function problems(): Promise<readonly string[]> {
  return (await room.operations.inject('/health')).json<{ details: readonly string[] }>().details;
}

it('a room whose database goes away in a turn refuses offers, comes back by itself, and gives the turn its time back (F7)', async () => {
  expect(await answered('offer-1', 440)).toMatchObject({ accepted: 440 });
  const [, , boundary = plan.startAt] = (await room.room.auctions.load(plan.id))?.starts ?? [];

  const stoppedAt = room.room.clock.now();
  await server.end('SIGINT');
  expect(await post(430)).toEqual(REFUSED);
  await waitFor(() => !room.room.isReady(), { what: 'a room that is not ready' });
  expect(await post(430)).toEqual(REFUSED);
  expect((await room.operations.inject('/ready')).statusCode).toBe(503);
  expect(await problems()).toContain('the database does not answer');
  // Pages keep the last state, and say so.
  expect((await room.app.inject(`/tenders/${plan.id}/state`)).statusCode).toBe(503);
  await waitFor(() => room.room.clock.now() >= addMicros(stoppedAt, 6 * SECOND), { what: 'an outage of 6 s' });
  await server.start();

  await waitFor(() => room.room.isReady(), { what: 'a room that is ready again' });
  expect(await answered('offer-2', 430)).toMatchObject({ accepted: 430 });
  const auction = await room.room.auctions.load(plan.id);
  const seconds = (auction?.shifts ?? []).reduce((sum, shift) => sum + shift.seconds, 0);
  expect(seconds).toBeGreaterThanOrEqual(6);
  expect(auction?.starts[2]).toBe(addMicros(boundary, seconds * SECOND));
});

it('a room whose database has no space stores nothing, refuses, alarms, and goes on when there is space (F28)', async () => {
  const before = (await room.room.auctions.log(plan.id)).length;
  // What the server says to a statement that finds the disk full.
  await room.database.pool.query(`
    CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_space BEFORE INSERT ON auction_event FOR EACH STATEMENT EXECUTE FUNCTION no_space();`);
  expect(await post(420)).toEqual(REFUSED);
  await expect(place('offer-3', 420)).rejects.toMatchObject({ code: '53100' });
  expect(await room.room.auctions.log(plan.id)).toHaveLength(before);
  // The alarm is about an auction whose stage is due.
  await room.database.pool.query('UPDATE auction SET due_at = $1 WHERE id = $2', [room.room.clock.now(), plan.id]);
  await room.room.auctions.moveAhead(plan.id, 7_200 * SECOND);
  room.room.wakeTimers();
  await waitFor(async () => (await problems()).includes(`auction ${plan.id} is set aside`), { what: 'the alarm' });
  expect((await room.operations.inject('/metrics')).body).toMatch(/^room_auctions_set_aside\S* 1$/m);
  await room.database.pool.query('DROP FUNCTION no_space CASCADE');
  const stored = await room.stored(plan.id, ({ currentStage }) => currentStage > 1);
  // What was refused does not count.
  expect(stored.turns[0]).toMatchObject({ bid: FIRST_BIDDER, amount: 430 });
  await waitFor(async () => (await problems()).length === 0, { what: 'the end of the alarm' });
});

it('an offer is answered when its commit is on the standby, not before (F8)', async () => {
  plan = await waitFor(async () => room.plan(IN_FIRST_TURN), { what: 'the plan' });
  await room.stored(plan.id, ({ currentStage }) => currentStage === 1);
  const standby = async (name: string): Promise<void> => {
    await room.database.pool.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await room.database.pool.query('SELECT pg_reload_conf()');
    const shown = async () => (await room.database.pool.query('SHOW synchronous_standby_names')).rows[0];
    await waitFor(async () => (await shown())?.synchronous_standby_names === name, { what: 'the setting' });
  };
  await answered('offer-1', 440);
  await standby('away');
  // Of the decisions about auctions: other connections of the room commit too.
  const waiting = `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE wait_event = 'SyncRep' AND relation = 'auction_event'::regclass`;
  let answer: unknown;
  let amount = 440;
  // A connection takes the setting over when it is idle: an offer that came before is answered at once.
  const { offer } = await waitFor(
    async () => {
      answer = undefined;
      amount -= 10;
      const given = answered(`offer-${amount}`, amount).then((one) => (answer = one));
      const isDecided = async () => answer !== undefined || (await room.database.pool.query(waiting)).rowCount;
      await waitFor(isDecided, { what: 'an answer, or a commit that waits' });
      return answer === undefined ? { offer: given } : undefined;
    },
    { what: 'a commit that waits' },
  );
  expect(answer).toBeUndefined();
  await standby('');
  expect(await offer).toMatchObject({ accepted: amount });
});
