import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KIT_MIGRATIONS } from '@procurement/kit/migrations';
import { writeTablesSql } from './schema-engine.ts';

/** What makes tables in databases: kit in those of all services, a service or app in its own. */
export interface DatabaseFiles {
  readonly name: string;
  /** Has `schema.prisma`, `functions/`, `schema.sql`. */
  readonly folder: string;
  readonly migrations: string;
  /** The PostgreSQL schema of its tables. */
  readonly schema: string;
  /** Its functions and `schema.sql` may name tables of kit. */
  readonly needsKit: boolean;
}

export const ROOT = join(import.meta.dirname, '../..');

export const KIT: DatabaseFiles = {
  name: 'kit',
  folder: join(ROOT, 'packages/kit/prisma'),
  migrations: KIT_MIGRATIONS,
  schema: 'kit',
  needsKit: false,
};

/** The files below the folder `prisma` of a service or an app. */
export function filesBelow(folder: string, name: string, needsKit: boolean): DatabaseFiles {
  return { name, folder, migrations: join(folder, 'migrations'), schema: 'public', needsKit };
}

/** Kit, then services and apps with a database. */
export function databases(): readonly DatabaseFiles[] {
  const programs = ['services', 'apps'].flatMap((kind) =>
    readdirSync(join(ROOT, kind)).map((name) =>
      filesBelow(join(ROOT, kind, name, 'prisma'), name, kind === 'services'),
    ),
  );
  return [KIT, ...programs.filter(({ folder }) => existsSync(join(folder, 'schema.prisma')))];
}

export const initOf = ({ migrations }: DatabaseFiles): string => join(migrations, '0_init/migration.sql');

/** The migration `init` as it is stored; undefined before it is written. */
export function readInit(files: DatabaseFiles): string | undefined {
  return existsSync(initOf(files)) ? readFileSync(initOf(files), 'utf8') : undefined;
}

/** Writes the migration `init`. */
export function writeInit(files: DatabaseFiles, sql: string): void {
  mkdirSync(join(files.migrations, '0_init'), { recursive: true });
  writeFileSync(initOf(files), sql);
  writeFileSync(join(files.migrations, 'migration_lock.toml'), 'provider = "postgresql"\n');
}

/**
 * The SQL that makes the database of a folder: the tables of `schema.prisma`, then each file of `functions/`, then `schema.sql`, which
 * has what Prisma cannot express. Throws on a file of a function that has no comment, or another function than its name says.
 */
export async function describedSql({ folder }: DatabaseFiles, serverUrl: string): Promise<string> {
  const schema = join(folder, 'schema.prisma');
  const rest = join(folder, 'schema.sql');
  const tables = await writeTablesSql(serverUrl, { path: schema, content: readFileSync(schema, 'utf8') });
  const functions = functionTexts(join(folder, 'functions'));
  return [tables, ...functions, ...(existsSync(rest) ? [readFileSync(rest, 'utf8')] : [])].join('\n');
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
