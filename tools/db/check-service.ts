import { applyMigrations } from '@procurement/kit/database/migrate';
import { readCatalog } from './catalog.ts';
import { describedSql, migrationsOf, readInit } from './database-files.ts';
import { findDrift } from './drift.ts';
import { withScratchDatabase } from './scratch-database.ts';

/**
 * The faults of a service's migrations, one sentence for each: `init` is not what its files say, or the migrations make another database
 * than the files describe (platform.md 3.2).
 */
export async function checkService(service: string, folder: string, serverUrl: string): Promise<readonly string[]> {
  const sql = await describedSql(folder, serverUrl);
  const stale = readInit(folder) === sql ? [] : ['0_init/migration.sql is not what its files say'];
  const migrated = await withScratchDatabase(serverUrl, `${service}_migrated`, async ({ client, url }) => {
    await applyMigrations(url, migrationsOf(folder));
    return readCatalog(client, 'public');
  });
  const described = await withScratchDatabase(serverUrl, `${service}_described`, async ({ client }) => {
    await client.query(sql);
    return readCatalog(client, 'public');
  });
  return [...stale, ...findDrift(migrated, described)];
}
