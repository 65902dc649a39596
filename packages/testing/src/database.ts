import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePool } from '@procurement/kit/database/pool';
import { makeLog } from '@procurement/kit/runtime/log';
import { applyMigrations } from '@procurement/kit/database/migrate';
import { KIT_MIGRATIONS, migrateService } from '@procurement/kit/migrations';
import pg from 'pg';
import { inject } from 'vitest';
import { waitFor } from './wait-for.ts';

/** A database of one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Closes the pool and drops the database. */
  drop(): Promise<void>;
}

/**
 * Limits of the sessions of `pool`. A test that holds a lock or a transaction while it waits for a condition may take longer than
 * production allows; tests of these limits ask for those of production.
 */
export type SessionLimits = 'patient' | 'production';

const PATIENT = {
  options: '-c lock_timeout=60000 -c idle_in_transaction_session_timeout=300000 -c statement_timeout=120000',
  query_timeout: '180000',
};

// An arbitrary number: no other code locks on the maintenance database.
const TEMPLATE_LOCK = 727_073_690;

/** Creates a database with the tables of a service, or of an app: a clone of a template, which the first call migrates. */
export async function freshDatabase(service: string, limits: SessionLimits = 'patient'): Promise<TestDatabase> {
  const admin = new pg.Client({ connectionString: inject('testDatabaseUrl') });
  await admin.connect();
  const name = `test_${inSql(service)}_${randomBytes(6).toString('hex')}`;
  try {
    // Held during the clone too: a template with open connections cannot be cloned.
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${await ensureTemplate(admin, service)}`);
  } finally {
    await admin.end();
  }
  const url = urlOf(name);
  const pool = makePool({
    url: limits === 'patient' ? patientUrl(url) : url,
    name: 'test',
    connectionsMax: 10,
    log: makeLog('test', 'fatal'),
  });
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      const dropClient = new pg.Client({ connectionString: inject('testDatabaseUrl') });
      await dropClient.connect();
      // Refused while a session that it ends has not ended after 5 s.
      await waitFor(async () => dropClient.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`), { what: 'the drop' });
      await dropClient.end();
    },
  };
}

/** Members of a connection string replace those that `makePool` gives. */
function patientUrl(url: string): string {
  const patient = new URL(url);
  for (const [name, value] of Object.entries(PATIENT)) patient.searchParams.set(name, value);
  return patient.href;
}

function urlOf(database: string): string {
  const url = new URL(inject('testDatabaseUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

/** The name contains a hash of the migrations: changed migrations make a new template. */
async function ensureTemplate(admin: pg.Client, program: string): Promise<string> {
  const { dir, migrate } = requireMigrations(program);
  const hash = createHash('sha256');
  for (const folder of [KIT_MIGRATIONS, dir]) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) hash.update(readFileSync(join(folder, entry.name, 'migration.sql')));
    }
  }
  const name = `template_${inSql(program)}_${hash.digest('hex').slice(0, 12)}`;
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) {
    await admin.query(`CREATE DATABASE ${name}`);
    await migrate(urlOf(name), dir);
  }
  return name;
}

/** Services have the tables of kit, apps have their own only. */
const MIGRATE = { services: migrateService, apps: applyMigrations };

interface Migrations {
  readonly dir: string;
  readonly migrate: (url: string, dir: string) => Promise<unknown>;
}

function requireMigrations(program: string): Migrations {
  for (const [folder, migrate] of Object.entries(MIGRATE)) {
    const dir = fileURLToPath(new URL(`../../../${folder}/${program}/prisma/migrations`, import.meta.url));
    if (existsSync(dir)) return { dir, migrate };
  }
  throw new Error(`no migrations of ${program}`);
}

/** The name of a service as part of a name that needs no quotes. */
function inSql(service: string): string {
  return service.replaceAll('-', '_');
}
