import { settingsOrExit } from '@procurement/kit/runtime/config';
import { makeLog } from '@procurement/kit/runtime/log';
import { closeServer, closeTimesOf, exitOnSignal } from '@procurement/kit/runtime/process';
import { buildApp } from './app.ts';
import { config } from './config.ts';
import { makeDeps } from './deps.ts';
import { buildOperations } from './operations.ts';

const settings = settingsOrExit(config);
const log = makeLog('portal', settings.LOG_LEVEL);
const deps = makeDeps(settings, log);
const app = buildApp(deps);
let isEnding = false;
const operations = buildOperations(deps, () => isEnding);
exitOnSignal(settings, log, async () => {
  isEnding = true;
  await closeServer(app, closeTimesOf(settings));
  await operations.close();
  await deps.close();
});

try {
  await app.listen({ host: settings.HOST, port: settings.PORT });
  await operations.listen({ host: settings.OPERATIONS_HOST, port: settings.OPERATIONS_PORT });
  log.info({ port: settings.PORT }, 'serving');
} catch (error) {
  log.fatal({ err: error }, 'cannot start');
  process.exit(1);
}
