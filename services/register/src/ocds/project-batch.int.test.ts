import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { example, exampleStates, projectAll, projection, storeExample } from '../../test-support/ocds.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { rebuildReleases } from './project-releases.ts';
import { packingStore } from '../revisions/packing.store.ts';
import { beginProjection, projectionDetails, readProgress } from './ocds-position.store.ts';
import { projectBatch } from './project-batch.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase('register');
  pool = database.pool;
});
afterEach(async () => {
  await pool.query('TRUNCATE ocds_release, ocds_record, ocds_position, revision, revision_text, revision_pack, tender');
  await pool.query('TRUNCATE tender_body, kit.dead_letter, follow');
});
afterAll(async () => {
  await database.drop();
});

async function storedReleases(): Promise<readonly unknown[]> {
  const { rows } = await pool.query<{ body: string }>('SELECT body FROM ocds_release ORDER BY seq');
  return rows.map(({ body }) => JSON.parse(body));
}

function expectedReleases(name: string): readonly unknown[] {
  return (example(`${name}.releases`) as { readonly releases: readonly unknown[] }).releases;
}

describe('projectBatch', () => {
  it.each(['paper', 'lots-cancelled', 'cancelled-before-opening'])('makes the releases of %s', async (name) => {
    await storeExample(pool, name);
    await projectAll(pool);
    expect(await storedReleases()).toEqual(expectedReleases(name));
    expect(await projectAll(pool)).toBe(0);
  });

  it('makes one release for each revision, however they are cut into batches', async () => {
    await storeExample(pool, 'paper');
    await beginProjection(pool);
    let batches = 0;
    while ((await projectBatch(projection(pool), 2)).isMore) batches += 1;
    expect(batches).toBeGreaterThan(3);
    expect(await storedReleases()).toEqual(expectedReleases('paper'));
  });

  it('loses and doubles nothing when several processes project at once', async () => {
    await storeExample(pool, 'paper');
    await Promise.all([projectAll(pool), projectAll(pool), projectAll(pool)]);
    await projectAll(pool);
    expect(await storedReleases()).toEqual(expectedReleases('paper'));
  });

  it('leaves nothing behind when it ends before the commit', async () => {
    await storeExample(pool, 'paper');
    await beginProjection(pool);
    // A trigger stands for a process that ends at its last statement.
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'ended'; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER refuse BEFORE UPDATE ON ocds_position FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await expect(projectBatch(projection(pool))).rejects.toThrow('ended');
    expect(await storedReleases()).toEqual([]);
    await pool.query('DROP TRIGGER refuse ON ocds_position; DROP FUNCTION refuse');
    await projectAll(pool);
    expect(await storedReleases()).toEqual(expectedReleases('paper'));
  });

  it('reads revisions whose texts are packed', async () => {
    await storeExample(pool, 'paper');
    const packing = packingStore({ ...projection(pool), waitsForArchive: false });
    expect((await packing.packBefore(2_000_000_000_000_000n)).texts).toBeGreaterThan(0);
    await projectAll(pool);
    expect(await storedReleases()).toEqual(expectedReleases('paper'));
  });

  it('waits while a back-fill runs, which may add earlier positions', async () => {
    await storeExample(pool, 'paper');
    await pool.query(`UPDATE follow SET backfill = '{"after":0,"upTo":1,"until":1}'`);
    expect(await projectAll(pool)).toBe(0);
    expect(await readProgress(pool)).toMatchObject({ position: 0, applied: undefined });
  });

  it('puts a text that is no tender aside, and goes on', async () => {
    await storeExample(pool, 'paper');
    await pool.query(`UPDATE revision_text SET text = '{"data":{}}'
      WHERE position = (SELECT min(position) FROM revision_text)`);
    await projectAll(pool);
    expect(await storedReleases()).toHaveLength(expectedReleases('paper').length - 1);
    const { rows } = await pool.query('SELECT durable, error FROM kit.dead_letter');
    expect(rows).toEqual([{ durable: 'releases', error: 'no id' }]);
  });

  it('puts a second tender with the same number aside', async () => {
    const [first = {}] = exampleStates('paper');
    const doubled = { ...first, id: 'f'.repeat(32), dateModified: '2026-03-02T10:16:00.000000+02:00' };
    await storeRevisions(pool, [
      { rev: 1, tender: first },
      { rev: 1, tender: doubled },
    ]);
    await projectAll(pool);
    expect(await storedReleases()).toHaveLength(1);
    const { rows } = await pool.query('SELECT error FROM kit.dead_letter');
    expect(rows).toEqual([{ error: 'ocds-213czf-UA-2026-03-02-000001 belongs to another tender' }]);
  });

  it('withdraws a tender that is no longer listed', async () => {
    const [first = {}] = exampleStates('paper');
    const removed = { ...first, dateModified: '2026-03-02T11:00:00.000000+02:00' };
    await storeRevisions(pool, [
      { rev: 1, tender: first },
      { rev: 2, tender: removed, listed: false },
    ]);
    await projectAll(pool);
    expect(await storedReleases()).toMatchObject([
      { tag: ['tender'] },
      { date: '2026-03-02T09:00:00.000Z', tag: ['tenderUpdate'], tender: { status: 'withdrawn' } },
    ]);
  });

  it('keeps revisions that a restore has voided out', async () => {
    await storeExample(pool, 'paper');
    await pool.query('UPDATE revision SET void = true WHERE rev > 1');
    await projectAll(pool);
    expect(await storedReleases()).toEqual(expectedReleases('paper').slice(0, 1));
  });
});

