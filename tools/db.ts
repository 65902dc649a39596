import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkService, findServiceDrift } from './db/check-service.ts';
import { diffSchemas } from './db/schema-engine.ts';
import { serviceSchema } from './db/service-schema.ts';
import { startTestPostgres } from '@procurement/testing/postgres';

/** Folders whose programs may have a database of their own. */
const PROGRAM_DIRS = ['services', 'apps'].map((folder) => join(import.meta.dirname, '..', folder));

const USAGE = `npm run db -- check [service]          compare migrations, schema and snapshot (part of npm run check)
npm run db -- new <service> <name>     write the migration from the newest snapshot to schema.prisma
npm run db -- snapshot <service>       save schema.prisma as the snapshot, after a migration written by hand

SQL that schema.prisma cannot express (partial indexes, functions, triggers, check constraints) is listed in
<folder of the service>/prisma/allowed-drift.json as [{ "object": "index tender.tender_waiting", "why": "…" }].`;

async function withServer(use: (url: string) => Promise<void>): Promise<void> {
  const server = await startTestPostgres();
  try {
    await use(server.url);
  } finally {
    await server.stop();
  }
}

/** Folders of services and apps with a database, by name. */
function databaseFolders(): ReadonlyMap<string, string> {
  const folders = PROGRAM_DIRS.flatMap((dir) => readdirSync(dir).map((name) => [name, join(dir, name)] as const));
  return new Map(
    folders
      .filter(([, folder]) => existsSync(join(folder, 'prisma/schema.prisma')))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function folderOf(service: string | undefined): string {
  const known = databaseFolders();
  const folder = known.get(service ?? '');
  if (folder !== undefined) return folder;
  throw new Error(`which service? One of ${[...known.keys()].join(', ')}.\n\n${USAGE}`);
}

/** A migration that fails must not hide the differences of other services. */
function asProblem(error: unknown): readonly string[] {
  return [error instanceof Error ? error.message : String(error)];
}

async function check(onlyService: string | undefined): Promise<boolean> {
  const services = onlyService === undefined ? [...databaseFolders().keys()] : [onlyService];
  let clean = true;
  await withServer(async (url) => {
    for (const service of services) {
      const problems = await checkService(service, folderOf(service), url).catch(asProblem);
      if (problems.length === 0) continue;
      clean = false;
      console.error(`${service}: ${problems.length} difference(s) between migrations and schema`);
      for (const problem of problems) console.error(`  - ${problem}`);
    }
  });
  if (clean) console.log(`Migrations and schemas agree: ${services.join(', ')}`);
  else console.error(`\nHow to fix it:\n${USAGE}`);
  return clean;
}

async function create(service: string | undefined, name: string | undefined): Promise<boolean> {
  const files = serviceSchema(folderOf(service));
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error(`name the migration in lower case with underscores, such as add_lot_values\n\n${USAGE}`);
  }
  await withServer(async (url) => {
    const sql = await diffSchemas(url, files.snapshot(), files.schema());
    if (sql === '') {
      console.log('Nothing to do: schema.prisma equals the newest snapshot.');
      return;
    }
    const timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
    const path = files.addMigration(`${timestamp}_${name}`, sql);
    files.saveSnapshot();
    console.log(`Wrote ${path}. Read it, adapt it, and run npm run db -- check.`);
  });
  return true;
}

async function snapshot(service: string | undefined): Promise<boolean> {
  const folder = folderOf(service);
  let drift: readonly string[] = [];
  await withServer(async (url) => {
    drift = await findServiceDrift(service ?? '', folder, url);
  });
  if (drift.length === 0) {
    serviceSchema(folder).saveSnapshot();
    return true;
  }
  console.error(`Not saved: the migrations do not make the database of schema.prisma.\n  - ${drift.join('\n  - ')}`);
  return false;
}

async function run(args: readonly string[]): Promise<boolean> {
  const [command, service, name] = args;
  if (command === 'check') return check(service);
  if (command === 'new') return create(service, name);
  if (command === 'snapshot') return snapshot(service);
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
