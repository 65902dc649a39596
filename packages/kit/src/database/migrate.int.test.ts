import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyMigrations } from './migrate.ts';
import { isDatabaseUnavailable } from './transaction.ts';

let database: TestDatabase;
let migrationsDir: string;

beforeEach(async () => {
  database = await freshDatabase('awards');
  // freshDatabase has run the migrations of a service; these tests begin with an empty migrations table.
  await database.pool.query('DROP TABLE _prisma_migrations');
  migrationsDir = mkdtempSync(join(tmpdir(), 'procurement-migrations-'));
});

afterEach(async () => {
  rmSync(migrationsDir, { recursive: true, force: true });
  await database.drop();
});

function writeMigration(name: string, sql: string): void {
  mkdirSync(join(migrationsDir, name), { recursive: true });
  writeFileSync(join(migrationsDir, name, 'migration.sql'), sql);
}

const migrate = async (): Promise<string[]> => applyMigrations(database.url, migrationsDir);

describe('applyMigrations', () => {
  it('applies each migration once, in order, when several processes start together', async () => {
    writeMigration('2_more', 'ALTER TABLE thing ADD COLUMN b int');
    writeMigration('1_init', 'CREATE TABLE thing (a int)');
    // CREATE INDEX CONCURRENTLY waits for older snapshots: the other runners must not hold one while they wait for the lock.
    writeMigration('3_index', '-- no-transaction\nCREATE INDEX CONCURRENTLY thing_a ON thing (a)');
    const applied = await Promise.all(Array.from({ length: 8 }, migrate));
    expect(applied.flat()).toEqual(['1_init', '2_more', '3_index']);
    expect(await migrate()).toEqual([]);
    await database.pool.query('INSERT INTO thing (a, b) VALUES (1, 2)');
  });

  it('refuses a migration that was edited after it was applied', async () => {
    writeMigration('1_init', 'CREATE TABLE thing (a int)');
    await migrate();
    writeMigration('1_init', 'CREATE TABLE thing (a bigint)');
    await expect(migrate()).rejects.toThrow('Migration 1_init was edited after it was applied');
  });

  it('rolls a failed migration back, and applies it once it is repaired', async () => {
    writeMigration('1_init', 'CREATE TABLE thing (a int); SELECT 1 / 0');
    await expect(migrate()).rejects.toThrow('division by zero');
    writeMigration('1_init', 'CREATE TABLE thing (a int)');
    expect(await migrate()).toEqual(['1_init']);
  });

  it('refuses to continue after one that failed outside a transaction', async () => {
    writeMigration('1_init', 'CREATE TABLE thing (a int); INSERT INTO thing VALUES (1), (1)');
    writeMigration('2_index', '-- no-transaction\nCREATE UNIQUE INDEX CONCURRENTLY thing_a ON thing (a)');
    await expect(migrate()).rejects.toThrow('could not create unique index');
    await expect(migrate()).rejects.toThrow('Migration 2_index failed before and was not finished');
  });

  it('gives up a server that accepts connections and does not answer, so that the start can say so and try again', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    // Safe cast: it listens on TCP.
    const { port } = silent.address() as AddressInfo;
    const failure = await applyMigrations(`postgresql://x@127.0.0.1:${port}/x`, migrationsDir).catch(
      (error: unknown) => error,
    );
    expect(isDatabaseUnavailable(failure)).toBe(true);
    silent.close();
  });
});
