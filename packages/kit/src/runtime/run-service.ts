import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { openBus, type Bus, type StreamDeclaration } from '../messaging/bus.ts';
import { identitySecrets, type serviceShape } from './config.ts';
import { startConsumer, type Consumer } from '../messaging/consumer.ts';
import type { Subscription } from '../messaging/subscription.ts';
import { makePool } from '../database/pool.ts';
import { countDeadLetters } from '../messaging/dead-letters.ts';
import { makeIdentityVerifier } from '../http/identity.ts';
import { makeActiveTraces } from './active-traces.ts';
import { secureIds, type IdGenerator } from './ids.ts';
import { makeLog, type Logger } from './log.ts';
import { makeMetrics, type Metrics } from './metrics.ts';
import { applyMigrations } from '../database/migrate.ts';
import { makeOutbox, type Outbox } from '../messaging/outbox.ts';
import { operatorCommand } from './operator-commands.ts';
import { closeServer, exitOnSignal, waitForDependency } from './process.ts';
import { startRelay, type Relay } from '../messaging/relay.ts';
import { buildServer, type Readiness } from '../http/server.ts';
import { makeAppliedAcks } from '../messaging/applied-acks.ts';
import { monotonicMs, systemClock, type Clock } from './clock.ts';
import type { z } from 'zod';

/** The settings that every service has, as read. */
export type ServiceConfig = z.infer<z.ZodObject<typeof serviceShape>>;

/** What every service stands on. */
export interface ServiceContext {
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly metrics: Metrics;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly outbox: Outbox;
}

export interface ServiceDefinition {
  readonly name: string;
  readonly config: ServiceConfig;
  /** Folder of the migrations. */
  readonly migrations: URL;
  /** The stream that this service owns. */
  readonly ownStream: StreamDeclaration;
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number;
  /** Mounts the routes and tells what to follow. Called once everything beneath is there. */
  assemble(context: ServiceContext): {
    readonly routes: (app: FastifyInstance) => void;
    readonly subscriptions: readonly Subscription[];
    /** Begins what the service does by itself; called once it serves, ended before its connections are closed. */
    readonly startBackground?: () => { stop(): Promise<void> };
  };
}

/**
 * One service as a process: migrates its database, connects, follows and publishes events, serves, and ends gracefully on
 * SIGTERM or SIGINT, letting what runs finish. Database and bus may come up later than this process. With arguments it is a
 * command of `operator-commands.ts` instead.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const { name, config } = definition;
  const log = makeLog(name, config.LOG_LEVEL);
  try {
    const args = process.argv.slice(2);
    if (args.length > 0) process.exit(await runOperatorCommand(definition, log, args));
    await startService(definition, log);
  } catch (error) {
    log.fatal({ err: error }, 'cannot start');
    process.exit(1);
  }
}

/** An operator's command instead of the service: the same parts, without serving. */
async function runOperatorCommand(
  definition: ServiceDefinition,
  log: Logger,
  args: readonly string[],
): Promise<number> {
  const { name, config } = definition;
  const pool = makePool({ url: config.DATABASE_URL, name, connectionsMax: 2, log });
  const bus = await openBus(config.NATS_URL, name, log);
  const appliedAcks = makeAppliedAcks(bus, `${name}-${randomUUID()}`);
  const outbox = makeOutbox({ stream: definition.ownStream.name, ids: secureIds, appliedAcks, wake: () => undefined });
  const context = { log, clock: systemClock, ids: secureIds, metrics: makeMetrics(name), pool, bus, outbox };
  const { subscriptions } = definition.assemble(context);
  const code = await operatorCommand(args, {
    pool,
    subscriptions,
    print: (line) => void process.stdout.write(`${line}\n`),
  });
  await bus.close();
  await pool.end();
  return code;
}

async function startService(definition: ServiceDefinition, log: Logger): Promise<void> {
  const { name, config } = definition;
  const startedMs = monotonicMs();
  // From the first moment on: what is still waiting for its database must end when it is told to.
  let close = async (): Promise<void> => undefined;
  exitOnSignal(config, log, async () => close());
  const url = config.DATABASE_URL;
  const applied = await waitForDependency(log, 'database', async () =>
    applyMigrations(url, fileURLToPath(definition.migrations)),
  );
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const pool = makePool({ url, name, connectionsMax: config.DATABASE_CONNECTIONS_MAX, log });
  const bus = await openBus(config.NATS_URL, name, log);
  const metrics = makeMetrics(name);
  const relay = startRelay({
    service: name,
    stream: definition.ownStream,
    streamReplicas: config.NATS_REPLICAS,
    databaseUrl: url,
    pool,
    bus,
    log,
    metrics,
  });
  const appliedAcks = makeAppliedAcks(bus, `${name}-${randomUUID()}`);
  const traces = makeActiveTraces();
  const outbox = makeOutbox({
    stream: definition.ownStream.name,
    ids: secureIds,
    appliedAcks,
    traces,
    wake: () => relay.wake(),
  });
  const context = { log, clock: systemClock, ids: secureIds, metrics, pool, bus, outbox };
  const { routes, subscriptions, startBackground } = definition.assemble(context);
  const consumers = subscriptions.map((subscription) =>
    startConsumer(subscription, {
      pool,
      bus,
      log,
      metrics,
      streamReplicas: config.NATS_REPLICAS,
      traces,
      beforeTransaction: () => outbox.wakeIfRowsAdded(),
    }),
  );
  const app = buildServer({
    log,
    metrics,
    verifyIdentity: makeIdentityVerifier(identitySecrets(config), name),
    bodyBytesMax: definition.bodyBytesMax,
    traces,
    readiness: cachedFor(500, async () => readiness({ pool, bus, relay, consumers })),
  });
  routes(app);
  await app.listen({ host: config.HOST, port: config.PORT });
  const background = startBackground?.();
  log.info({ port: config.PORT, startMs: Math.round(monotonicMs() - startedMs) }, 'serving');

  close = async () => {
    await closeServer(app);
    await background?.stop();
    await Promise.all(consumers.map(async (consumer) => consumer.stop()));
    await relay.stop();
    await bus.close();
    await pool.end();
  };
}

interface ReadinessSources {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly relay: Relay;
  readonly consumers: readonly Consumer[];
}

/**
 * Ready is who can answer requests: that needs the database. With the bus away writes still succeed and wait in the outbox,
 * so it only shows in the checks and in the lag.
 */
async function readiness({ pool, bus, relay, consumers }: ReadinessSources): Promise<Readiness> {
  const lags = Promise.all(consumers.map(async (consumer) => [consumer.durable, await consumer.lag()] as const));
  const database = Promise.all([relay.backlog(), countDeadLetters(pool)]).then(
    ([outbox, deadLetters]) => ({ outbox, deadLetters }),
    () => undefined,
  );
  const state = await database;
  return {
    ready: state !== undefined,
    checks: { database: state === undefined ? 'fail' : 'ok', bus: bus.connected() ? 'ok' : 'fail' },
    lag: Object.fromEntries(await lags),
    ...state,
  };
}

/** Answers from memory for so long: probes of many must not become load. */
function cachedFor<T>(ttlMs: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { readonly at: number; readonly value: Promise<T> } | undefined;
  return async () => {
    if (cached === undefined || monotonicMs() - cached.at > ttlMs) cached = { at: monotonicMs(), value: read() };
    return cached.value;
  };
}
