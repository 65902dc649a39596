import { hostname } from 'node:os';
import type pg from 'pg';
import { makePool } from '../database/pool.ts';
import { makeAppliedAcks } from '../messaging/applied-acks.ts';
import { makeCommitSignal } from '../messaging/publish/commit-signal.ts';
import { openBus, type Bus } from '../messaging/bus.ts';
import { streamLimitsOf, type StreamDeclaration } from '../messaging/streams.ts';
import { respondEventData } from '../messaging/publish/event-data.ts';
import { makeOutbox, type Outbox } from '../messaging/publish/outbox.ts';
import { noOutbox, noRelay } from '../messaging/publish/no-outbox.ts';
import { startRelay, type Relay } from '../messaging/publish/relay.ts';
import { makeActiveTraces, type ActiveTraces } from '../runtime/active-traces.ts';
import { monotonicMs } from '../runtime/clock.ts';
import { secureIds } from '../runtime/ids.ts';
import type { Logger } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';

export interface InfrastructureOptions {
  /** Name of the service. */
  readonly name: string;
  readonly config: {
    readonly DATABASE_URL: string;
    readonly DATABASE_CONNECTIONS_MAX: number;
    readonly NATS_URL: string;
    readonly NATS_REPLICAS: number;
    readonly STREAM_DAYS_MAX: number;
    readonly STREAM_BYTES_MAX: number;
    readonly NATS_USER?: string | undefined;
    readonly NATS_PASSWORD?: string | undefined;
    readonly NATS_CA_FILE?: string | undefined;
    readonly NATS_CERT_FILE?: string | undefined;
    readonly NATS_KEY_FILE?: string | undefined;
    readonly WAIT_FACTOR: number;
  };
  /** The stream that the service owns. Absent: the service publishes no events, and has no outbox. */
  readonly ownStream?: StreamDeclaration | undefined;
  /** Subject of a message after commits with events, for services that read what was committed. */
  readonly commitSignal?: string | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Database, bus, and the outbox with its relay. */
export interface Infrastructure {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly relay: Relay;
  readonly outbox: Outbox;
  readonly traces: ActiveTraces;
  /** Resolves when every stored event is published, or after 3 s: a serving replica publishes the rest. */
  drainOutbox(): Promise<void>;
  close(): Promise<void>;
}

const DRAIN_MS_MAX = 3_000;
const DRAIN_POLL_MS = 20;

/** Opens the infrastructure of one service. Waits for neither database nor bus (at most 2 s for the latter). */
export async function openInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { name, config, log } = options;
  const url = config.DATABASE_URL;
  const pool = makePool({ url, name, connectionsMax: config.DATABASE_CONNECTIONS_MAX, log });
  const access = {
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    caFile: config.NATS_CA_FILE,
    certFile: config.NATS_CERT_FILE,
    keyFile: config.NATS_KEY_FILE,
  };
  const bus = await openBus(config.NATS_URL, `${name} ${hostname()}`, log, access, config.WAIT_FACTOR);
  const traces = makeActiveTraces();
  const { relay, outbox } = openPublishing(options, { pool, bus, traces });
  return {
    pool,
    bus,
    relay,
    outbox,
    traces,
    async drainOutbox() {
      const giveUpAt = monotonicMs() + DRAIN_MS_MAX;
      while ((await relay.backlog()).waiting > 0 && monotonicMs() < giveUpAt) {
        relay.wake();
        await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
      }
    },
    async close() {
      await relay.stop();
      await bus.close();
      await pool.end();
    },
  };
}

/** The outbox of the service and its relay. */
function openPublishing(
  { name, config, ownStream, commitSignal, log, metrics }: InfrastructureOptions,
  { pool, bus, traces }: Pick<Infrastructure, 'pool' | 'bus' | 'traces'>,
): Pick<Infrastructure, 'relay' | 'outbox'> {
  if (ownStream === undefined) return { relay: noRelay, outbox: noOutbox };
  const relay = startRelay({
    service: name,
    stream: ownStream,
    streamReplicas: config.NATS_REPLICAS,
    streamLimits: streamLimitsOf(config),
    databaseUrl: config.DATABASE_URL,
    pool,
    bus,
    log,
    metrics,
  });
  respondEventData(ownStream.name, { bus, pool, log });
  const appliedAcks = makeAppliedAcks(bus, `${name}.${secureIds.next()}`);
  const wakeReaders = commitSignal === undefined ? () => undefined : makeCommitSignal(bus, commitSignal);
  const wake = (): void => {
    relay.wake();
    wakeReaders();
  };
  const deps = { stream: ownStream.name, ids: secureIds, appliedAcks, traces, wake, wakeReaders };
  return { relay, outbox: makeOutbox(deps) };
}
