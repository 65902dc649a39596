import { applyMigrations } from '@procurement/kit/database/migrate';
import { readCatalog } from './catalog.ts';
import { findDrift } from './drift.ts';
import { diffSchemas } from './schema-engine.ts';
import { withScratchDatabase } from './scratch-database.ts';
import { serviceSchema } from './service-schema.ts';

/** The differences between the database of the migrations and that of schema.prisma (platform.md 3.2). */
export async function findServiceDrift(service: string, folder: string, serverUrl: string): Promise<readonly string[]> {
  const files = serviceSchema(folder);
  const migrated = await withScratchDatabase(serverUrl, `${service}_sql`, async ({ client, url }) => {
    await applyMigrations(url, files.migrationsFolder);
    return readCatalog(client);
  });
  const described = await withScratchDatabase(serverUrl, `${service}_schema`, async ({ client, url }) => {
    await client.query(await diffSchemas(url, undefined, files.schema()));
    return readCatalog(client);
  });
  return findDrift(migrated, described, files.allowed());
}

/**
 * The faults of a service's migrations, one sentence for each: schema.prisma changed after the newest migration, or migrations and
 * schema make different databases.
 */
export async function checkService(service: string, folder: string, serverUrl: string): Promise<readonly string[]> {
  const files = serviceSchema(folder);
  const snapshot = files.snapshot();
  const problems: string[] = [];
  if (snapshot === undefined) {
    problems.push('there is no migrations/schema.snapshot.prisma: run `npm run db -- snapshot`');
  } else {
    const sql = await diffSchemas(serverUrl, snapshot, files.schema());
    if (sql !== '')
      problems.push(`schema.prisma changed since the newest migration: run \`npm run db -- new\`\n${sql}`);
  }
  return [...problems, ...(await findServiceDrift(service, folder, serverUrl))];
}
