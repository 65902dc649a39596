import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { makeSignal } from '../runtime/signal.ts';
import type { Logger } from '../runtime/log.ts';

/** The connection to NATS, and JetStream on it. Until the first connection the getters throw; callers retry. */
export interface Bus {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Whether the server is connected now. Reconnecting is automatic. */
  connected(): boolean;
  /** Calls back at the first connection, or at once if it exists. For subscriptions, which survive reconnects. */
  onOpen(callback: (connection: NatsConnection) => void): void;
  close(): Promise<void>;
}

interface OpenConnection {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
}

const FIRST_CONNECT_WAIT_MS = 2_000;

/**
 * Connects, and reconnects without limit. Resolves when connected, or after two seconds without a connection and then keeps
 * trying in the background: a service that starts while the bus is unavailable still serves, and publishes its events later.
 */
export async function openBus(urls: string, name: string, log: Logger): Promise<Bus> {
  let opened: OpenConnection | undefined;
  let isUp = false;
  const onOpenCallbacks: ((connection: NatsConnection) => void)[] = [];

  async function open(): Promise<void> {
    const connection = await connect({
      servers: urls.split(','),
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      waitOnFirstConnect: true,
      ignoreClusterUpdates: true,
      // Avoids capturing a stack trace for every publish and request.
      noAsyncTraces: true,
    });
    // A publish in flight when the connection drops fails only at its time-out. Short: a retry has the same message id.
    const client = jetstream(connection, { timeout: 1_000 });
    opened = {
      connection,
      jetstream: client,
      manager: await jetstreamManager(connection, { timeout: 5_000, checkAPI: false }),
    };
    isUp = true;
    for (const callback of onOpenCallbacks.splice(0)) callback(connection);
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect' && type !== 'reconnect') continue;
      isUp = type === 'reconnect';
      log.warn(isUp ? 'bus reconnected' : 'bus disconnected');
    }
  }

  const firstConnection = new Promise<void>((resolve) => onOpenCallbacks.push(() => resolve()));
  open().catch((error: unknown) => log.error({ err: error }, 'bus unusable'));
  await Promise.race([firstConnection, makeSignal().wait(FIRST_CONNECT_WAIT_MS)]);
  if (opened === undefined) log.warn('bus not connected yet, starting without it');

  const requireOpen = (): OpenConnection => {
    if (opened === undefined) throw new Error('bus not connected yet');
    return opened;
  };
  return {
    get connection() {
      return requireOpen().connection;
    },
    get jetstream() {
      return requireOpen().jetstream;
    },
    get manager() {
      return requireOpen().manager;
    },
    connected: () => isUp && opened?.connection.isClosed() === false,
    onOpen(callback) {
      if (opened === undefined) onOpenCallbacks.push(callback);
      else callback(opened.connection);
    },
    async close() {
      const connection = opened?.connection;
      if (connection === undefined || connection.isClosed()) return;
      await connection.drain().catch(async () => connection.close());
    },
  };
}

export interface StreamDeclaration {
  readonly name: string;
  readonly subjects: readonly string[];
}

/** Creates the stream, or updates it to its declaration. Uses settings of nats-server 2.9 only. */
export async function ensureStream(bus: Bus, { name, subjects }: StreamDeclaration, replicas: number): Promise<void> {
  const config: Partial<StreamConfig> & { name: string } = {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    // Nanoseconds. Longer than the time between a publish and its repetition by another relay.
    duplicate_window: 120_000_000_000,
  };
  try {
    await bus.manager.streams.add(config);
  } catch (error) {
    if (!isApiError(error, STREAM_NAME_IN_USE)) throw error;
    await bus.manager.streams.update(name, config);
  }
}

export interface ConsumerDeclaration {
  readonly stream: StreamDeclaration;
  readonly durable: string;
  /** One subject with wildcards: nats-server 2.9 has no list of filters. */
  readonly filter: string;
}

/** Creates the durable pull consumer, or updates it. Idempotent. */
export async function ensureConsumer(bus: Bus, { stream, durable, filter }: ConsumerDeclaration): Promise<void> {
  await bus.manager.consumers.add(stream.name, {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    // Nanoseconds. Messages of a killed consumer are redelivered after this time; a running one renews its own earlier.
    ack_wait: 10_000_000_000,
    max_ack_pending: 1_000,
    // Unlimited: a server that reaches its limit drops the event without a report. `apply-events.ts` decides when an event
    // becomes a dead letter; restarts count as deliveries too, and are not failures of the event.
    max_deliver: -1,
  });
}

const STREAM_NAME_IN_USE = 10_058;

function isApiError(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
