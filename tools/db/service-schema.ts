import { existsSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AllowedDrift } from './drift.ts';
import type { SchemaText } from './schema-engine.ts';

const AllowList = z.array(z.strictObject({ object: z.string().min(1), why: z.string().min(10) }));

/** The files of a service's `prisma` folder. */
export interface ServiceSchema {
  readonly migrationsFolder: string;
  schema(): SchemaText;
  /** The schema at the newest migration; undefined before the first. */
  snapshot(): SchemaText | undefined;
  saveSnapshot(): void;
  /** Answers the path of the new file. */
  addMigration(name: string, sql: string): string;
  allowed(): readonly AllowedDrift[];
}

/** Reads and writes `<folder>/prisma`. Throws on an allow-list that is not `[{ object, why }]`. */
export function serviceSchema(folder: string): ServiceSchema {
  const prisma = join(folder, 'prisma');
  const migrationsFolder = join(prisma, 'migrations');
  const schemaPath = join(prisma, 'schema.prisma');
  const snapshotPath = join(migrationsFolder, 'schema.snapshot.prisma');
  const schema = (): SchemaText => ({ path: schemaPath, content: readFileSync(schemaPath, 'utf8') });
  return {
    migrationsFolder,
    schema,
    // With the path of the schema: the engine compares paths as well.
    snapshot: () =>
      existsSync(snapshotPath) ? { path: schemaPath, content: readFileSync(snapshotPath, 'utf8') } : undefined,
    saveSnapshot: () => writeFileSync(snapshotPath, schema().content),
    addMigration: (name, sql) => {
      mkdirSync(join(migrationsFolder, name), { recursive: true });
      writeFileSync(join(migrationsFolder, name, 'migration.sql'), sql);
      writeFileSync(join(migrationsFolder, 'migration_lock.toml'), 'provider = "postgresql"\n');
      return join(migrationsFolder, name, 'migration.sql');
    },
    allowed: () => {
      const path = join(prisma, 'allowed-drift.json');
      return existsSync(path) ? AllowList.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];
    },
  };
}
