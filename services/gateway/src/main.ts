import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { JSON_BYTES_MAX } from '@procurement/kit/http/body';
import { settingsOrExit } from '@procurement/kit/runtime/config';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { runService, type ProcessContext } from '@procurement/kit/service/run-service';
import { buildApp } from './app.ts';
import { subscribeBrokerEvents } from './auth/broker-events.ts';
import { brokersCommand } from './auth/brokers.command.ts';
import { respondBrokerLevels } from './auth/respond-broker-levels.ts';
import { refusedKeys, SANDBOX_BROKERS, seedSandboxKeys } from './auth/sandbox-keys.ts';
import { config } from './config.ts';
import { brokerAccess, checkHealth, makeDeps } from './deps.ts';
import { buildOperations } from './description/health-endpoints.ts';
import { startIdempotencyPurge } from './idempotency/purge.ts';

const settings = settingsOrExit(config);

/** `node dist/main.js brokers ...`: manages API keys. */
async function brokers(
  args: readonly string[],
  context: ProcessContext,
  print: (line: string) => void,
): Promise<number> {
  const access = brokerAccess({ ...context, refusedKeys: refusedKeys(settings) });
  const { ids } = context;
  const readInput = async (file: string): Promise<string> =>
    file === '-' ? readText(process.stdin) : readFile(file, 'utf8');
  return brokersCommand(args, {
    brokers: access.brokers,
    refusedKeys: refusedKeys(settings),
    ids,
    readInput,
    print,
  });
}

await runService({
  name: 'gateway',
  config: settings,
  migrations: new URL('../prisma/migrations/', import.meta.url),
  ownStream: streams.brokers,
  bodyBytesMax: JSON_BYTES_MAX,
  commands: { brokers },
  assemble: (context) => {
    const { bus, log } = context;
    const access = brokerAccess({ ...context, refusedKeys: refusedKeys(settings) });
    respondTo(bus, rpcSubjects.brokerLevels, log, respondBrokerLevels(access.brokers));
    const deps = makeDeps(settings, { ...context, keys: access.keys, checks: async () => checkHealth(context) });
    // Every replica reads every broker event by a plain subscription (decision 0015), so there is no durable consumer.
    let brokerSubscription = { stop: (): void => undefined };
    // Listens before and closes after the public port: it says that the process is starting or shutting down.
    const operations = buildOperations(deps);
    return {
      subscriptions: [],
      server: async () => {
        if (settings.SANDBOX_MODE) {
          await seedSandboxKeys(access.brokers);
          const keys = SANDBOX_BROKERS.map(({ name }) => name);
          log.warn({ keys }, 'sandbox: these API keys equal their names; rates are unlimited unless set');
        }
        brokerSubscription = subscribeBrokerEvents(bus, deps.keys, log);
        await deps.keys.refresh();
        const app = await buildApp(deps);
        await operations.listen({ host: settings.OPERATIONS_HOST, port: settings.OPERATIONS_PORT });
        return app;
      },
      startBackground: () => {
        const refreshTimer = setInterval(() => {
          deps.keys.refresh().catch((error: unknown) => log.warn({ err: error }, 'broker keys not refreshed'));
        }, settings.KEYS_REFRESH_SECONDS * 1_000);
        const purge = startIdempotencyPurge(deps);
        return {
          stop: async () => {
            clearInterval(refreshTimer);
            await operations.close();
            purge.stop();
            brokerSubscription.stop();
            deps.pressure.stop();
            await deps.textWork.stop();
            await deps.upstreams.close();
          },
        };
      },
    };
  },
});
