import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY } from '@procurement/contracts/reading/instant';
import { digestSource } from '@procurement/kit/files/digest-source';
import { folderStorage } from '@procurement/kit/files/folder-storage';
import { StorageError, type FileStorage } from '@procurement/kit/files/file-storage';
import { secureIds } from '@procurement/kit/runtime/ids';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tenderId } from '../../test-support/fake-owner.ts';
import { exampleStates, projectAll } from '../../test-support/ocds.ts';
import { runningRegister, type RunningRegister } from '../../test-support/running-register.ts';
import { historyStore } from '../revisions/history.store.ts';
import { ocdsStore } from '../ocds/ocds.store.ts';
import { packingStore } from '../revisions/packing.store.ts';
import { archiveCommand } from './load-archive.ts';
import { startExports } from './make-exports.ts';

// Several days are exported and loaded again in one test: a busy machine is ten times slower.
vi.setConfig({ testTimeout: 120_000 });

/** Drafts, listed before the register began, tests, removed ones, and those that were always real. */
const [LISTED_BEFORE, DRAFTED, REMOVED, TEST, BECAME_TEST, REAL] = [1, 2, 3, 4, 5, 6].map(tenderId) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const states = exampleStates('paper');

let server: TestBus;
let register: RunningRegister;
let folder: string;
let files: FileStorage;

beforeAll(async () => {
  server = await freshBus();
  register = await runningRegister(server);
  folder = mkdtempSync(join(tmpdir(), 'procurement-archive-'));
  files = folderStorage(folder);
});

