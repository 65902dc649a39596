import { settingsOrExit } from '@procurement/kit/runtime/config';
import { runService } from '@procurement/kit/service/run-service';
import { mountRoutes } from './app.ts';
import { config } from './config.ts';
import { makeDeps, requireBlindKey } from './deps.ts';
import { acceptHole, refill, resume } from './writer/commands.ts';
import { startLogWriter, type LogWriter } from './writer/write-log.ts';

const settings = settingsOrExit(config);
/** Nothing is sent to this service but addresses. */
const BODY_BYTES_MAX = 1_024;

await runService({
  name: 'ledger',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  bodyBytesMax: BODY_BYTES_MAX,
  commands: {
    'accept-hole': async (args, context, print) => acceptHole(args, makeDeps(settings, context), print),
    refill: async (args, context, print) => refill(args, makeDeps(settings, context), print),
    resume: async (args, context, print) => resume(args, makeDeps(settings, context), print),
  },
  assemble: (base) => {
    const deps = makeDeps(settings, base);
    let writer: LogWriter | undefined;
    return {
      routes: (app) => mountRoutes(app, deps),
      subscriptions: [],
      prepare: async () => requireBlindKey(deps),
      details: async () => writer?.problems() ?? [],
      startBackground: () => {
        writer = startLogWriter(deps);
        base.log.info(
          { origin: deps.origin, vkeys: deps.signers.map(({ verifier }) => verifier.vkey) },
          'the log is signed with these keys',
        );
        return writer;
      },
    };
  },
});