describe('rebuildReleases', () => {
  it('makes none where the mapping gives what is stored, and one where it gives something else', async () => {
    await storeExample(pool, 'paper');
    await projectAll(pool);
    const printed: string[] = [];
    const rebuild = async (language: string) => {
      const deps = projection(pool);
      await rebuildReleases({ ...deps, settings: { ...deps.settings, language } }, (line) => printed.push(line));
    };
    await rebuild('uk');
    await rebuild('en');
    expect(printed).toEqual(['0 releases made', '1 releases made']);
    expect((await storedReleases()).at(-1)).toMatchObject({ tag: ['tenderUpdate'], language: 'en' });
  });

  it('gives its releases the position of what is projected, so that positions never fall with seq', async () => {
    await storeExample(pool, 'paper');
    await storeExample(pool, 'cancelled-before-opening', '2027');
    await projectAll(pool);
    const deps = projection(pool);
    await rebuildReleases({ ...deps, settings: { ...deps.settings, language: 'en' } }, () => undefined);
    const { rows } = await pool.query<{ position: string }>('SELECT position FROM ocds_release ORDER BY seq');
    const positions = rows.map(({ position }) => BigInt(position));
    expect(positions).toEqual(positions.toSorted((one, other) => Number(one - other)));
    const { position } = (await readProgress(pool)) ?? {};
    expect(positions.slice(-2).map(Number)).toEqual([position, position]);
  });

  it('keeps the ocid of a tender when the prefix is changed', async () => {
    await storeExample(pool, 'paper');
    await projectAll(pool);
    const deps = projection(pool);
    await rebuildReleases({ ...deps, settings: { ...deps.settings, ocidPrefix: 'ocds-abc123' } }, () => undefined);
    expect(await storedReleases()).toHaveLength(expectedReleases('paper').length);
  });

  it('leaves a tender with newer revisions to the projector', async () => {
    await storeExample(pool, 'paper');
    expect(await rebuilt()).toBe('0 releases made');
  });
});

async function rebuilt(): Promise<string> {
  const printed: string[] = [];
  await rebuildReleases(projection(pool), (line) => printed.push(line));
  return printed.join();
}

describe('projectionDetails', () => {
  it('reports a projector that has stopped while there is more', async () => {
    await storeExample(pool, 'paper');
    await beginProjection(pool);
    expect(await projectionDetails(pool)).toEqual([]);
    await pool.query("UPDATE ocds_position SET heard_at = now() - interval '2 minutes'");
    expect(await projectionDetails(pool)).toMatchObject([{ kind: 'projector', oldestSeconds: 120 }]);
    await projectAll(pool);
    expect(await projectionDetails(pool)).toEqual([]);
  });

  it('reports nothing while nothing is published', async () => {
    await beginProjection(pool);
    await setPosition(pool, 0n);
    await pool.query("UPDATE ocds_position SET heard_at = now() - interval '2 minutes'");
    expect(await projectionDetails(pool)).toEqual([]);
  });
});
