import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkService } from './db/check-service.ts';
import { diffSchemas } from './db/schema-engine.ts';
import { startTestPostgres, type TestPostgres } from '@procurement/testing/postgres';
import { serviceSchema } from './db/service-schema.ts';

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

describe('db check', () => {
  let server: TestPostgres;
  let folder: string;

  beforeAll(async () => {
    server = await startTestPostgres();
  });

  afterAll(async () => server.stop());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drift-'));
    await mkdir(join(folder, 'prisma/migrations'), { recursive: true });
    await writeFile(join(folder, 'prisma/schema.prisma'), SCHEMA);
    const files = serviceSchema(folder);
    files.addMigration('20260101000000_init', await diffSchemas(server.url, undefined, files.schema()));
    files.saveSnapshot();
  });

  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const check = async () => checkService('probe', folder, server.url);
  const allow = async (object: string) =>
    writeFile(
      join(folder, 'prisma/allowed-drift.json'),
      JSON.stringify([{ object, why: 'Prisma has no word for it.' }]),
    );

  it('finds no difference between equal migrations, schema and snapshot', async () => {
    expect(await check()).toEqual([]);
  });

  it('finds a column that was added in SQL only', async () => {
    serviceSchema(folder).addMigration('20260102000000_more', 'ALTER TABLE tender ADD COLUMN extra text;');
    expect(await check()).toEqual(['column tender.extra is in the migrations only: text']);
  });

  it('finds a column that lost its NOT NULL in SQL only', async () => {
    serviceSchema(folder).addMigration(
      '20260102000000_loose',
      'ALTER TABLE tender ALTER COLUMN version DROP NOT NULL;',
    );
    expect(await check()).toEqual([
      'column tender.version is "bigint" in the migrations and "bigint not null" in schema.prisma',
    ]);
  });

  it('finds an index, a constraint, a trigger and a function that exist in SQL only', async () => {
    serviceSchema(folder).addMigration(
      '20260102000000_more',
      `CREATE INDEX tender_untitled ON tender (version) WHERE title IS NULL;
       ALTER TABLE tender ADD CONSTRAINT tender_counts CHECK (version > 0);
       CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
       CREATE TRIGGER tender_shouts BEFORE INSERT ON tender FOR EACH ROW EXECUTE FUNCTION shout();`,
    );
    expect((await check()).map((fault) => fault.split(' is in ')[0])).toEqual([
      'constraint tender.tender_counts',
      'function shout',
      'index tender.tender_untitled',
      'trigger tender.tender_shouts',
    ]);
  });

  it('finds a change of schema.prisma without a migration', async () => {
    await writeFile(
      join(folder, 'prisma/schema.prisma'),
      SCHEMA.replace('title   String?', 'title   String?\n  note    String?'),
    );
    const faults = await check();
    expect(faults[0]).toMatch(/changed since the newest migration.*ADD COLUMN/s);
    expect(faults[1]).toBe('column tender.note is in schema.prisma only: text');
  });

  it('accepts objects of the allow list, by name or by table', async () => {
    const sql = 'CREATE TABLE outbox (position bigserial PRIMARY KEY, sent_at timestamptz);';
    serviceSchema(folder).addMigration('20260102000000_outbox', sql);
    expect(await check()).not.toEqual([]);
    await allow('table outbox');
    expect(await check()).toEqual([]);
  });

  it('finds an entry of the allow list that matches no difference', async () => {
    await allow('index tender.gone');
    expect(await check()).toEqual(['allowed-drift.json allows "index tender.gone", which is no difference']);
  });
});
