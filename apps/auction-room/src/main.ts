import { randomBytes, randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { closeServer, closeTimesOf, exitOnSignal, waitForDependency } from '@procurement/kit/runtime/process';
import { buildApp } from './app.ts';
import { config } from './config.ts';
import type { Deps } from './deps.ts';
import { startHandOff } from './hand-off.ts';
import { loadPage } from './http/page.ts';
import { buildOperations } from './operations.ts';
import { startRoom, type RoomOptions } from './room.ts';
import { rateLimit } from './session/rates.ts';
import { makeTenderService } from './tender-service/client.ts';
import { makeHub } from './watch/hub.ts';
import { followNews } from './watch/news.ts';

const FOLLOW_SECONDS = 5;
const SANDBOX_FOLLOW_SECONDS = 1;
const STREAMS_CLOSE_MS = 2_000;
const RANDOM_STEPS = 1_000_000;

const settings = settingsOrExit(config);
const log = makeLog('auction-room', settings.LOG_LEVEL);
let ending = false;
let close = async (): Promise<void> => undefined;
exitOnSignal(settings, log, async () => {
  ending = true;
  await close();
});

const migrations = fileURLToPath(new URL('../prisma/migrations/', import.meta.url));
await waitForDependency(log, 'database', async () => applyMigrations(settings.DATABASE_URL, migrations));
const replicaId = secureIds.nextUuid();
// Stages may begin before the rest is made.
let onChanged: NonNullable<RoomOptions['onChanged']> = () => undefined;
const room = await waitForDependency(log, 'database', async () =>
  startRoom({
    databaseUrl: settings.DATABASE_URL,
    replicaId,
    replicaName: hostname(),
    settleMs: settings.SETTLE_MS,
    log,
    onChanged: (seen, events) => onChanged(seen, events),
  }),
);
const { now } = room.clock;
const hub = makeHub({ now: () => now(), log });
const service = makeTenderService({
  apiUrl: settings.API_URL,
  uploadUrl: settings.DOCUMENT_SERVICE_URL ?? settings.API_URL,
  key: settings.ROOM_API_KEY,
});
const followSeconds = settings.FOLLOW_SECONDS ?? (settings.SANDBOX_MODE ? SANDBOX_FOLLOW_SECONDS : FOLLOW_SECONDS);
const handOff = startHandOff({
  room,
  replicaId,
  service,
  settings: {
    publicUrl: settings.PUBLIC_URL,
    procurementTypes: settings.PROCUREMENT_TYPES,
    playsSpecialModes: settings.SPECIAL_MODES === 'room',
    takeOver: settings.TAKE_OVER,
    sandbox: settings.SANDBOX_MODE,
    acceleratesStages: settings.SANDBOX_ACCELERATES_STAGES,
  },
  keys: settings.ROOM_SECRETS,
  followPauseMs: followSeconds * 1_000,
  random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
  log,
});
onChanged = (seen) => {
  hub.publish(seen);
  handOff.wake();
};
const news = followNews({ hub, pool: room.pool, auctions: room.auctions, log });
const deps: Deps = {
  settings,
  room,
  hub,
  handOff,
  service,
  page: await loadPage(),
  limits: {
    offers: rateLimit({ perSecond: 5, burst: 10 }),
    logins: rateLimit({ perSecond: 10 / 60, burst: 10 }),
    loginsOfAuction: rateLimit({ perSecond: 1, burst: 60 }),
    reads: rateLimit({ perSecond: 60, burst: 120 }),
  },
  log,
  metrics: makeMetrics('auction-room'),
  now: () => now(),
  newId: () => randomBytes(16).toString('hex'),
  isEnding: () => ending,
};
const app = buildApp(deps);
const operations = buildOperations(deps);
await app.listen({ host: settings.HOST, port: settings.PORT });
await operations.listen({ host: settings.OPERATOR_HOST, port: settings.OPERATOR_PORT });
log.info({ port: settings.PORT }, 'serving');

close = async () => {
  await handOff.stop();
  await news.stop();
  await hub.close(STREAMS_CLOSE_MS);
  await closeServer(app, closeTimesOf(settings));
  await room.stop();
  await operations.close();
};
