import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addMicros, MINUTE, SECOND } from '@procurement/contracts/reading/instant';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { isDatabaseUnavailable } from '@procurement/kit/database/transaction';
import { makeLog } from '@procurement/kit/runtime/log';
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
  await room.run(planned.id, { type: 'Plan', plan: { ...planned, startAt } }, 'follower');
  const offer = (offerId: string, amount: number) =>
    room.placeOffer({ auctionId: planned.id, bid: FIRST_BIDDER, offerId, amount, arrivedAt: room.clock.now() });
  expect(await offer('offer-1', 440)).toMatchObject({ accepted: 440 });

  const stoppedAt = room.clock.now();
  await server.stop();
  // Answered 503.
  await expect(offer('offer-2', 430)).rejects.toSatisfy(isDatabaseUnavailable);
  await waitFor(() => !room.isReady(), { what: 'a room that is not ready' });
  await waitFor(() => room.clock.now() >= addMicros(stoppedAt, 6 * SECOND), { what: 'an outage of 6 s' });
  server = await start();

  await waitFor(() => room.isReady(), { what: 'a room that is ready again' });
  expect(await waitFor(async () => offer('offer-2', 430), { what: 'an answer' })).toMatchObject({ accepted: 430 });
  const auction = await room.auctions.load(planned.id);
  const { seconds = 0 } = auction?.shifts[0] ?? {};
  expect(seconds).toBeGreaterThanOrEqual(6);
  expect(auction?.starts[2]).toBe(addMicros(startAt, (420 + seconds) * SECOND));
});
