import { relative } from 'node:path';
import { checkDatabase } from './db/check-database.ts';
import { databases, describedSql, initOf, readInit, ROOT, writeInit, type DatabaseFiles } from './db/database-files.ts';
import { newestRelease, type Release } from './db/released-migrations.ts';
import { toError } from '@procurement/kit/runtime/to-error';
import { startTestPostgres } from '@procurement/testing/postgres';

const USAGE = `name: kit, or that of a service or an app

npm run db -- init [name]        write the migration from schema.prisma, functions/*.sql and schema.sql
npm run db -- check [name]       compare the migration with these files, and the databases that both make (part of npm run check)

A released migration stays as it is: write the next one by hand, as migrations/<yyyymmddhhmmss>_<what>/migration.sql.`;

/** Undefined before the first release, and where it cannot be known: CI has the history. */
function release(): Release | undefined {
  try {
    return newestRelease(ROOT);
  } catch (error) {
    console.log(`Released migrations are not compared: ${toError(error).message}`);
    return undefined;
  }
}

function isInitReleased(files: DatabaseFiles, released: Release | undefined): boolean {
  return released?.migrations.has(relative(ROOT, initOf(files))) === true;
}

async function withServer<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = await startTestPostgres();
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}

/** All, or those of kit, a service or an app. */
function chosen(name: string | undefined): readonly DatabaseFiles[] {
  const known = databases();
  const found = name === undefined ? known : known.filter((files) => files.name === name);
  if (found.length > 0) return found;
  throw new Error(`which service? One of ${known.map((files) => files.name).join(', ')}.\n\n${USAGE}`);
}

/** A migration that fails must not hide the differences of other services. */
function asProblem(error: unknown): readonly string[] {
  return [toError(error).message];
}

async function check(only: string | undefined): Promise<boolean> {
  const all = chosen(only);
  const released = release();
  let clean = (released?.edited ?? []).length === 0;
  for (const path of released?.edited ?? []) console.error(`${path} is not what ${released?.tag} released`);
  await withServer(async (url) => {
    for (const files of all) {
      const problems = await checkDatabase(files, url, isInitReleased(files, released)).catch(asProblem);
      if (problems.length === 0) continue;
      clean = false;
      console.error(
        `${files.name}: ${problems.length} difference(s) between the migrations and the files that describe them`,
      );
      for (const problem of problems) console.error(`  - ${problem}`);
    }
  });
  if (clean) console.log(`The migrations are what their files say: ${all.map(({ name }) => name).join(', ')}`);
  else console.error(`\nHow to fix it:\n${USAGE}`);
  return clean;
}

async function init(only: string | undefined): Promise<boolean> {
  const released = release();
  await withServer(async (url) => {
    for (const files of chosen(only)) {
      if (isInitReleased(files, released)) throw new Error(`${files.name}: ${released?.tag} released it.\n\n${USAGE}`);
      const sql = await describedSql(files, url);
      const unchanged = readInit(files) === sql;
      if (!unchanged) writeInit(files, sql);
      console.log(`${files.name}: ${unchanged ? 'unchanged' : 'written'}`);
    }
  });
  return true;
}

async function run(args: readonly string[]): Promise<boolean> {
  const [command, service] = args;
  if (command === 'check') return check(service);
  if (command === 'init') return init(service);
  console.log(USAGE);
  return command === undefined || command === 'help';
}

// The schema engine keeps handles open, so the process must exit explicitly.
try {
  process.exit((await run(process.argv.slice(2))) ? 0 : 1);
} catch (error) {
  console.error(toError(error).message);
  process.exit(1);
}
