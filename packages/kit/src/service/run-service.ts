import { fileURLToPath } from 'node:url';
import { lossSubject } from '@procurement/contracts/events/subjects';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Bus } from '../messaging/bus.ts';
import type { StreamDeclaration } from '../messaging/streams.ts';
import { warnWithoutPublicBase, type serviceShape } from '../runtime/config.ts';
import { startAskingAgain, type AskAgain } from '../messaging/request/ask-again.ts';
import { startConsumer } from '../messaging/repair/start-consumer.ts';
import type { Subscription } from '../messaging/consume/subscription.ts';
import { startOwnerWatch } from '../messaging/repair/owner-watch.ts';
import { wakeAfterEvents } from '../messaging/publish/wake-after-events.ts';
import { fetchEventData } from '../messaging/consume/fetch-event-data.ts';
import type { DecisionFreeze } from '../messaging/request/decision-freeze.ts';
import { endOldConnections } from '../http/connection-age.ts';
import { makeIdentityVerifier } from '../http/identity.ts';
import { secureIds, type IdGenerator } from '../runtime/ids.ts';
import { openInfrastructure, type Infrastructure } from './infrastructure.ts';
import { makeLog, type Logger } from '../runtime/log.ts';
import { startLoop } from '../runtime/loop.ts';
import { makeSignal } from '../runtime/signal.ts';
import { makeMetrics, type Metrics } from '../runtime/metrics.ts';
import { migrateService } from '../migrations.ts';
import { waitForDatabase } from '../database/wait-for-database.ts';
import type { Tracing } from '../runtime/otel.ts';
import type { Outbox } from '../messaging/publish/outbox.ts';
import { operatorCommand, type OperatorDeps } from './operator-commands.ts';
import { closeServer, closeTimesOf, exitOnSignal } from '../runtime/process.ts';
import type { ReadDetails } from '../runtime/ready-detail.ts';
import { makeReadinessReader } from './readiness.ts';
import type { Relay } from '../messaging/publish/relay.ts';
import { buildServer, type Readiness } from '../http/server.ts';
import { recordSpansWith } from '../runtime/spans.ts';
import { monotonicMs, systemClock, type Clock } from '../runtime/clock.ts';
import type { z } from 'zod';

/** The settings that every service has, after parsing. */
export type ServiceConfig = z.infer<z.ZodObject<typeof serviceShape>>;

/** What every service gets to build its dependencies from. */
export interface ServiceContext {
  readonly log: Logger;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly metrics: Metrics;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly outbox: Outbox;
}

/** The context of a running process. */
export interface ProcessContext extends ServiceContext {
  readonly relay: Relay;
  /** True from when the process listens to the signal to end: it is ready at no other time. */
  isServing(): boolean;
}

/** The parts of a service. It has either `routes`, mounted on the server of kit, or a `server` of its own. */
export type AssembledService = {
  readonly subscriptions: readonly Subscription[];
  /** The flows in which this service waits for another: how to ask again, by flow (decision 0062). */
  readonly flows?: Readonly<Record<string, AskAgain>>;
  /** What other services freeze here: a freeze without its freezer is ended, also when nothing is decided (decision 0060). */
  readonly freeze?: Pick<DecisionFreeze, 'liftAllAbandoned'>;
  /** Subjects on which owners are asked whether they have lost what they told, beside those of the subscriptions. */
  readonly lossSubjects?: readonly string[];
  /** What else may be stuck, for `/ready` and `/health`. */
  readonly details?: ReadDetails;
  /** Called after the commit of each transaction that has applied events. */
  readonly onEventsApplied?: () => void;
  /** Awaited before the first event is consumed and the first request is served. Repeated while the database is unavailable. */
  readonly prepare?: () => Promise<void>;
  /** Why the service cannot serve although its database answers; undefined when it can. */
  readonly unready?: () => Promise<string | undefined>;
  /** Starts background work; called once the service listens, stopped after its server is closed. */
  readonly startBackground?: () => { stop(): void | Promise<void> };
} & (
  | { readonly routes: (app: FastifyInstance) => void; readonly server?: never }
  | {
      readonly routes?: never;
      /** Prepares and builds a server; the service has its own `/live`, `/ready` and `/metrics`. Not called by commands. */
      readonly server: () => Promise<FastifyInstance>;
    }
);

