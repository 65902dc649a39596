import { fileURLToPath } from 'node:url';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { waitForDatabase } from '@procurement/kit/database/wait-for-database';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { makeLog } from '@procurement/kit/runtime/log';
import { exitOnSignal } from '@procurement/kit/runtime/process';
import { config } from './config.ts';
import { startReplica } from './start-replica.ts';
import { makeTenderService } from './tender-service/client.ts';

const settings = settingsOrExit(config);
const log = makeLog('auction-room', settings.LOG_LEVEL);
let close = async (): Promise<void> => undefined;
exitOnSignal(settings, log, async () => close());

try {
  const migrations = fileURLToPath(new URL('../prisma/migrations/', import.meta.url));
  await waitForDatabase(log, async () => applyMigrations(settings.DATABASE_URL, migrations));
  const service = makeTenderService({
    apiUrl: settings.API_URL,
    uploadUrl: settings.DOCUMENT_SERVICE_URL ?? settings.API_URL,
    key: settings.ROOM_API_KEY,
  });
  const replica = await startReplica({ settings, service, log });
  close = replica.stop;
  await replica.app.listen({ host: settings.HOST, port: settings.PORT });
  await replica.operations.listen({ host: settings.OPERATOR_HOST, port: settings.OPERATOR_PORT });
  log.info({ port: settings.PORT }, 'serving');
} catch (error) {
  log.fatal({ err: error }, 'cannot start');
  process.exit(1);
}
