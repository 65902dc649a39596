import { checkService } from './db/check-service.ts';
import { databaseFolders, describedSql, readInit, writeInit } from './db/database-files.ts';
import { startTestPostgres } from '@procurement/testing/postgres';

const USAGE = `npm run db -- init [service]     write the migration from schema.prisma, functions/*.sql and schema.sql
npm run db -- check [service]    compare the migration with these files, and the databases that both make (part of npm run check)`;

async function withServer<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = await startTestPostgres();
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}

/** All databases, or the one of a service or app. */
function chosen(service: string | undefined): readonly (readonly [name: string, folder: string])[] {
  const known = databaseFolders();
  if (service === undefined) return [...known];
  const folder = known.get(service);
  if (folder !== undefined) return [[service, folder]];
  throw new Error(`which service? One of ${[...known.keys()].join(', ')}.\n\n${USAGE}`);
}

/** A migration that fails must not hide the differences of other services. */
function asProblem(error: unknown): readonly string[] {
  return [error instanceof Error ? error.message : String(error)];
}

async function check(only: string | undefined): Promise<boolean> {
  const services = chosen(only);
  let clean = true;
  await withServer(async (url) => {
    for (const [service, folder] of services) {
      const problems = await checkService(service, folder, url).catch(asProblem);
      if (problems.length === 0) continue;
      clean = false;
      console.error(
        `${service}: ${problems.length} difference(s) between the migrations and the files that describe them`,
      );
      for (const problem of problems) console.error(`  - ${problem}`);
    }
  });
  if (clean) console.log(`The migrations are what their files say: ${services.map(([name]) => name).join(', ')}`);
  else console.error(`\nHow to fix it:\n${USAGE}`);
  return clean;
}

async function init(only: string | undefined): Promise<boolean> {
  await withServer(async (url) => {
    for (const [service, folder] of chosen(only)) {
      const sql = await describedSql(folder, url);
      const unchanged = readInit(folder) === sql;
      if (!unchanged) writeInit(folder, sql);
      console.log(`${service}: ${unchanged ? 'unchanged' : 'written'}`);
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
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
