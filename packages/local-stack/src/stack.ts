import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, serviceEnvironment } from './environment.ts';
import { startLogRotation } from './log-rotation.ts';
import { findNatsServer } from './nats-binary.ts';
import { startNats } from './nats.ts';
import { serviceUsers } from './nats-users.ts';
import { makePart, type Part } from './part.ts';
import { gatewayBesidePortal, portalEnvironment } from './portal.ts';
import { freePorts, readyPort, requireFreePorts, SERVICES, type Ports, type ServiceName } from './ports.ts';
import { ensureDatabases, startPostgres, type RunningPostgres } from './postgres.ts';
import { makeHomeFolder, makePrivateFolder } from './private-folder.ts';
import { loadOrCreateSecrets, logVkey } from './secrets.ts';
import { copyPrograms } from './programs.ts';
import { startService, type ServiceLaunch, type ServiceOptions } from './service.ts';
import { reachableDir } from './user.ts';

export interface StackOptions {
  /** Folder for data, logs and secrets. When absent, a temporary folder that `stop` deletes. */
  readonly dataDir?: string;
  /** Ports of all parts; free ports when absent. */
  readonly ports?: Ports;
  /** Address on which the gateway listens. */
  readonly host?: string;
  /** False: PostgreSQL runs without fsync. Faster, for tests. */
  readonly durable?: boolean;
  /** True: the portal runs beside the services, and the gateway sends browsers to it. */
  readonly portal?: boolean;
  /** Additional settings of every service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the settings of a service before each start, for tests that put something between the parts. */
  readonly adjustEnv?: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** Called with one line for every step. */
  readonly progress?: (line: string) => void;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
  /** How services are run; from their bundles when absent. */
  readonly launch?: (program: ServiceName | 'portal') => ServiceLaunch;
  /** Called when a service does not start. When absent, one failed service fails the whole start. */
  readonly onServiceFailed?: (service: ServiceName, error: unknown) => void;
}

/** An additional process of a service. */
export interface Replica extends Part {
  readonly url: string;
}

export interface Stack {
  readonly gatewayUrl: string;
  readonly ports: Ports;
  /** The key of the public log, as its readers pin it. */
  readonly logVkey: string;
  readonly parts: Readonly<Record<ServiceName | 'postgres' | 'nats', Part> & { readonly portal?: Part }>;
  databaseUrl(service: ServiceName): string;
  /** How the first process of a service is run. */
  serviceOptions(service: ServiceName): ServiceOptions;
  /**
   * Starts an additional replica of a service on a free port, with additional settings. The gateway of the stack sends it no
   * requests. It stops with the stack.
   */
  addReplica(service: ServiceName, env?: Readonly<Record<string, string>>): Promise<Replica>;
  /** Stops everything, services first. */
  stop(): Promise<void>;
}

