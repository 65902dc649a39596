import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, serviceEnvironment } from './environment.ts';
import { findNatsServer } from './nats-binary.ts';
import { startNats } from './nats.ts';
import { makePart, type Part } from './part.ts';
import { freePorts, portsInUse, PortInUseError, SERVICES, type Ports, type ServiceName } from './ports.ts';
import { ensureDatabases, startPostgres, type RunningPostgres } from './postgres.ts';
import { loadOrCreateSecrets } from './secrets.ts';
import { startService } from './service.ts';
import { reachableDir } from './user.ts';

export interface StackOptions {
  /** Where data, logs and secrets are kept; a folder of its own that goes with the stack when absent. */
  readonly dataDir?: string;
  /** Ports of all parts; free ones of the system's choice when absent. */
  readonly ports?: Ports;
  /** Address on which the gateway listens. */
  readonly host?: string;
  /** False: PostgreSQL need not survive the loss of the machine. Faster; for tests. */
  readonly durable?: boolean;
  /** More settings for every service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told every step, for people. */
  readonly progress?: (line: string) => void;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}

/** A further process of a service. */
export interface Replica extends Part {
  readonly url: string;
}

export interface Stack {
  readonly gatewayUrl: string;
  readonly ports: Ports;
  readonly parts: Readonly<Record<ServiceName | 'postgres' | 'nats', Part>>;
  databaseUrl(service: ServiceName): string;
  /**
   * Starts one more replica of a service, on a port of its own, with more settings. The gateway does not know it, unless it is
   * one itself and told by its settings; it ends with the stack.
   */
  addReplica(service: ServiceName, env?: Readonly<Record<string, string>>): Promise<Replica>;
  /** Ends everything, services first. */
  stop(): Promise<void>;
}

/** Starts the whole system and resolves when every part is ready. Whatever fails, nothing is left running. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const progress = options.progress ?? (() => undefined);
  const home = options.dataDir ?? makeTemporaryHome();
  const ports = options.ports ?? (await freePorts());
  const logs = join(home, 'logs');
  mkdirSync(logs, { recursive: true });
  const secrets = await loadOrCreateSecrets(home);
  const environmentOptions = { ports, secrets, filesDir: join(home, 'files'), host: options.host ?? '127.0.0.1' };
  const logFile = (name: string): string => join(logs, `${name}.log`);
  let server: RunningPostgres | undefined;

  const postgres = makePart('postgres', async (spawned) => {
    const dataDir = reachableDir(home, 'postgres');
    const { postgres: port } = ports;
    const durable = options.durable ?? true;
    const postgresOptions = { dataDir, port, password: secrets.database, logFile: logFile('postgres'), durable };
    server = await startPostgres(postgresOptions, spawned);
    await ensureDatabases(server, SERVICES, secrets.database);
    return server;
  });
  const nats = makePart('nats', async (spawned) => {
    const binary = await findNatsServer({ env: process.env, cacheDir: join(home, 'bin'), progress });
    return startNats({ binary, storeDir: join(home, 'nats'), port: ports.nats, logFile: logFile('nats') }, spawned);
  });
  const services = SERVICES.map((name) => {
    const env = { ...serviceEnvironment(name, environmentOptions), ...options.env };
    const wished = { name, env, port: ports[name], logFile: logFile(name) };
    return makePart(name, async (spawned) => startService(wished, spawned));
  });

  const replicas: Part[] = [];
  const addReplica: Stack['addReplica'] = async (name, extraEnv = {}) => {
    const port = (await freePorts())[name];
    const env = { ...serviceEnvironment(name, environmentOptions), ...options.env, ...extraEnv, PORT: String(port) };
    const replicaName = `${name}-${replicas.length + 2}`;
    const replica = makePart(replicaName, async (spawned) =>
      startService({ name, env, port, logFile: logFile(replicaName) }, spawned),
    );
    replicas.push(replica);
    await replica.start();
    return { ...replica, url: `http://127.0.0.1:${port}` };
  };

  const stop = async (): Promise<void> => {
    await Promise.all([...services, ...replicas].map(async (service) => service.stop()));
    await nats.stop();
    await postgres.stop();
    if (options.dataDir === undefined) rmSync(home, { recursive: true, force: true });
  };
  // Given up while parts come up: they are ended, and so their starts fail.
  const abortStart = (): void => void stop();
  options.signal?.addEventListener('abort', abortStart);
  try {
    const infrastructure = [postgres, nats];
    // The two may still run from before: they end what they find in their folder, and only a stranger is in the way.
    const { postgres: _postgres, nats: _nats, ...ofServices } = ports;
    const [taken] = await portsInUse(ofServices);
    if (taken !== undefined) throw new PortInUseError(...taken);
    for (const group of [infrastructure, services]) {
      options.signal?.throwIfAborted();
      await Promise.all(group.map(async (part) => startAndReport(part, ports, progress)));
    }
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abortStart);
  }
  return {
    gatewayUrl: `http://127.0.0.1:${ports.gateway}`,
    ports,
    // Made from exactly these names.
    parts: Object.fromEntries([postgres, nats, ...services].map((part) => [part.name, part])) as Stack['parts'],
    databaseUrl: (service) => databaseUrl(service, environmentOptions),
    addReplica,
    stop,
  };
}

/** Open to be entered, since PostgreSQL runs as another user than root; what is secret in it has a mode of its own. */
function makeTemporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'procurement-'));
  chmodSync(home, 0o755);
  return home;
}

async function startAndReport(part: Part, ports: Ports, progress: (line: string) => void): Promise<void> {
  const startedMs = performance.now();
  await part.start();
  const port = Object.entries(ports).find(([name]) => name === part.name)?.[1];
  progress(
    `${part.name.padEnd(10)} ready on 127.0.0.1:${port} after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`,
  );
}