export interface ServiceDefinition {
  readonly name: string;
  readonly config: ServiceConfig;
  /** Folder of the migrations. */
  readonly migrations: URL;
  /** The stream that this service owns. Absent: it publishes no events, and its database has no outbox. */
  readonly ownStream?: StreamDeclaration;
  /** Its tables with a column `version` that events of that stream carry. */
  readonly versioned?: readonly string[];
  /** `Publisher.skipNumbers` of `accept-loss.ts`. */
  readonly skipNumbers?: (tx: pg.PoolClient) => Promise<void>;
  /** Subject of an empty message of core NATS after commits with events, at most every 5 ms. */
  readonly commitSignal?: string;
  /** Largest request body in bytes, for the server of kit. */
  readonly bodyBytesMax: number;
  /**
   * Commands of this service by their verb, beside those of `operator-commands.ts`. Returns the exit code. The database is
   * migrated before, and stored events are published after. The log is on standard error, because output is for the operator.
   */
  readonly commands?: Readonly<Record<string, ServiceCommand>>;
  /** Builds the service on its infrastructure. Called once, also by the commands of `operator-commands.ts`. */
  assemble(context: ProcessContext): AssembledService;
}

export type ServiceCommand = (
  args: readonly string[],
  context: ProcessContext,
  print: (line: string) => void,
) => Promise<number>;

/**
 * Runs one service as a process: migrates its database, connects, consumes and publishes events, serves, and on SIGTERM or
 * SIGINT finishes what is running and exits. Database and bus may start later than this process. With arguments it runs a
 * command instead.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const [verb, ...args] = process.argv.slice(2);
  const command = verb === undefined ? undefined : definition.commands?.[verb];
  const isService = verb === undefined || verb === 'migrate';
  const log = isService ? makeLog(definition.name, definition.config.LOG_LEVEL) : commandLog(definition.name);
  try {
    if (verb === 'migrate') process.exit(await migrate(definition, log));
    if (verb === undefined) await startService(definition, log);
    else if (command === undefined) process.exit(await runOperatorCommand(definition, log, [verb, ...args]));
    else process.exit(await runOwnCommand(definition, log, async (context) => command(args, context, print)));
  } catch (error) {
    log.fatal({ err: error }, 'cannot start');
    process.exit(1);
  }
}

/** Logs warnings, such as one about an owner that is away, and the records of the audit log. */
function commandLog(name: string): Logger {
  return makeLog(name, 'warn', 'stderr');
}

