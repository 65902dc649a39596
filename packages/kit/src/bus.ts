import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from './log.ts';

/** The connection to NATS, and JetStream on it. */
export interface Bus {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Whether the server is there now; the connection comes back by itself. */
  connected(): boolean;
  close(): Promise<void>;
}

/** Connects, waiting for the server as long as it takes, and reconnects for ever. */
export async function openBus(urls: string, name: string, log: Logger): Promise<Bus> {
  const connection = await connect({
    servers: urls.split(','),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    waitOnFirstConnect: true,
    ignoreClusterUpdates: true,
  });
  let up = true;
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        up = false;
        log.warn('bus lost');
      } else if (status.type === 'reconnect') {
        up = true;
        log.info('bus back');
      }
    }
  })();
  return {
    connection,
    // A publish in flight when the connection drops fails only at its time-out: short, since it is repeated with its id.
    jetstream: jetstream(connection, { timeout: 1_000 }),
    manager: await jetstreamManager(connection, { timeout: 5_000, checkAPI: false }),
    connected: () => up && !connection.isClosed(),
    close: async () => {
      if (!connection.isClosed()) await connection.drain().catch(async () => connection.close());
    },
  };
}

export interface StreamDeclaration {
  readonly name: string;
  readonly subjects: readonly string[];
}

/** Makes the stream, or brings it to its declaration. Only settings that nats-server 2.9 knows. */
export async function ensureStream(bus: Bus, { name, subjects }: StreamDeclaration, replicas: number): Promise<void> {
  const wanted: Partial<StreamConfig> & { name: string } = {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    // Nanoseconds: as long as a relay may be away between a publish and its repetition, and more.
    duplicate_window: 120_000_000_000,
  };
  try {
    await bus.manager.streams.add(wanted);
  } catch (error) {
    if (!isApiError(error, STREAM_EXISTS_OTHERWISE)) throw error;
    await bus.manager.streams.update(name, wanted);
  }
}

export interface ConsumerDeclaration {
  readonly stream: StreamDeclaration;
  readonly durable: string;
  /** One wildcard: nats-server 2.9 knows no list of filters. */
  readonly filter: string;
}

/** How many times the server may deliver: only a net, one above what `consume.ts` decides itself. */
export const SERVER_DELIVERIES_MAX = 1_000;

/** Makes the durable pull consumer; a repetition changes nothing. */
export async function ensureConsumer(bus: Bus, { stream, durable, filter }: ConsumerDeclaration): Promise<void> {
  await bus.manager.consumers.add(stream.name, {
    durable_name: durable,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    ack_wait: 30_000_000_000,
    max_ack_pending: 1_000,
    max_deliver: SERVER_DELIVERIES_MAX,
  });
}

const STREAM_EXISTS_OTHERWISE = 10_058;

function isApiError(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
