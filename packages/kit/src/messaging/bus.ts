import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { makeSignal } from '../runtime/signal.ts';
import type { Logger } from '../runtime/log.ts';

/** The connection to NATS, and JetStream on it. The members throw while it has never been there; users try again. */
export interface Bus {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Whether the server is there now; the connection comes back by itself. */
  connected(): boolean;
  /** Calls once the first connection stands: at once, or later. For subscriptions, which reconnecting keeps. */
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
 * Connects, and reconnects for ever. Usually the server is there and this resolves connected; when it is not, it resolves
 * after two seconds all the same and goes on trying: a service that restarts while the bus is away still serves, and what it
 * stores is published later.
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
      // Otherwise an error with its stack is made for every publish and every question, in case it fails.
      noAsyncTraces: true,
    });
    // A publish in flight when the connection drops fails only at its time-out: short, since it is repeated with its id.
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
      log.warn(isUp ? 'bus back' : 'bus lost');
    }
  }

  const firstConnection = new Promise<void>((resolve) => onOpenCallbacks.push(() => resolve()));
  open().catch((error: unknown) => log.error({ err: error }, 'bus cannot be used'));
  await Promise.race([firstConnection, makeSignal().wait(FIRST_CONNECT_WAIT_MS)]);
  if (opened === undefined) log.warn('bus not there yet; going on without');

  const requireOpen = (): OpenConnection => {
    if (opened === undefined) throw new Error('bus not there yet');
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
    onOpen(begin) {
      if (opened === undefined) onOpenCallbacks.push(begin);
      else begin(opened.connection);
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

/** Makes the stream, or brings it to its declaration. Only settings that nats-server 2.9 knows. */
export async function ensureStream(bus: Bus, { name, subjects }: StreamDeclaration, replicas: number): Promise<void> {
  const config: Partial<StreamConfig> & { name: string } = {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    // Nanoseconds: as long as a relay may be away between a publish and its repetition, and more.
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
  /** One wildcard: nats-server 2.9 knows no list of filters. */
  readonly filter: string;
}

/** Makes the durable pull consumer; a repetition changes nothing. */
export async function ensureConsumer(bus: Bus, { stream, durable, filter }: ConsumerDeclaration): Promise<void> {
  await bus.manager.consumers.add(stream.name, {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    // Nanoseconds: what a killed follower held is delivered again after this; what is in hand is renewed well before.
    ack_wait: 10_000_000_000,
    max_ack_pending: 1_000,
    // Without end: a server that gives up says so to nobody and the event is lost. `consume.ts` decides when to put one
    // aside; deliveries are also spent by restarts, which are not the event's fault.
    max_deliver: -1,
  });
}

const STREAM_NAME_IN_USE = 10_058;

function isApiError(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
