import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startChild, lastLoggedError, type Child } from './child.ts';
import { usersConfig, type NatsUser } from './nats-users.ts';
import { readVersion, type NatsBinary } from './nats-binary.ts';
import { readLivePid } from './pid-file.ts';
import { isListening, PortInUseError } from './ports.ts';

export interface NatsOptions {
  readonly binary: NatsBinary;
  readonly storeDir: string;
  readonly port: number;
  readonly logFile: string;
  /** Nobody else can connect. */
  readonly users: readonly NatsUser[];
  /** Certificate and private key in PEM: every connection is then encrypted. */
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
  /** Largest message. Default: what one of the system accepts. */
  readonly maxPayload?: string | undefined;
  /** The server is one of several. */
  readonly cluster?: NatsCluster | undefined;
}

/** Ports on this machine, without TLS: for tests. Not for a server in a container, which sees no port of another. */
export interface NatsCluster {
  readonly serverName: string;
  /** Where this server listens for the others. */
  readonly port: number;
  /** Route ports of all servers. */
  readonly routes: readonly number[];
}

export interface RunningNats {
  readonly child: Child;
  stop(): Promise<void>;
}

/**
 * Largest message. The default of 1 MiB is less than the largest request body (4 MiB), and an event that cannot be published
 * blocks all later events of its outbox.
 */
const MAX_PAYLOAD = '8MB';

/** Starts nats-server with JetStream. Stops one that a killed supervisor left running on the same folder. */
export async function startNats(
  { binary, storeDir, port, logFile, users, tls, maxPayload = MAX_PAYLOAD, cluster }: NatsOptions,
  onSpawn: (child: Child) => void = () => undefined,
): Promise<RunningNats> {
  const home = dirname(storeDir);
  mkdirSync(storeDir, { recursive: true });
  const pidFile = join(home, 'nats.pid');
  const leftoverPid = readLivePid(pidFile, 'nats-server');
  if (leftoverPid !== undefined) await terminate(leftoverPid);
  if (await isListening(port)) throw new PortInUseError('nats', port);
  const configFile = join(home, 'nats.conf');
  const store = binary.isContainer ? '/store' : storeDir;
  const text = configText(port, store, maxPayload, readVersion(binary), binary.isContainer);
  // Contains passwords. Removed first, because the mode applies to a new file only.
  rmSync(configFile, { force: true });
  const parts = [
    text,
    usersConfig(users),
    tls === undefined ? '' : tlsConfig(tls, storeDir, store),
    cluster === undefined ? '' : clusterConfig(cluster),
  ];
  writeFileSync(configFile, parts.join(''), { mode: 0o600 });
  const args = binary.isContainer ? containerArgs(binary, configFile, storeDir, port) : ['-c', configFile];
  const child = startChild({ name: 'nats', command: binary.command, args, logFile });
  onSpawn(child);
  writeFileSync(pidFile, String(child.pid));
  const giveUpAt = Date.now() + 30_000;
  while (!(await isListening(port))) {
    if (!child.isRunning() || Date.now() > giveUpAt) {
      throw new Error(`nats-server did not start: ${lastLoggedError(logFile)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return {
    child,
    stop: async () => {
      await child.stop('SIGTERM');
      rmSync(pidFile, { force: true });
    },
  };
}

function configText(
  port: number,
  store: string,
  maxPayload: string,
  [major, minor]: readonly [number, number],
  inContainer: boolean,
): string {
  // nats-server 2.9 refuses a file with sync_interval.
  const supportsSyncInterval = major > 2 || minor >= 10;
  return [
    `host: ${inContainer ? '0.0.0.0' : '127.0.0.1'}`,
    `port: ${port}`,
    `max_payload: ${maxPayload}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(store)}`,
    ...(supportsSyncInterval ? ['  sync_interval: "10s"'] : []),
    '}',
    '',
  ].join('\n');
}

/** Writes the files into the folder of the store, which a container sees as well. */
function tlsConfig(
  { certificate, key }: NonNullable<NatsOptions['tls']>,
  storeDir: string,
  seenStoreDir: string,
): string {
  writeFileSync(join(storeDir, 'certificate.pem'), certificate);
  writeFileSync(join(storeDir, 'key.pem'), key, { mode: 0o600 });
  const seen = (name: string): string => JSON.stringify(join(seenStoreDir, name));
  return `tls {\n  cert_file: ${seen('certificate.pem')}\n  key_file: ${seen('key.pem')}\n}\n`;
}

function clusterConfig({ serverName, port, routes }: NatsCluster): string {
  const urls = routes.map((route) => `nats://127.0.0.1:${route}`).join(', ');
  return `server_name: ${serverName}\ncluster {\n  name: tests\n  listen: "127.0.0.1:${port}"\n  routes: [${urls}]\n}\n`;
}

function containerArgs({ prefix }: NatsBinary, configFile: string, storeDir: string, port: number): readonly string[] {
  const mounts = ['-v', `${storeDir}:/store`, '-v', `${configFile}:/nats.conf:ro`];
  return ['run', '--rm', '-p', `127.0.0.1:${port}:${port}`, ...mounts, ...prefix, '-c', '/nats.conf'];
}

async function terminate(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  const giveUpAt = Date.now() + 10_000;
  while (isAlive(pid) && Date.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
