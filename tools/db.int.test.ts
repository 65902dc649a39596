import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres, type TestPostgres } from '@procurement/testing/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkDatabase } from './db/check-database.ts';
import { describedSql, filesBelow, writeInit, type DatabaseFiles } from './db/database-files.ts';

const SCHEMA = `
datasource db {
  provider = "postgresql"
}

model Tender {
  id      String @id
  version BigInt
  title   String?

  @@index([version])
  @@map("tender")
}
`;
const SHOUT = `-- Refuses nothing.
CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
`;
const REST = `CREATE INDEX tender_untitled ON tender (version) WHERE title IS NULL;
ALTER TABLE tender ADD CONSTRAINT tender_counts CHECK (version > 0);
CREATE TRIGGER tender_shouts BEFORE INSERT ON tender FOR EACH ROW EXECUTE FUNCTION shout();
ALTER TABLE tender SET (fillfactor = 80);
`;

let server: TestPostgres;
let folder: string;
let files: DatabaseFiles;

beforeAll(async () => {
  server = await startTestPostgres();
});

afterAll(async () => server.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'database-files-'));
  files = filesBelow(folder, 'probe', false);
  await mkdir(join(folder, 'functions'), { recursive: true });
  await write('schema.prisma', SCHEMA);
  await write('functions/shout.sql', SHOUT);
  await write('schema.sql', REST);
  writeInit(files, await describedSql(files, server.url));
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

const write = async (path: string, text: string) => writeFile(join(folder, path), text);
const check = async () => checkDatabase(files, server.url);

async function migrate(name: string, sql: string): Promise<void> {
  await mkdir(join(files.migrations, name));
  await writeFile(join(files.migrations, name, 'migration.sql'), sql);
}

describe('db check', () => {
  it('finds no difference between a migration and the files that it is written from', async () => {
    expect(await check()).toEqual([]);
  });

  it.each([
    [
      'schema.prisma',
      SCHEMA.replace('title   String?', 'title   String?\n  note    String?'),
      'column tender.note is in the files only: text',
    ],
    [
      'functions/shout.sql',
      SHOUT.replace('RETURN NEW', 'RETURN OLD'),
      expect.stringMatching(/^function shout\(\) returns trigger is "CREATE OR REPLACE FUNCTION .* in the files$/),
    ],
    [
      'schema.sql',
      REST.replace('80', '70'),
      'table tender is "fillfactor=80" in the migrations and "fillfactor=70" in the files',
    ],
  ])('finds a change of %s that the migration does not have', async (path, text, difference) => {
    await write(path, text);
    expect(await check()).toEqual(['0_init/migration.sql is not what its files say', difference]);
  });

  it.each([
    ['ALTER TABLE tender ADD COLUMN extra text', 'column tender.extra is in the migrations only: text'],
    [
      'ALTER TABLE tender ALTER COLUMN version DROP NOT NULL',
      'column tender.version is "bigint" in the migrations and "bigint not null" in the files',
    ],
    [
      'ALTER TABLE tender ALTER COLUMN title SET STORAGE EXTERNAL',
      'column tender.title is "text storage external" in the migrations and "text" in the files',
    ],
    ['DROP INDEX tender_untitled', expect.stringMatching(/^index tender.tender_untitled is in the files only/)],
    ['ALTER TABLE tender DROP CONSTRAINT tender_counts', expect.stringMatching(/^constraint .* in the files only/)],
    ['DROP TRIGGER tender_shouts ON tender', expect.stringMatching(/^trigger .* in the files only/)],
    [
      `CREATE FUNCTION shout(word text) RETURNS text LANGUAGE sql AS 'SELECT word'`,
      expect.stringMatching(/^function shout\(word text\) returns text is in the migrations only/),
    ],
  ])('finds what a later migration does and the files do not say: %s', async (sql, difference) => {
    await migrate('20270101000000_more', sql);
    expect(await check()).toEqual([difference]);
  });

  it('compares the databases only, when the first migration is released', async () => {
    await write('schema.prisma', SCHEMA.replace('title   String?', 'title   String?\n  note    String?'));
    expect(await checkDatabase(files, server.url, true)).toEqual(['column tender.note is in the files only: text']);
    await migrate('20270101000000_note', 'ALTER TABLE tender ADD COLUMN note text');
    expect(await checkDatabase(files, server.url, true)).toEqual([]);
  });

  it.each([
    ['without a comment', SHOUT.replace(/^--.*\n/, '')],
    ['with another function than its name says', SHOUT.replace('shout', 'whisper')],
    ['with two functions', SHOUT + SHOUT.replace('shout', 'whisper')],
  ])('refuses a file of a function %s', async (_, text) => {
    await write('functions/shout.sql', text);
    await expect(check()).rejects.toThrow('functions/shout.sql begins with a comment');
  });
});
