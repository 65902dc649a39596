import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { monotonicMs } from '../runtime/clock.ts';
import { FREES_LOCKS } from './session-lock.ts';

// The advisory lock of `prisma migrate`, so that neither runs while the other does.
const MIGRATION_LOCK_KEY = 72_707_369;
const LOCK_WAIT_MS_MAX = 60_000;

/**
 * Applies the missing migrations in the order of their names, each in one transaction with its row in Prisma's migrations
 * table. Safe to run from many processes at once. Throws when an applied migration was edited or one was left half-applied.
 * Returns the names of those it applied. Tables without a PostgreSQL schema in their name are made in `schema`, and the table of
 * records too. Why not Prisma's engine: docs/decisions/0006-own-migration-runner.md.
 */
export async function applyMigrations(url: string, dir: string, schema = 'public'): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'migrate',
    // Without this limit a server that accepts connections and does not answer would hold the start for ever, without a word in the log.
    connectionTimeoutMillis: 5_000,
    // Statements may take hours, so that only this finds out that the host of the server has vanished.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: FREES_LOCKS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET lock_timeout = '60s'`);
    await acquireLock(client);
    // Every database has `public`, and to create it anew needs a privilege that the owner of the tables may lack.
    if (schema !== 'public') await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(`SET search_path TO ${schema}`);
    await client.query(MIGRATIONS_TABLE_SQL);
    const recorded = await readAppliedMigrations(client);
    const applied: string[] = [];
    for (const name of await migrationNames(dir)) {
      const sql = await readFile(join(dir, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const record = recorded.get(name);
      if (record !== undefined) {
        if (record.finishedAt === null) throw new Error(`Migration ${name} failed before and was not finished`);
        if (record.checksum !== checksum) throw new Error(`Migration ${name} was edited after it was applied`);
        continue;
      }
      await applyMigration(client, name, sql, checksum);
      applied.push(name);
    }
    return applied;
  } finally {
    // Closing the connection releases the advisory lock.
    await client.end();
  }
}

/**
 * Polls for the lock. A blocking pg_advisory_lock would hold a snapshot, for which CREATE INDEX CONCURRENTLY of the lock's
 * holder waits: replicas that start together would deadlock.
 */
async function acquireLock(client: pg.Client): Promise<void> {
  const giveUpAt = monotonicMs() + LOCK_WAIT_MS_MAX;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      MIGRATION_LOCK_KEY,
    ]);
    if (rows[0]?.held === true) return;
    if (monotonicMs() > giveUpAt) throw new Error('another process has held the migration lock for a minute');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const MIGRATIONS_TABLE_SQL = `CREATE TABLE IF NOT EXISTS _prisma_migrations (id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

interface AppliedMigration {
  readonly checksum: string;
  readonly finishedAt: Date | null;
}

async function readAppliedMigrations(client: pg.Client): Promise<Map<string, AppliedMigration>> {
  const { rows } = await client.query<{ name: string } & AppliedMigration>(
    `SELECT migration_name AS name, checksum, finished_at AS "finishedAt" FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return new Map(rows.map(({ name, ...done }) => [name, done]));
}

async function migrationNames(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

const INSERT_STARTED_SQL = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)`;
const MARK_FINISHED_SQL = 'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1';

/**
 * CREATE INDEX CONCURRENTLY and similar statements cannot run in a transaction. Such a file begins with `-- no-transaction` and
 * holds that one statement only, because PostgreSQL runs several in one implicit transaction. Its row is inserted before it
 * runs, so that a migration which failed half-way is refused at the next start instead of run again.
 */
async function applyMigration(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  const id = randomUUID();
  const inTransaction = !sql.startsWith('-- no-transaction');
  if (inTransaction) await client.query('BEGIN');
  try {
    await client.query(INSERT_STARTED_SQL, [id, checksum, name]);
    await client.query(sql);
    await client.query(MARK_FINISHED_SQL, [id]);
    if (inTransaction) await client.query('COMMIT');
  } catch (error) {
    if (inTransaction) await client.query('ROLLBACK');
    throw error;
  }
}
