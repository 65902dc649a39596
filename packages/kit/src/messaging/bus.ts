import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, createInbox, errors, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { monotonicMs } from '../runtime/clock.ts';
import { STUCK_SECONDS } from '../runtime/ready-detail.ts';
import { makeSignal } from '../runtime/signal.ts';
import type { Logger } from '../runtime/log.ts';
import { makeDenials } from './bus-denials.ts';
import { makeOutage, type BusFault } from './bus-outage.ts';

/**
 * The connection to NATS, and JetStream on it. Until the first connection the getters throw; callers retry. Do not keep what
 * they return: after a connection was closed for good they return a new one.
 */
export interface Bus {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Factor of the times for which a service waits for another one before it goes on without it (`WAIT_FACTOR`). */
  readonly waitFactor: number;
  /** Whether the server is connected now. Reconnecting is automatic, also when the library has given up. */
  connected(): boolean;
  /** Why there is no connection; undefined while there is one. */
  fault(): BusFault | undefined;
  /**
   * What the server has refused for lack of permission, such as `publish tenders.x`: denied subscriptions until the next
   * connection, denied publishes for a minute after the last. Empty while all is well.
   */
  denied(): readonly string[];
  /**
   * Calls back at each new connection, and at once if there is one. For subscriptions: they survive reconnects, and have to be
   * made again on a new connection.
   */
  onOpen(callback: (connection: NatsConnection) => void): void;
  /** Aborted when the present connection is lost, for whoever waits for a message of the server. */
  lost(): AbortSignal;
  /** A new subject for replies, which only this user may subscribe to. */
  newInbox(): string;
  close(): Promise<void>;
}

/** Who connects, and how. User and password may be part of the URL instead: `nats://user:password@host:4222`. */
export interface BusCredentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Files in PEM. With any of them an unencrypted connection is refused. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

interface OpenConnection {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
}

const FIRST_CONNECT_WAIT_MS = 2_000;
/** A server that is gone without a word is found out after three of them: within the minute after which the service says so. */
const PING_MS = (STUCK_SECONDS * 1_000) / 4;
const REOPEN_MS_MIN = 100;
const REOPEN_MS_MAX = 2_000;

/**
 * Connects, and reconnects without limit. When an attempt fails, or the library closes a connection for good, as after repeated
 * authorization errors, opens a new one, with pauses of up to 2 s. Resolves when connected, or after two seconds without a connection and then keeps
 * trying in the background: a service that starts while the bus is unavailable still serves, and publishes its events later.
 */
export async function openBus(
  urls: string,
  name: string,
  log: Logger,
  access: BusCredentials = {},
  waitFactor = 1,
  pingMs = PING_MS,
): Promise<Bus> {
  const accessOptions = connectionAccess(urls, access);
  const denials = makeDenials(log);
  let opened: OpenConnection | undefined;
  const outage = makeOutage(log, monotonicMs);
  let loss = new AbortController();
  let closing = false;
  const closeSignal = makeSignal();
  const onOpenCallbacks: ((connection: NatsConnection) => void)[] = [];

  async function keepOpen(): Promise<void> {
    for (let waitMs = REOPEN_MS_MIN; !closing; waitMs = Math.min(2 * waitMs, REOPEN_MS_MAX)) {
      const before = opened;
      const reason = await openUntilClosed().catch((error: unknown) => error);
      loss.abort();
      if (closing) return;
      outage.because(reason);
      if (opened !== before) waitMs = REOPEN_MS_MIN;
      await closeSignal.wait(waitMs);
    }
  }

  /** Opens a connection. Resolves when it is closed for good, with the reason. */
  async function openUntilClosed(): Promise<unknown> {
    const connection = await connect({
      ...accessOptions,
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      pingInterval: pingMs,
      maxPingOut: 2,
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
    // Made before the callbacks, so that no change of the connection is missed.
    const statuses = connection.status();
    outage.end();
    loss = new AbortController();
    denials.clear();
    for (const callback of onOpenCallbacks) callback(connection);
    if (closing) await connection.close();
    for await (const status of statuses) {
      const { type } = status;
      if (type === 'error') {
        denials.add(status.error);
        if (status.error instanceof errors.AuthorizationError) outage.because(status.error);
      }
      if (type === 'disconnect') {
        loss.abort();
        outage.begin();
        log.warn('bus disconnected');
      }
      if (type === 'reconnect') {
        outage.end();
        loss = new AbortController();
        denials.clear();
        log.warn('bus reconnected');
      }
    }
    return connection.closed();
  }

  const firstConnection = new Promise<void>((resolve) => onOpenCallbacks.push(() => resolve()));
  void keepOpen();
  await Promise.race([firstConnection, makeSignal().wait(FIRST_CONNECT_WAIT_MS)]);
  if (opened === undefined) log.warn('bus not connected yet, starting without it');

  const requireOpen = (): OpenConnection => {
    if (opened === undefined) throw new Error('bus not connected yet');
    return opened;
  };
  return {
    waitFactor,
    get connection() {
      return requireOpen().connection;
    },
    get jetstream() {
      return requireOpen().jetstream;
    },
    get manager() {
      return requireOpen().manager;
    },
    connected: () => outage.fault() === undefined && opened?.connection.isClosed() === false,
    fault: () => outage.fault(),
    denied: () => denials.list(),
    lost: () => loss.signal,
    newInbox: () => createInbox(accessOptions.inboxPrefix),
    onOpen(callback) {
      onOpenCallbacks.push(callback);
      if (opened?.connection.isClosed() === false) callback(opened.connection);
    },
    async close() {
      closing = true;
      closeSignal.notify();
      const connection = opened?.connection;
      if (connection === undefined || connection.isClosed()) return;
      await connection.drain().catch(async () => connection.close());
    },
  };
}

/**
 * Servers, credentials and inbox for `connect`. A user has inboxes of its own, which no other user may subscribe to: replies can
 * be secrets.
 */
function connectionAccess(
  urls: string,
  { user, password, caFile, certFile, keyFile }: BusCredentials,
): NodeConnectionOptions {
  // The library ignores credentials in an address, and would show them in its errors.
  const addresses = urls.split(',').map((text) => new URL(text.includes('://') ? text : `nats://${text}`));
  const inUrl = addresses.find((address) => address.username !== '');
  const name = user ?? (inUrl === undefined ? undefined : decodeURIComponent(inUrl.username));
  const secret = password ?? (inUrl === undefined ? undefined : decodeURIComponent(inUrl.password));
  const isEncrypted = addresses.some(({ protocol }) => protocol === 'tls:');
  const files = Object.fromEntries(
    Object.entries({ caFile, certFile, keyFile }).filter(([, path]) => path !== undefined),
  );
  return {
    servers: addresses.map(({ host }) => host),
    ...(name === undefined ? {} : { user: name, inboxPrefix: `_INBOX.${name}` }),
    ...(secret === undefined ? {} : { pass: secret }),
    ...(isEncrypted || Object.keys(files).length > 0 ? { tls: files } : {}),
  };
}

/**
 * Publishes an acknowledgement, a response or the like, which may be lost. Does nothing when its connection was closed for good
 * or is closing: a message belongs to the connection that received it, and is delivered again on the next.
 */
export function publishIfOpen(publish: () => void): void {
  try {
    publish();
  } catch (error) {
    if (!(error instanceof errors.ClosedConnectionError || error instanceof errors.DrainingConnectionError))
      throw error;
  }
}

/** Whether JetStream has refused a request with this code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