/** Runs before a roll-out, so that no probe waits for a long migration. Services apply what is left at their start. */
async function migrate({ config, migrations }: ServiceDefinition, log: Logger): Promise<number> {
  const applied = await waitForDatabase(log, async () =>
    migrateService(config.DATABASE_URL, fileURLToPath(migrations)),
  );
  print(applied.length === 0 ? 'nothing to migrate' : applied.map((name) => `migrated: ${name}`).join('\n'));
  return 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function runOwnCommand(
  definition: ServiceDefinition,
  log: Logger,
  command: (context: ProcessContext) => Promise<number>,
): Promise<number> {
  await migrateService(definition.config.DATABASE_URL, fileURLToPath(definition.migrations));
  const metrics = makeMetrics(definition.name);
  const infrastructure = await openInfrastructure({ ...definition, log, metrics });
  const code = await command(makeContext(infrastructure, log, metrics));
  await infrastructure.drainOutbox();
  await infrastructure.close();
  return code;
}

async function runOperatorCommand(
  definition: ServiceDefinition,
  log: Logger,
  args: readonly string[],
): Promise<number> {
  const metrics = makeMetrics(definition.name);
  const infrastructure = await openInfrastructure({ ...definition, log, metrics });
  const { subscriptions } = definition.assemble(makeContext(infrastructure, log, metrics));
  const otherVerbs = Object.keys(definition.commands ?? {});
  const { pool, bus } = infrastructure;
  const fetchData: OperatorDeps['fetchData'] = async (event) => fetchEventData(bus, event);
  const { ownStream, versioned = [], skipNumbers } = definition;
  const publisher = ownStream === undefined ? undefined : { versioned, skipNumbers, relay: infrastructure.relay };
  const deps = { pool, bus, log, metrics, fetchData, subscriptions, publisher, otherVerbs, print };
  const code = await operatorCommand(args, deps);
  // Of what a rebuild has applied.
  await infrastructure.drainOutbox();
  await infrastructure.close();
  return code;
}

function makeContext(
  { pool, bus, relay, outbox }: Infrastructure,
  log: Logger,
  metrics: Metrics,
  isServing = (): boolean => false,
): ProcessContext {
  return { log, clock: systemClock, ids: secureIds, metrics, pool, bus, relay, outbox, isServing };
}

/** How often a service looks for freezes whose freezers have died: nothing waits for them. */
const LIFT_MS = 20_000;

async function startService(definition: ServiceDefinition, log: Logger): Promise<void> {
  const { name, config } = definition;
  const startedMs = monotonicMs();
  warnWithoutPublicBase(config, log);
  // Registered first: a signal must also end a process that still waits for its database.
  let close = async (): Promise<void> => undefined;
  let serving = false;
  const isServing = (): boolean => serving;
  exitOnSignal(config, log, async () => {
    serving = false;
    await close();
  });
  const applied = await waitForDatabase(log, async () =>
    migrateService(config.DATABASE_URL, fileURLToPath(definition.migrations)),
  );
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  const tracing = await openTracing(definition, log);
  const metrics = makeMetrics(name);
  const infrastructure = await openInfrastructure({ ...definition, log, metrics });
  const { pool, bus, outbox, traces } = infrastructure;
  const service = definition.assemble(makeContext(infrastructure, log, metrics, isServing));
  await waitForDatabase(log, async () => service.prepare?.());
  const consumers = service.subscriptions.map((subscription) =>
    startConsumer(subscription, {
      pool,
      bus,
      log,
      metrics,
      checkPositionEveryMs: config.POSITION_CHECK_SECONDS * 1_000,
      traces,
      beforeTransaction: wakeAfterEvents(outbox, service.onEventsApplied),
    }),
  );
  const { flows, freeze } = service;
  const asking = flows === undefined ? undefined : startAskingAgain({ pool, log, metrics, flows });
  const lifting =
    freeze === undefined
      ? undefined
      : startLoop(async () => freeze.liftAllAbandoned(), { pauseMs: LIFT_MS, log, failure: 'freezes not lifted' });
  const owners = startOwnerWatch(
    [...new Set(service.subscriptions.map(({ stream }) => lossSubject(stream.name))), ...(service.lossSubjects ?? [])],
    { bus, log, everyMs: config.POSITION_CHECK_SECONDS * 1_000 },
  );
  const ownLoss = lossDetails(definition, infrastructure.relay);
  const details = [asking?.details, service.details, owners.details, ownLoss].filter((read) => read !== undefined);
  const readiness = makeReadinessReader({ infrastructure, consumers, details, unready: service.unready, isServing });
  const app = await buildServiceServer(definition, service, { infrastructure, readiness, log, metrics });
  // Before the first write. Without NATS writes are taken, and their events wait.
  await Promise.race([infrastructure.relay.lookForLoss().catch(() => undefined), makeSignal().wait(LOOK_FOR_LOSS_MS)]);
  endOldConnections(app.server, { maxMs: config.CONNECTION_SECONDS_MAX * 1_000 });
  await app.listen({ host: config.HOST, port: config.PORT });
  serving = true;
  const background = service.startBackground?.();
  log.info({ port: config.PORT, startMs: Math.round(monotonicMs() - startedMs) }, 'serving');

  close = async () => {
    await closeServer(app, closeTimesOf(config));
    await background?.stop();
    await asking?.stop();
    await lifting?.stop();
    await owners.stop();
    await Promise.all(consumers.map(async (consumer) => consumer.stop()));
    await infrastructure.close();
    await tracing?.stop();
  };
}

/** Longest wait of the start for NATS. */
const LOOK_FOR_LOSS_MS = 2_000;

function lossDetails({ name }: ServiceDefinition, { lost }: Relay): ReadDetails {
  return async () => {
    const text = lost();
    return text === undefined ? [] : [{ kind: 'owner', name, count: 1, text }];
  };
}

/** Imports OpenTelemetry only when it is used: that takes time and memory at the start. */
async function openTracing({ name, config }: ServiceDefinition, log: Logger): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import('../runtime/otel.ts');
  const tracing = startTracing({ service: name, endpoint, ratio, log });
  recordSpansWith(tracing);
  return tracing;
}

interface ServerParts {
  readonly infrastructure: Infrastructure;
  readonly readiness: () => Promise<Readiness>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

async function buildServiceServer(
  { name, config, bodyBytesMax }: ServiceDefinition,
  service: AssembledService,
  { infrastructure, readiness, log, metrics }: ServerParts,
): Promise<FastifyInstance> {
  if (service.server !== undefined) return service.server();
  const app = buildServer({
    log,
    metrics,
    verifyIdentity: makeIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, name),
    bodyBytesMax,
    traces: infrastructure.traces,
    auditPool: infrastructure.pool,
    refusesWrites: () => infrastructure.relay.lost() !== undefined,
    readiness,
  });
  service.routes(app);
  return app;
}
