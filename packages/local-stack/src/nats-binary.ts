import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How nats-server is run here. */
export interface NatsBinary {
  readonly command: string;
  /** Arguments before ours: of the container engine, when it is one. */
  readonly prefix: readonly string[];
  /** Where it came from, for people. */
  readonly origin: string;
  /** It runs in a container: the store folder is mounted there. */
  readonly isContainer: boolean;
}

export interface FindNatsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a downloaded release is kept. */
  readonly cacheDir: string;
  /** Told what takes long. */
  progress(line: string): void;
}

const RELEASE = '2.12.1';
const IMAGE = `nats:${RELEASE}-alpine`;

/**
 * Finds nats-server, or gets it: $NATS_SERVER_BIN, PATH, the system's folder, the system's package when root, the official
 * release, a container. Throws one clear message when none works.
 */
export async function findNatsServer(options: FindNatsOptions): Promise<NatsBinary> {
  const configured = options.env['NATS_SERVER_BIN'];
  if (configured !== undefined && configured !== '') {
    if (!isExecutable(configured)) throw new Error(`NATS_SERVER_BIN names ${configured}, which is not a program.`);
    return localBinary(configured, 'NATS_SERVER_BIN');
  }
  const installed =
    onPath(options.env['PATH'] ?? '') ?? ['/usr/sbin/nats-server', '/usr/local/bin/nats-server'].find(isExecutable);
  if (installed !== undefined) return localBinary(installed, 'this system');
  const obtained = installPackage(options) ?? (await downloadRelease(options)) ?? containerBinary();
  if (obtained !== undefined) return obtained;
  throw new Error(
    'nats-server is not here and could not be fetched. Install it (Debian, Ubuntu: sudo apt-get install nats-server), ' +
      'or put the official release on PATH, or name it in NATS_SERVER_BIN, and start again.',
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
  // Another installation may be going on: it is waited for.
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

/** The official release, checked against the checksums published with it. Undefined when it cannot be reached. */
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

/** Major and minor of a binary: some settings came later. */
export function versionOf({ command, prefix, isContainer }: NatsBinary): readonly [number, number] {
  const args = isContainer ? ['run', '--rm', ...prefix, '--version'] : ['--version'];
  const output = spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
  const match = /v(\d+)\.(\d+)/.exec(output);
  return [Number(match?.[1] ?? 2), Number(match?.[2] ?? 9)];
}

/** The process id that a file keeps, when that process still runs the named program. */
export function readLivePid(file: string, program: string): number | undefined {
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8'));
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes(program) ? pid : undefined;
}
