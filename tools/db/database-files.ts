import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablesOf } from './schema-engine.ts';

/** Folders whose programs may have a database of their own. */
const PROGRAM_DIRS = ['services', 'apps'].map((folder) => join(import.meta.dirname, '../..', folder));

/** Folders of services and apps with a database, by name. */
export function databaseFolders(): ReadonlyMap<string, string> {
  const folders = PROGRAM_DIRS.flatMap((dir) => readdirSync(dir).map((name) => [name, join(dir, name)] as const));
  return new Map(
    folders
      .filter(([, folder]) => existsSync(join(folder, 'prisma/schema.prisma')))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export const migrationsOf = (folder: string): string => join(folder, 'prisma/migrations');
const initOf = (folder: string): string => join(migrationsOf(folder), '0_init/migration.sql');

/** The migration `init` as it is stored; undefined before it is written. */
export function readInit(folder: string): string | undefined {
  return existsSync(initOf(folder)) ? readFileSync(initOf(folder), 'utf8') : undefined;
}

/** Writes the migration `init`. */
export function writeInit(folder: string, sql: string): void {
  mkdirSync(join(migrationsOf(folder), '0_init'), { recursive: true });
  writeFileSync(initOf(folder), sql);
  writeFileSync(join(migrationsOf(folder), 'migration_lock.toml'), 'provider = "postgresql"\n');
}

/**
 * The SQL that makes the database of a folder: the tables of `schema.prisma`, then each file of `functions/`, then `schema.sql`, which
 * has what Prisma cannot express. Throws on a file of a function that has no comment, or another function than its name says.
 */
export async function describedSql(folder: string, serverUrl: string): Promise<string> {
  const prisma = join(folder, 'prisma');
  const schema = join(prisma, 'schema.prisma');
  const rest = join(prisma, 'schema.sql');
  const tables = await tablesOf(serverUrl, { path: schema, content: readFileSync(schema, 'utf8') });
  return [
    tables,
    ...functionTexts(join(prisma, 'functions')),
    ...(existsSync(rest) ? [readFileSync(rest, 'utf8')] : []),
  ].join('\n');
}

function functionTexts(dir: string): readonly string[] {
  const files = existsSync(dir) ? readdirSync(dir).toSorted() : [];
  return files.map((file) => {
    const text = readFileSync(join(dir, file), 'utf8');
    const names = [...text.matchAll(/^CREATE FUNCTION "?(\w+)"?\(/gm)].map(([, name]) => `${name}.sql`);
    if (!text.startsWith('-- ') || names.length !== 1 || names[0] !== file)
      throw new Error(
        `${join(dir, file)} begins with a comment that says what the function guarantees, and creates only the function of its name`,
      );
    return text;
  });
}
