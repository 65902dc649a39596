import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from '@procurement/local-stack/nats-binary';
import { startNats, type NatsOptions, type RunningNats } from '@procurement/local-stack/nats';
import { serviceUsers } from '@procurement/local-stack/nats-users';
import { freePort, type ServiceName } from '@procurement/local-stack/ports';

/** Folder of a downloaded nats-server, shared by all test files and later runs. */
export const CACHE_DIR = join(tmpdir(), 'procurement-nats');

/** A nats-server for one test file. It starts in 9 ms, and killing it affects no other test. */
export interface TestBus {
  /** URL of a user who may do everything: a test takes the place of all other services, and of the operator. */
  readonly url: string;
  /** URL of a service's own user, with its permissions. */
  urlOf(service: ServiceName): string;
  /** URL without credentials. */
  readonly address: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP: its connections stay, and it says nothing any more, like a host that is gone. Ended by `kill`. */
  freeze(): void;
  /** Starts it again with the same store and port, and with these changes, if given. */
  restart(changes?: BusChanges): Promise<void>;
  stop(): Promise<void>;
}

export interface BusChanges {
  /** A server with a certificate accepts encrypted connections only. */
  readonly tls?: NatsOptions['tls'];
  readonly maxPayload?: NatsOptions['maxPayload'];
  /** Password of each service; default: the name of the service. */
  readonly passwordOf?: (service: ServiceName) => string;
}

const EVERYTHING = 'test';

/** Three servers, as the profile `ha` has them. */
export async function freshCluster(): Promise<Pick<TestBus, 'url' | 'stop'>> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-cluster-'));
  const binary = await findNatsServer({ env: process.env, cacheDir: CACHE_DIR, progress: () => undefined });
  const names = ['one', 'two', 'three'];
  const [ports, routes] = [await takePorts(names.length), await takePorts(names.length)];
  const running = await Promise.all(
    names.map(async (serverName, n) =>
      startNats({
        binary,
        storeDir: join(folder, serverName, 'store'),
        port: ports[n] ?? 0,
        logFile: join(folder, `${serverName}.log`),
        users: [{ name: EVERYTHING, password: EVERYTHING }],
        cluster: { serverName, port: routes[n] ?? 0, routes },
      }),
    ),
  );
  return {
    url: ports.map((port) => `nats://${EVERYTHING}:${EVERYTHING}@127.0.0.1:${port}`).join(','),
    stop: async () => {
      await Promise.all(running.map(async (server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function takePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

export async function freshBus(options: BusChanges = {}): Promise<TestBus> {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-bus-'));
  const port = await freePort();
  const binary = await findNatsServer({ env: process.env, cacheDir: CACHE_DIR, progress: () => undefined });
  const start = async ({ tls, maxPayload, passwordOf = (service) => service }: BusChanges): Promise<RunningNats> => {
    const users = [{ name: EVERYTHING, password: EVERYTHING }, ...serviceUsers(passwordOf)];
    return startNats({
      binary,
      storeDir: join(folder, 'store'),
      port,
      logFile: join(folder, 'nats.log'),
      users,
      tls,
      maxPayload,
    });
  };
  let running = await start(options);
  return {
    url: `nats://${EVERYTHING}:${EVERYTHING}@127.0.0.1:${port}`,
    urlOf: (service) => `nats://${service}:${service}@127.0.0.1:${port}`,
    address: `nats://127.0.0.1:${port}`,
    kill: async () => {
      await running.child.stop('SIGKILL');
    },
    freeze: () => void process.kill(running.child.pid, 'SIGSTOP'),
    restart: async (changes) => {
      running = await start({ ...options, ...changes });
    },
    stop: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
