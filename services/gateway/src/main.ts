import { fileURLToPath } from 'node:url';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeLog, type Logger } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { buildApp } from './app.ts';
import { subscribeBrokerEvents } from './auth/broker-events.ts';
import { brokersCommand } from './auth/brokers.command.ts';
import { SANDBOX_BROKERS, seedSandboxKeys } from './auth/sandbox-keys.ts';
import { config as readConfig, type Config } from './config.ts';
import { makeDeps, openInfrastructure } from './deps.ts';
import { startIdempotencyPurge } from './idempotency/purge.ts';
import { closeServer, exitOnSignal, waitForDependency } from '@procurement/kit/runtime/process';

const migrations = fileURLToPath(new URL('../prisma/migrations', import.meta.url));

/** `node dist/main.js brokers ...`: manages keys and ends. */
async function runBrokersCommand(config: Config, log: Logger, args: readonly string[]): Promise<number> {
  await applyMigrations(config.DATABASE_URL, migrations);
  const infrastructure = await openInfrastructure(config, log, makeMetrics('gateway'));
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const code = await brokersCommand(args, { brokers: infrastructure.brokers, ids: secureIds, print });
  await infrastructure.drainOutbox();
  await infrastructure.close();
  return code;
}

async function serve(config: Config, log: Logger): Promise<void> {
  const startedMs = monotonicMs();
  // From the first moment on: what is still waiting for its database must end when it is told to.
  let closing = async (): Promise<void> => undefined;
  exitOnSignal(config, log, async () => closing());
  const applied = await waitForDependency(log, 'database', async () =>
    applyMigrations(config.DATABASE_URL, migrations),
  );
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const metrics = makeMetrics('gateway');
  const infrastructure = await openInfrastructure(config, log, metrics);
  if (config.SANDBOX_MODE) {
    await seedSandboxKeys(infrastructure.brokers);
    const keys = SANDBOX_BROKERS.map(({ name }) => name);
    log.warn(
      { keys },
      'sandbox: these API keys equal their names, rates are not limited unless set, X-Sandbox says so',
    );
  }
  const deps = makeDeps(config, { ...infrastructure, log, metrics });
  const brokerSubscription = subscribeBrokerEvents(infrastructure.bus, deps.keys, log);
  await deps.keys.refresh();
  const refreshTimer = setInterval(() => {
    deps.keys.refresh().catch((error: unknown) => log.warn({ err: error }, 'broker keys not refreshed'));
  }, config.KEYS_REFRESH_SECONDS * 1_000);
  const purge = startIdempotencyPurge(deps);
  const app = await buildApp(deps);
  await app.listen({ host: config.HOST, port: config.PORT });
  log.info({ port: config.PORT, startMs: Math.round(monotonicMs() - startedMs) }, 'serving');

  closing = async () => {
    clearInterval(refreshTimer);
    purge.stop();
    await closeServer(app);
    brokerSubscription.stop();
    deps.pressure.stop();
    await deps.upstreams.close();
    await infrastructure.close();
  };
}

const config = readConfig(process.env);
const [verb, ...args] = process.argv.slice(2);
const log = makeLog('gateway', verb === 'brokers' ? 'error' : config.LOG_LEVEL);
try {
  if (verb === 'brokers') process.exit(await runBrokersCommand(config, log, args));
  await serve(config, log);
} catch (error) {
  log.fatal({ err: error }, 'cannot start');
  process.exit(1);
}
