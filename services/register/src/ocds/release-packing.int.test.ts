import { makeLog } from '@procurement/kit/runtime/log';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { poolEndingAt } from '../../test-support/ending-pool.ts';
import { PACK_BYTES_MAX, PACK_TEXTS_MAX } from '../revisions/domain/pack-lines.ts';
import { beginProjection } from './ocds-position.store.ts';
import { releasesWith } from '../redaction/redaction.store.ts';
import { releaseBodies } from './release-bodies.ts';
import { releasePackingStore, type ReleasePackingStore } from './release-packing.store.ts';

let database: TestDatabase;
let pool: pg.Pool;
let packing: ReleasePackingStore;

const OCID = 'ocds-213czf-UA-2026-03-02-000001';
const OTHER = 'ocds-213czf-UA-2026-03-02-000002';
const START = Date.parse('2026-03-02T00:00:00Z');
const DAY_MS = 86_400_000;
const END = 9_000_000_000_000_000n;

beforeAll(async () => {
  database = await freshDatabase('register');
  pool = database.pool;
  packing = makePacking(pool);
});
beforeEach(async () => {
  await pool.query('TRUNCATE ocds_release, ocds_record, ocds_pack, ocds_position, export_run');
  await beginProjection(pool);
});
afterAll(async () => {
  await database.drop();
});

function makePacking(used: pg.Pool, waitsForArchive = false): ReleasePackingStore {
  return releasePackingStore({ pool: used, log: makeLog('test', 'fatal'), waitsForArchive });
}

/** Stores releases of a process, stored a day apart from each other, and returns their bodies by `seq`. */
async function store(bodies: readonly string[], ocid = OCID): Promise<Map<bigint, string>> {
  const stored = new Map<bigint, string>();
  const before = await pool.query('SELECT count(*)::int AS count FROM ocds_release WHERE ocid = $1', [ocid]);
  for (const [n, body] of bodies.entries()) {
    const at = new Date(START + (before.rows[0].count + n) * DAY_MS);
    const { rows } = await pool.query<{ seq: string }>(
      `INSERT INTO ocds_release (ocid, id, date, tag, hash, body, inserted_at)
        VALUES ($1, $2, $3, '{tender}', 'hash', $4, $3) RETURNING seq`,
      [ocid, `${ocid}-${at.getTime()}`, at, body],
    );
    stored.set(BigInt(rows[0]?.seq ?? 0), body);
  }
  return stored;
}

/** Bodies that differ, with letters of two bytes. */
function buildBodies(count: number, length = 20): string[] {
  return Array.from({ length: count }, (_, n) => `{"id":"${n}","title":"${'папір '.repeat(length)}"}`);
}

async function served(stored: ReadonlyMap<bigint, string>): Promise<ReadonlyMap<bigint, string>> {
  return releaseBodies(pool, [...stored.keys()]);
}

/** Places of the releases in each pack, and how many are in rows. */
async function places(ocid = OCID): Promise<{ readonly hot: number; readonly packs: readonly string[] }> {
  const hot = await pool.query('SELECT count(body)::int AS hot FROM ocds_release WHERE ocid = $1', [ocid]);
  const packs = await pool.query<{ count: string }>(
    `SELECT (SELECT count(*) FROM ocds_release AS release WHERE release.ocid = ocds_pack.ocid AND body IS NULL
        AND seq BETWEEN first_seq AND last_seq) AS count FROM ocds_pack WHERE ocid = $1 ORDER BY first_seq`,
    [ocid],
  );
  return { hot: hot.rows[0].hot, packs: packs.rows.map(({ count }) => count) };
}

/** The instant after which the release of a day was stored. */
function beforeDay(n: number): bigint {
  return BigInt(START + n * DAY_MS) * 1_000n;
}