afterAll(async () => {
  await register.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Publishes a state of the example as a tender. */
function publish(id: string, state: number, options: object = {}): void {
  const { owner } = register;
  const { mode: _mode, ...tender } = states[state] ?? {};
  const isTest = 'test' in options && options.test === true;
  const number = `UA-2026-05-21-${id.slice(-6)}`;
  owner.publish(id, {
    text: JSON.stringify({
      data: { ...tender, id, tenderID: number, ...(isTest && { mode: 'test' }), dateModified: owner.now() },
    }),
    ...options,
  });
}

/** Closes the day that runs, and waits until it is exported and archived. */
async function closeDay(): Promise<void> {
  const { owner, database } = register;
  await register.caughtUp();
  await projectAll(database.pool);
  owner.pass(DAY);
  await database.pool.query('UPDATE follow SET horizon = position + $1', [DAY]);
  const { stop } = startExports({
    pool: database.pool,
    databaseUrl: database.url,
    publicBaseUrl: 'https://procurement.example',
    history: historyStore(database.pool),
    ocds: ocdsStore(database.pool),
    files,
    log: register.log,
    ids: secureIds,
    metrics: register.metrics,
    isScheduled: true,
    isZstdOn: false,
    withTests: () => false,
    isOcdsOn: true,
    redactFiles: async () => false,
    pauseMs: 20,
    fileLinesMax: 1,
  });
  const archived = `SELECT FROM export_run, follow
    WHERE kind IN ('revisions', 'releases') AND archived IS NOT NULL AND position_to > follow.position`;
  await waitFor(async () => (await database.pool.query(archived)).rowCount === 2, {
    what: 'the archive of the day',
    timeoutMs: 60_000,
  });
  await stop();
}

/** What readers of the history get of real tenders, and of OCDS. */
async function readable(): Promise<unknown> {
  const { pool } = register.database;
  const history = historyStore(pool);
  const tenders = [];
  for (const id of [LISTED_BEFORE, DRAFTED, REMOVED, REAL]) {
    const revisions = await history.page(id, { descending: false, limit: 100 });
    const texts = [...(await history.texts(id, revisions)).entries()].toSorted(([one], [other]) => Number(one - other));
    tenders.push({ id, revisions, texts, extent: await history.extent(id) });
  }
  const { rows: releases } = await pool.query('SELECT seq, ocid, id, date, tag, body FROM ocds_release ORDER BY seq');
  const { rows: records } = await pool.query(
    'SELECT ocid, tender_id, last_seq, date, compiled::json FROM ocds_record ORDER BY ocid',
  );
  const { rows: real } = await pool.query(
    `SELECT id, number, position, rev, created, listed, status, title, body, summary, contribution
      FROM tender JOIN tender_body USING (id) LEFT JOIN tender_contribution USING (id) WHERE NOT is_test ORDER BY id`,
  );
  const { rows: tests } = await pool.query(
    'SELECT id, number, position, rev, listed, body FROM tender JOIN tender_body USING (id) WHERE is_test ORDER BY id',
  );
  const { rows: exports } = await pool.query(
    `SELECT name, position_from, position_to, seq_from, seq_to, epoch FROM export_run WHERE kind IN ('revisions', 'releases') ORDER BY name`,
  );
  return { tenders, releases, records, real, tests, exports };
}

async function loseDatabase(): Promise<void> {
  const { pool } = register.database;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT concat_ws('.', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema IN ('public', 'kit') AND table_name NOT LIKE '%migration%' AND table_name <> 'audit'`,
  );
  await pool.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')}`);
}

async function load(storage = files, ...args: readonly string[]): Promise<{ code: number; lines: readonly string[] }> {
  const lines: string[] = [];
  const { pool } = register.database;
  const code = await archiveCommand(['load', ...args], { pool, log: register.log, files: storage }, (line) =>
    lines.push(line),
  );
  return { code, lines };
}

/** Fails at the nth address of a file. */
function failing(at: number): FileStorage {
  let n = 0;
  return {
    ...files,
    url: async (key) => {
      n += 1;
      if (n === at) throw new StorageError('no response from the bucket');
      return files.url(key);
    },
  };
}

describe('archive load (register.md 2.6)', () => {
  it('gives history and OCDS as before from the archive alone, when the log of the owner is empty (A45)', async () => {
    const { owner, database } = register;
    publish(LISTED_BEFORE, 0);
    owner.purge(1);
    owner.pass(1_000_000);
    register.follow();
    publish(DRAFTED, 0, { listed: false, causes: ['tender.created'] });
    publish(DRAFTED, 0, { listed: false });
    for (const id of [DRAFTED, REMOVED, REAL, BECAME_TEST])
      publish(id, 0, { causes: ['tender.edited', 'lots.changed'] });
    publish(TEST, 0, { test: true });
    await closeDay();
    for (const id of [DRAFTED, REAL, BECAME_TEST, LISTED_BEFORE]) publish(id, 2);
    await closeDay();
    publish(REMOVED, 2, { listed: false });
    publish(BECAME_TEST, 2, { test: true });
    publish(REAL, 4);
    await closeDay();
    const before = await readable();
    await register.stopFollowers();
    await loseDatabase();
    owner.purge(owner.log.length);

    let failures = 0;
    for (;;) {
      const { code, lines } = await load(failing(failures + 1));
      if (code === 0) break;
      expect(lines.at(-1)).toBe('no response from the bucket');
      failures += 1;
    }
    expect(failures).toBeGreaterThan(10);
    register.follow();
    await register.caughtUp();
    await projectAll(database.pool);
    expect(await readable()).toEqual(before);
    publish(REAL, 5);
    await closeDay();
  });
});

/** The files, with another content of some objects; undefined: missing. */
async function withObjects(objects: Readonly<Record<string, Buffer | undefined>>): Promise<FileStorage> {
  const keys = new Map<string, string>();
  for (const [key, bytes] of Object.entries(objects)) {
    const other = `changed/${secureIds.next()}`;
    keys.set(key, other);
    if (bytes !== undefined) await files.put(other, '', digestSource(content(bytes), bytes.length));
  }
  const resolveKey = (key: string): string => keys.get(key) ?? key;
  return { ...files, head: async (key) => files.head(resolveKey(key)), url: async (key) => files.url(resolveKey(key)) };
}

async function* content(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function readBytes(key: string): Promise<Buffer> {
  return readFileSync(await files.url(key));
}

/** Key of the first file of an export in the archive. */
async function readFileKey(name: string): Promise<string> {
  return JSON.parse((await readBytes(`archive/${name}.json`)).toString()).files[0].key;
}

describe('packing', () => {
  it('leaves texts that are not in the archive as they are', async () => {
    const { pool } = register.database;
    publish(REAL, 0);
    await register.caughtUp();
    const packing = packingStore({ pool, log: register.log, waitsForArchive: true });
    const { archivedTo } = await packing.packBefore(2_000_000_000_000_000n);
    expect(archivedTo).toBeDefined();
    const { rows } = await pool.query('SELECT position <= $1 AS archived FROM revision_text', [archivedTo]);
    expect(rows).toEqual([{ archived: false }]);
  });
});

describe('an archive that is not whole', () => {
  it.each([
    ['archive/revisions.json', undefined, 'the archive has no revisions of that time'],
    ['archive/revisions-2026-05-22.json', undefined, 'archive/revisions-2026-05-22.json is missing'],
    ['archive/revisions-2026-05-22.json', Buffer.from('{}'), 'archive/revisions-2026-05-22.json cannot be read'],
  ])('is refused before anything is stored: %s', async (key, bytes, message) => {
    await register.stopFollowers();
    await loseDatabase();
    const { code, lines } = await load(await withObjects({ [key]: bytes }));
    expect({ code, lines }).toEqual({ code: 1, lines: [message] });
    expect((await register.database.pool.query('SELECT FROM follow')).rowCount).toBe(0);
  });

  it('is refused at a file that is missing, shorter, or differs from its checksum', async () => {
    await loseDatabase();
    const key = await readFileKey('revisions-2026-05-22');
    const bytes = await readBytes(key);
    const other = Buffer.from(bytes);
    other.writeUInt8(other.readUInt8(20) ^ 1, 20);
    expect((await load(await withObjects({ [key]: undefined }))).lines.at(-1)).toContain('is missing');
    expect((await load(await withObjects({ [key]: bytes.subarray(1) }))).lines.at(-1)).toContain('bytes instead of');
    expect((await load(await withObjects({ [key]: other }))).lines.at(-1)).toContain('differs from its checksum');
    const { rows } = await register.database.pool.query('SELECT max(position) AS last FROM revision');
    expect(Number(rows[0]?.last)).toBeLessThan(Date.parse('2026-05-22T00:00:00+03:00') * 1_000);
  });

  it('is not followed from: the load goes on when it is repeated without a running service', async () => {
    const follower = register.follow();
    await waitFor(() => follower.problems().length === 1, { what: 'the follower to find the unfinished load' });
    expect((await load()).lines).toEqual(['the service runs: stop every process of the register first']);
    await register.stopFollowers();
    expect((await load(files, '--from', '2026-05-22')).lines[0]).toContain('another --from');
    expect((await load()).code).toBe(0);
    expect((await load()).lines[0]).toContain('not empty');
    expect((await load(files, '--from', 'yesterday')).code).toBe(2);
  });
});

describe('archive load', () => {
  it('begins at a day', async () => {
    await loseDatabase();
    expect((await load(files, '--from', '2026-05-23')).code).toBe(0);
    const history = historyStore(register.database.pool);
    const [first] = await history.page(REAL, { descending: false, limit: 1 });
    expect(first).toMatchObject({ rev: 3 });
    expect(await history.extent(REAL)).toMatchObject({ complete: false, first: { rev: 3 } });
  });

  it('leaves out what a restore of the owner took back', async () => {
    await loseDatabase();
    const day = Date.parse('2026-05-22T00:00:00+03:00') * 1_000;
    const restore = { epoch: 2, restoredTo: String(day), began: String(day + DAY) };
    const index = { ...JSON.parse((await readBytes('archive/revisions.json')).toString()), voids: [restore] };
    const storage = await withObjects({ 'archive/revisions.json': Buffer.from(JSON.stringify(index)) });
    expect((await load(storage)).code).toBe(0);
    const { pool } = register.database;
    const lost = await pool.query('SELECT FROM revision WHERE position > $1 AND position < $2', [day, day + DAY]);
    expect(lost.rowCount).toBe(0);
    expect((await historyStore(pool).page(REAL, { descending: false, limit: 9 })).map(({ rev }) => rev)).toEqual([
      1, 3, 4,
    ]);
    expect((await pool.query('SELECT epoch FROM follow')).rows).toEqual([{ epoch: 2 }]);
    expect((await pool.query('SELECT epoch FROM epoch_void')).rows).toEqual([{ epoch: 2 }]);
  });
});
