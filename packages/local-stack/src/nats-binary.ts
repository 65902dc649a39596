import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How to run nats-server on this machine. */
export interface NatsBinary {
  readonly command: string;
  /** Arguments that come first: the image, if `command` is a container engine. */
  readonly prefix: readonly string[];
  /** Where it comes from, for messages. */
  readonly origin: string;
  /** Whether it runs in a container, with the store folder mounted. */
  readonly isContainer: boolean;
}

export interface FindNatsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a downloaded release is kept. */
  readonly cacheDir: string;
  /** Called before each step that takes seconds. */
  progress(line: string): void;
}

const RELEASE = '2.12.15';
const IMAGE = `nats:${RELEASE}-alpine`;

/**
 * Finds or installs nats-server. In this order: $NATS_SERVER_BIN, PATH, /usr/sbin and /usr/local/bin, the package of the system (as
 * root), the official release, a container. Throws an error with instructions if none works.
 */
export async function findNatsServer(options: FindNatsOptions): Promise<NatsBinary> {
  const configured = options.env['NATS_SERVER_BIN'];
  if (configured !== undefined && configured !== '') {
    if (!isExecutable(configured))
      throw new Error(`NATS_SERVER_BIN is ${configured}, which is not an executable file.`);
    return localBinary(configured, 'NATS_SERVER_BIN');
  }
  const installed =
    onPath(options.env['PATH'] ?? '') ?? ['/usr/sbin/nats-server', '/usr/local/bin/nats-server'].find(isExecutable);
  if (installed !== undefined) return localBinary(installed, 'this system');
  const obtained = installPackage(options) ?? (await downloadRelease(options)) ?? containerBinary();
  if (obtained !== undefined) return obtained;
  throw new Error(
    'nats-server was not found and could not be installed. Install it (Debian, Ubuntu: sudo apt-get install nats-server), ' +
      'or put the official release on PATH, or set NATS_SERVER_BIN to its path, and start again.',
  );
}

function localBinary(command: string, origin: string): NatsBinary {
  return { command, prefix: [], origin, isContainer: false };
}

function onPath(path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, 'nats-server'))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installPackage({ progress }: FindNatsOptions): NatsBinary | undefined {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get')) return undefined;
  progress('installing nats-server with the system package manager (once, a few seconds)');
  const spawnOptions = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  // Waits for the lock if another installation runs.
  const lockOptions = ['-o', 'DPkg::Lock::Timeout=120'];
  spawnSync('apt-get', [...lockOptions, 'update', '-qq'], spawnOptions);
  spawnSync(
    'apt-get',
    [...lockOptions, 'install', '-y', '-qq', '--no-install-recommends', 'nats-server'],
    spawnOptions,
  );
  const installed = ['/usr/sbin/nats-server', '/usr/bin/nats-server'].find(isExecutable);
  return installed === undefined ? undefined : localBinary(installed, 'the system package');
}

/** Downloads the official release and verifies its published checksum. Undefined if that fails. */
async function downloadRelease({ cacheDir, progress }: FindNatsOptions): Promise<NatsBinary | undefined> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const folder = `nats-server-v${RELEASE}-${platform}`;
  const target = join(cacheDir, folder, 'nats-server');
  if (isExecutable(target)) return localBinary(target, 'the official release');
  const base = `https://github.com/nats-io/nats-server/releases/download/v${RELEASE}`;
  try {
    progress(`downloading nats-server ${RELEASE} (once)`);
    const checksums = (await fetchBytes(`${base}/SHA256SUMS`)).toString('utf8');
    const archive = await fetchBytes(`${base}/${folder}.tar.gz`);
    const checksum = createHash('sha256').update(archive).digest('hex');
    if (!checksums.split('\n').some((line) => line.startsWith(checksum) && line.endsWith(`${folder}.tar.gz`))) {
      throw new Error(`the checksum of ${folder}.tar.gz is not the published one`);
    }
    mkdirSync(cacheDir, { recursive: true });
    const file = join(cacheDir, `${folder}.tar.gz`);
    writeFileSync(file, archive);
    spawnSync('tar', ['-xzf', file, '-C', cacheDir]);
    return existsSync(target) ? localBinary(target, 'the official release') : undefined;
  } catch (error) {
    progress(`the official release could not be fetched (${error instanceof Error ? error.message : String(error)})`);
    return undefined;
  }
}

async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function containerBinary(): NatsBinary | undefined {
  const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
  if (engine === undefined) return undefined;
  return { command: engine, prefix: [IMAGE], origin: `a ${engine} container`, isContainer: true };
}

/** Major and minor version of a binary; some settings need 2.10. */
export function readVersion({ command, prefix, isContainer }: NatsBinary): readonly [number, number] {
  const args = isContainer ? ['run', '--rm', ...prefix, '--version'] : ['--version'];
  const output = spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
  const match = /v(\d+)\.(\d+)/.exec(output);
  return [Number(match?.[1] ?? 2), Number(match?.[2] ?? 9)];
}