describe('packBefore', () => {
  it('moves bodies into packs that give back the same bytes, in several runs', async () => {
    const stored = new Map([
      ...(await store(buildBodies(PACK_TEXTS_MAX + 10))),
      ...(await store(buildBodies(3), OTHER)),
    ]);
    expect(await packing.packBefore(beforeDay(40))).toEqual({ releases: 43, failedProcesses: 0 });
    expect([await places(), await places(OTHER)]).toEqual([
      { hot: 34, packs: ['40'] },
      { hot: 0, packs: ['3'] },
    ]);
    expect(await served(stored)).toEqual(stored);
    expect(await packing.packBefore(END)).toEqual({ releases: 34, failedProcesses: 0 });
    expect(await places()).toEqual({ hot: 0, packs: [String(PACK_TEXTS_MAX), '10'] });
    expect(await served(stored)).toEqual(stored);
    expect(await packing.packBefore(END)).toEqual({ releases: 0, failedProcesses: 0 });
  });

  it('leaves a redaction to count releases in rows and in packs', async () => {
    const tender = 'a'.repeat(32);
    await store(['{"id":"0","telephone":"+380501234567"}', '{"id":"1"}', '{"id":"2","telephone":"+380501234567"}']);
    await pool.query(
      `INSERT INTO ocds_record (ocid, tender_id, last_seq, date, hash, snapshot, compiled)
        SELECT ocid, $1, max(seq), max(date), 'hash', '{}', '{}' FROM ocds_release GROUP BY ocid`,
      [tender],
    );
    const counted = async (): Promise<number> => releasesWith(pool, tender, ['+380501234567', '+380507654321']);
    expect(await counted()).toBe(2);
    await packing.packBefore(beforeDay(1));
    expect([await places(), await counted()]).toEqual([{ hot: 2, packs: ['1'] }, 2]);
    await packing.packBefore(END);
    expect([await places(), await counted()]).toEqual([{ hot: 0, packs: ['3'] }, 2]);
  });

  it('keeps what is known of a release without its body', async () => {
    const body = buildBodies(1)[0] ?? '';
    await store([body]);
    const columns = 'seq, ocid, id, date, tag, hash, inserted_at, position';
    const { rows: before } = await pool.query(`SELECT ${columns} FROM ocds_release`);
    await packing.packBefore(END);
    const { rows } = await pool.query(`SELECT ${columns} FROM ocds_release`);
    expect(rows).toEqual(before);
    expect((await pool.query('SELECT body, bytes FROM ocds_release')).rows).toEqual([
      { body: null, bytes: Buffer.byteLength(body) },
    ]);
  });

  it('has at most 4 MB of bodies in a pack, unless one is larger', async () => {
    const third = 'x'.repeat(Math.floor(PACK_BYTES_MAX / 3));
    const stored = await store([third, third, third, third, 'y'.repeat(PACK_BYTES_MAX + 1), third]);
    expect(await packing.packBefore(END)).toEqual({ releases: 6, failedProcesses: 0 });
    expect(await places()).toEqual({ hot: 0, packs: ['3', '1', '1', '1'] });
    expect(await served(stored)).toEqual(stored);
  });

  it('packs the releases of a process in their order, also when a later one was stored with an earlier time', async () => {
    const stored = await store(buildBodies(3));
    const [first, second] = [...stored.keys()];
    // Of two transactions that wait for each other, the one that began earlier may store later.
    await pool.query('UPDATE ocds_release SET inserted_at = $2 WHERE seq = $1', [first, new Date(START + 3 * DAY_MS)]);
    await pool.query('UPDATE ocds_release SET inserted_at = $2 WHERE seq = $1', [second, new Date(START)]);
    await packing.packBefore(beforeDay(1));
    expect(await places()).toEqual({ hot: 1, packs: ['2'] });
    await packing.packBefore(END);
    expect(await places()).toEqual({ hot: 0, packs: ['3'] });
    expect(await served(stored)).toEqual(stored);
  });

  // BEGIN, two for the lock, bodies, open pack, write, clear, COMMIT; then those of a transaction that finds nothing more.
  it.each(Array.from({ length: 12 }, (_, n) => n + 1))(
    'loses and doubles nothing when its connection ends at statement %i of a process',
    async (statement) => {
      const stored = await store(buildBodies(2));
      await packing.packBefore(END);
      for (const [seq, body] of await store(buildBodies(2, 30))) stored.set(seq, body);
      expect((await makePacking(poolEndingAt(pool, statement)).packBefore(END)).failedProcesses).toBe(1);
      expect((await places()).hot).toBe(statement <= 8 ? 2 : 0);
      expect(await served(stored)).toEqual(stored);
      await packing.packBefore(END);
      expect(await places()).toEqual({ hot: 0, packs: ['4'] });
      expect(await served(stored)).toEqual(stored);
    },
  );

  it('packs once when two processes of the service run at the same time', async () => {
    const stored = await store(buildBodies(5));
    const results = await Promise.all([packing.packBefore(END), packing.packBefore(END)]);
    expect(results.reduce((sum, { releases }) => sum + releases, 0)).toBe(5);
    expect(await places()).toEqual({ hot: 0, packs: ['5'] });
    expect(await served(stored)).toEqual(stored);
  });

  it('leaves the bodies of a process that a pack does not give back, and packs those of others', async () => {
    const stored = new Map([...(await store(['{\n5 }', '{}'])), ...(await store(buildBodies(2), OTHER))]);
    expect(await packing.packBefore(END)).toEqual({ releases: 2, failedProcesses: 1 });
    expect([await places(), await places(OTHER)]).toEqual([
      { hot: 2, packs: [] },
      { hot: 0, packs: ['2'] },
    ]);
    expect(await served(stored)).toEqual(stored);
  });

  it('leaves bodies that are not in the archive, where exports of days are made by themselves', async () => {
    const archiving = makePacking(pool, true);
    const [first = 0n] = (await store(buildBodies(3))).keys();
    expect((await archiving.packBefore(END)).releases).toBe(0);
    await pool.query(
      `INSERT INTO export_run (name, kind, mode, position_to, seq_to, state, archived)
        VALUES ('releases-2026-03-02', 'releases', 'real', 1, $1, 'finished', now()),
          ('releases-2026-03-03', 'releases', 'real', 2, $2, 'finished', NULL)`,
      [first, first + 2n],
    );
    expect((await archiving.packBefore(END)).releases).toBe(1);
    expect(await places()).toEqual({ hot: 2, packs: ['1'] });
  });
});

describe('releaseBodies', () => {
  it('throws for a release that is neither in a row nor in a pack', async () => {
    const [seq = 0n] = (await store(buildBodies(1))).keys();
    await packing.packBefore(END);
    await pool.query('TRUNCATE ocds_pack');
    await expect(releaseBodies(pool, [seq])).rejects.toThrow(`release ${seq} has no body`);
  });
});
