import { fileURLToPath } from 'node:url';
import { applyMigrations } from './database/migrate.ts';

/** The PostgreSQL schema of kit's tables in the database of each service. */
const SCHEMA = 'kit';

/**
 * Folder of the migrations of kit's tables. This file stands one folder below the package, so that the same path holds in the sources,
 * in the build, and in a bundle, which has the folder beside its own.
 */
export const KIT_MIGRATIONS = fileURLToPath(new URL('../prisma/kit-migrations/', import.meta.url));

/** Migrates the database of a service: kit's tables first, because migrations of the service may name them. */
export async function migrateService(url: string, dir: string): Promise<string[]> {
  const applied = await applyMigrations(url, KIT_MIGRATIONS, SCHEMA);
  return [...applied.map((name) => `kit/${name}`), ...(await applyMigrations(url, dir))];
}
