import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addMicros, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { isDatabaseUnavailable } from '@procurement/kit/database/transaction';
import { makeLog } from '@procurement/kit/runtime/log';
import { UnavailableError } from '@procurement/kit/runtime/unavailable-error';
import { freePorts } from '@procurement/local-stack/ports';
import { startPostgres, type RunningPostgres } from '@procurement/local-stack/postgres';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureNamed, planOf } from '../../test-support/fixtures.ts';
import { startRoom, type Room } from '../room.ts';

const FIRST_BIDDER = 'a9'.repeat(16);

let folder: string;
let start: () => Promise<RunningPostgres>;
let server: RunningPostgres;
let room: Room;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'auction-room-'));
  // Under root the server runs as another user, who has to enter this folder.
  chmodSync(folder, 0o755);
  const options = {
    dataDir: join(folder, 'data'),
    port: (await freePorts()).postgres,
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    durable: false,
  };
  start = async () => startPostgres(options);
  server = await start();
  const databaseUrl = server.urlOf('postgres');
  await applyMigrations(databaseUrl, fileURLToPath(new URL('../../prisma/migrations', import.meta.url)));
  const log = makeLog('room', 'fatal');
  room = await startRoom({ databaseUrl, replicaId: randomUUID(), replicaName: 'test', settleMs: 150, log });
});
afterAll(async () => {
  await room.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a room whose database goes away in a turn refuses offers, comes back by itself, and gives the turn its time back', async () => {
  const planned = planOf(fixtureNamed('01-two-bidders'));
  const startAt = addMicros(room.clock.now(), -5 * MINUTE);
  const plan = { type: 'Plan', plan: { ...planned, startAt } } as const;
  await waitFor(async () => (await room.run(planned.id, plan, 'follower'), true), { what: 'the plan' });
  const offer = (offerId: string, amount: number) =>
    room.placeOffer({ auctionId: planned.id, bid: FIRST_BIDDER, offerId, amount, arrivedAt: room.clock.now() });
  // A replica that stalled for 3 s takes no offer until it has looked for an outage.
  const answered = async (offerId: string, amount: number) =>
    waitFor(async () => offer(offerId, amount), { what: 'an answer' });
  expect(await answered('offer-1', 440)).toMatchObject({ accepted: 440 });

  const stoppedAt = room.clock.now();
  await server.stop();
  // Answered 503.
  await expect(offer('offer-2', 430)).rejects.toSatisfy(
    (error: unknown) => error instanceof UnavailableError || isDatabaseUnavailable(error),
  );
  await waitFor(() => !room.isReady(), { what: 'a room that is not ready' });
  await waitFor(() => room.clock.now() >= addMicros(stoppedAt, 6 * SECOND), { what: 'an outage of 6 s' });
  server = await start();

  await waitFor(() => room.isReady(), { what: 'a room that is ready again' });
  expect(await answered('offer-2', 430)).toMatchObject({ accepted: 430 });
  const auction = await room.auctions.load(planned.id);
  const seconds = (auction?.shifts ?? []).reduce((sum, shift) => sum + shift.seconds, 0);
  expect(seconds).toBeGreaterThanOrEqual(6);
  expect(auction?.starts[2]).toBe(addMicros(startAt, (420 + seconds) * SECOND));
});