/** Starts the whole system and resolves when every part is ready. If the start fails, it stops all parts before it throws. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const progress = options.progress ?? (() => undefined);
  const home = options.dataDir ?? mkdtempSync(join(tmpdir(), 'procurement-'));
  const ports = options.ports ?? (await freePorts());
  makeHomeFolder(home);
  const logs = join(home, 'logs');
  for (const name of ['logs', 'files', 'nats']) makePrivateFolder(join(home, name));
  const secrets = await loadOrCreateSecrets(home);
  const { host = '127.0.0.1' } = options;
  const programNames = options.portal === true ? ([...SERVICES, 'portal'] as const) : SERVICES;
  const environmentOptions = { ports, secrets, filesDir: join(home, 'files'), host };
  const logFile = (name: string): string => join(logs, `${name}.log`);
  let server: RunningPostgres | undefined;

  const postgres = makePart('postgres', async (onSpawn) => {
    const dataDir = reachableDir(home, 'postgres');
    const { postgres: port } = ports;
    const durable = options.durable ?? true;
    const { postgres: password, ...servicePasswords } = secrets.databasePasswords;
    const postgresOptions = { dataDir, port, password, logFile: logFile('postgres'), durable };
    server = await startPostgres(postgresOptions, onSpawn);
    await ensureDatabases(server, servicePasswords);
    return server;
  });
  const nats = makePart('nats', async (onSpawn) => {
    const binary = await findNatsServer({ env: process.env, cacheDir: join(home, 'bin'), progress });
    const users = serviceUsers((service) => secrets.natsPasswords[service]);
    const natsOptions = { binary, storeDir: join(home, 'nats'), port: ports.nats, logFile: logFile('nats'), users };
    return startNats(natsOptions, onSpawn);
  });
  const launch = options.launch ?? (await copyPrograms(programNames, join(home, 'programs')));
  const serviceOptions = (name: ServiceName): ServiceOptions => {
    const portal = options.portal === true ? gatewayBesidePortal(ports) : {};
    const given = { ...serviceEnvironment(name, environmentOptions), ...portal, ...options.env };
    const env = options.adjustEnv?.(given) ?? given;
    return { name, env, readyPort: readyPort(name, ports), logFile: logFile(name) };
  };
  const services = SERVICES.map((name) =>
    makePart(name, async (onSpawn) => startService(serviceOptions(name), onSpawn, launch(name))),
  );

  const portal = makePart('portal', async (onSpawn) =>
    startService(
      {
        name: 'portal',
        env: { ...portalEnvironment(ports, host), ...options.env },
        readyPort: ports.portalOperations,
        logFile: logFile('portal'),
      },
      onSpawn,
      launch('portal'),
    ),
  );
  const apps = options.portal === true ? [portal] : [];

  const rotation = startLogRotation(logs);
  const replicas: Part[] = [];
  const addReplica: Stack['addReplica'] = async (name, extraEnv = {}) => {
    const replicaPorts = await freePorts();
    const port = replicaPorts[name];
    const ownPorts = {
      PORT: String(port),
      ...(name === 'gateway' ? { OPERATIONS_PORT: String(replicaPorts.operations) } : {}),
    };
    const env = { ...serviceOptions(name).env, ...extraEnv, ...ownPorts };
    const replicaName = `${name}-${replicas.length + 2}`;
    const replica = makePart(replicaName, async (onSpawn) =>
      startService(
        { name, env, readyPort: readyPort(name, replicaPorts), logFile: logFile(replicaName) },
        onSpawn,
        launch(name),
      ),
    );
    replicas.push(replica);
    await replica.start();
    return { ...replica, url: `http://127.0.0.1:${port}` };
  };

  const stop = async (): Promise<void> => {
    await Promise.all([...services, ...apps, ...replicas].map(async (service) => service.stop()));
    await nats.stop();
    await postgres.stop();
    rotation.stop();
    if (options.dataDir === undefined) rmSync(home, { recursive: true, force: true });
  };
  // Stopping the parts that are starting makes their starts fail, and so this start.
  const abortStart = (): void => void stop();
  options.signal?.addEventListener('abort', abortStart);
  try {
    await requireFreePorts(ports);
    options.signal?.throwIfAborted();
    progress('starting the database server and NATS');
    await Promise.all([postgres, nats].map(async (part) => startAndReport(part, ports, progress)));
    options.signal?.throwIfAborted();
    progress(`starting ${services.length} services, which apply their migrations first`);
    const programs = [...services, ...apps];
    let readyCount = 0;
    const reportCounted = (line: string): void => progress(`${line}  (${(readyCount += 1)}/${programs.length})`);
    await Promise.all(
      programs.map(async (part, at) => {
        const started = startAndReport(part, ports, reportCounted);
        const { onServiceFailed } = options;
        const name = SERVICES[at];
        if (onServiceFailed === undefined || name === undefined) return started;
        return started.catch((error: unknown) => {
          options.signal?.throwIfAborted();
          onServiceFailed(name, error);
        });
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abortStart);
  }
  return {
    gatewayUrl: `http://127.0.0.1:${ports.gateway}`,
    ports,
    logVkey: logVkey(secrets),
    // The parts have exactly the names of `Stack.parts`.
    parts: Object.fromEntries(
      [postgres, nats, ...services, ...apps].map((part) => [part.name, part]),
    ) as Stack['parts'],
    databaseUrl: (service) => databaseUrl(service, environmentOptions),
    serviceOptions,
    addReplica,
    stop,
  };
}

async function startAndReport(part: Part, ports: Ports, progress: (line: string) => void): Promise<void> {
  const startedMs = performance.now();
  await part.start();
  const port = Object.entries(ports).find(([name]) => name === part.name)?.[1];
  progress(
    `${part.name.padEnd(10)} ready on 127.0.0.1:${port} after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`,
  );
}
