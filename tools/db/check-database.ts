import { applyMigrations } from '@procurement/kit/database/migrate';
import { readCatalog } from './catalog.ts';
import { describedSql, KIT, readInit, type DatabaseFiles } from './database-files.ts';
import { findDrift } from './drift.ts';
import { withScratchDatabase } from './scratch-database.ts';

/**
 * The faults of migrations, one sentence for each: `init` is not what its files say, or the migrations make another database than the
 * files describe (platform.md 3.2). After its release `init` stays, and the files describe what later migrations made of it.
 */
export async function checkDatabase(
  files: DatabaseFiles,
  serverUrl: string,
  isInitReleased = false,
): Promise<readonly string[]> {
  const { name, migrations, schema } = files;
  const sql = await describedSql(files, serverUrl);
  const stale = isInitReleased || readInit(files) === sql ? [] : ['0_init/migration.sql is not what its files say'];
  const migrateKit = async (url: string): Promise<void> => {
    if (files.needsKit) await applyMigrations(url, KIT.migrations, KIT.schema);
  };
  const migrated = await withScratchDatabase(serverUrl, `${name}_migrated`, async ({ client, url }) => {
    await migrateKit(url);
    await applyMigrations(url, migrations, schema);
    return readCatalog(client, schema);
  });
  const described = await withScratchDatabase(serverUrl, `${name}_described`, async ({ client, url }) => {
    await migrateKit(url);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET search_path TO ${schema}`);
    await client.query(sql);
    await client.query('RESET search_path');
    return readCatalog(client, schema);
  });
  return [...stale, ...findDrift(migrated, described)];
}
