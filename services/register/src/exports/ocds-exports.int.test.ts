import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseInstant } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { ExportManifest } from '@procurement/contracts/resources/export';
import { transact } from '@procurement/kit/database/transaction';
import { StorageError } from '@procurement/kit/files/file-storage';
import { mergeRelease, type Dated } from '@procurement/ocds/merge';
import type { PublishedState } from '@procurement/ocds/release';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaErrors } from '../../../../packages/ocds/test-support/validator.ts';
import { exampleStates, OCDS_ENV, OCDS_SETTINGS } from '../../test-support/ocds.ts';
import {
  exportsCommandDeps,
  makeAgain,
  startTestExports,
  watchedStorage,
  type WatchedStorage,
} from '../../test-support/running-exports.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { planRelease } from '../ocds/domain/release-plan.ts';
import { beginProjection, movePosition } from '../ocds/ocds-position.store.ts';
import { releasePackingStore } from '../ocds/release-packing.store.ts';
import { loadStates, saveReleases, type TenderRelease } from '../ocds/save-releases.ts';
import { exportsCommand } from './exports-command.ts';

/** Three releases of each are more than a page of releases, and two rounds more than a page of records. */
const TENDERS = 90;
const states = exampleStates('paper');
/** States that differ in their mapping. */
const ROUNDS = [states[0], states[2], states[4], states[5]];
const SECRETS = ['94250.5', '95800', '34567803', 'Канцлер', 'c4e6a8b0d2f4416385a7c9ebd0f2a4c6'];

let running: RunningService;
let folder: string;
let watched: WatchedStorage;
let exporting: { stop(): Promise<void> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-ocds-exports-'));
  running = await runningService({ ...OCDS_ENV, EXPORT_STORE: `folder:${folder}` });
  const { pool } = running.database;
  watched = watchedStorage(folder);
  await storeRevisions(pool, [{ rev: 1, tender: states[0] ?? {} }]);
  await beginProjection(pool);
  exporting = startTestExports(running, watched.storage);
});

afterAll(async () => {
  await exporting.stop();
  await running.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a release of each tender from `first` on, at positions from a time on, and moves both positions there. */
async function project(round: number, time: string, first = 0): Promise<void> {
  const start = parseInstant(time);
  const { pool } = running.database;
  await transact(pool, async (tx) => {
    const ids = Array.from({ length: TENDERS - first }, (_, n) => (first + n + 1).toString(16).padStart(32, '0'));
    const before: Map<string, PublishedState> = await loadStates(tx, ids);
    const releases: TenderRelease[] = ids.map((tenderId, n) => {
      const position = start + n;
      const tender = {
        ...ROUNDS[round],
        id: tenderId,
        tenderID: `UA-2026-03-02-${String(first + n + 1).padStart(6, '0')}`,
        dateModified: new Date(position / 1_000).toISOString(),
        // A view that shows bids early, as open guards of older segments may.
        bids: states.at(-1)?.['bids'],
      };
      const text = JSON.stringify({ data: tender });
      const planned = planRelease({ tenderId, position, text }, before.get(tenderId), OCDS_SETTINGS);
      if (planned === undefined || 'failed' in planned) throw new Error(`no release in round ${round}`);
      return { ...planned, tenderId, position, place: position };
    });
    expect(await saveReleases(tx, releases)).toEqual([]);
    await movePosition(tx, start + TENDERS);
  });
  await setPosition(pool, BigInt(start + TENDERS));
}

interface MadeExport {
  readonly manifest: ExportManifest;
  readonly lines: readonly string[];
}

/** Runs an export, again after a failed attempt. */
async function run(...words: readonly string[]): Promise<MadeExport> {
  const printed: string[] = [];
  const { pool } = running.database;
  const code = await exportsCommand(['run', ...words], exportsCommandDeps(running, watched.storage), (line) =>
    printed.push(line),
  );
  const name = printed[0]?.split(':')[0] ?? '';
  if (code !== 0) await pool.query('UPDATE export_run SET retry_at = NULL WHERE name = $1', [name]);
  return made(name, String(printed));
}

/** Waits until an export is made. */
async function made(name: string, why = ''): Promise<MadeExport> {
  await waitFor(async () => (await running.get(`/exports/${name}`)).statusCode === 200, { what: `${name} ${why}` });
  const manifest = ExportManifest.parse((await running.get(`/exports/${name}`)).json().data);
  const lines: string[] = [];
  for (const { url } of manifest.files) {
    const { rawPayload } = await running.get(new URL(url).pathname.replace('/api/2.5', ''));
    lines.push(...gunzipSync(rawPayload).toString().trimEnd().split('\n'));
  }
  expect(lines.length).toBe(manifest.lines);
  return { manifest, lines };
}

async function storedReleases(): Promise<readonly string[]> {
  const { rows } = await running.database.pool.query<{ body: string }>('SELECT body FROM ocds_release ORDER BY seq');
  return rows.map(({ body }) => body);
}

/** What the pages of OCDS have after an export. */
async function laterEntries({ feed, kind }: ExportManifest): Promise<readonly object[]> {
  const entries: object[] = [];
  for (let url: string | undefined = `${feed}&limit=50`; url !== undefined;) {
    const page: Record<string, unknown> = (await running.get(url.replace(/^.*\/api/, ''))).json();
    entries.push(...(page[kind] as object[]));
    url = (page['links'] as { readonly next?: string } | undefined)?.next;
  }
  return entries;
}

/** The record of each process after these releases. */
function compile(releases: readonly string[]): ReadonlyMap<string, unknown> {
  const compiled = new Map<string, JsonObject>();
  for (const text of releases) {
    const release: Dated = JSON.parse(text);
    compiled.set(release.ocid, mergeRelease(compiled.get(release.ocid), release));
  }
  return compiled;
}

interface RecordLine {
  readonly ocid: string;
  readonly releases: readonly { readonly url: string }[];
  readonly compiledRelease: unknown;
}

describe('exports of releases (ocds.md 4.3, register.md 8)', () => {
  it('have each release in the file of one day, also those of a rebuild and of an archive', async () => {
    const { pool } = running.database;
    await project(0, '2026-04-06T10:00:00+03:00');
    await pool.query('UPDATE ocds_release SET position = NULL');
    expect((await run('records')).lines.length).toBe(TENDERS);
    await project(1, '2026-04-06T11:00:00+03:00');
    await pool.query('UPDATE follow SET horizon = $1', [parseInstant('2026-04-07T00:00:01+03:00')]);
    const first = await run('releases', '2026-04-06');
    expect(first.lines).toEqual(await storedReleases());
    // A rebuild after the end of the day, while nothing was published: its place is of the day that has a file already.
    await project(3, '2026-04-06T12:00:00+03:00', TENDERS - 3);
    await project(2, '2026-04-07T10:00:00+03:00');
    await pool.query('UPDATE follow SET horizon = $1', [parseInstant('2026-04-08T00:00:01+03:00')]);
    const second = await run('releases', '2026-04-07');
    expect([...first.lines, ...second.lines]).toEqual(await storedReleases());
    expect(second.manifest.position).toMatchObject({ from: '1775509200.000000', to: '1775595600.000000' });
  });

  it('lead to all releases with the pages after them, in files that go on after a failure (X1, X2)', async () => {
    const before = await storedReleases();
    let isFailed = false;
    watched.beforePut(async (n) => {
      if (n !== 2 || isFailed) return;
      isFailed = true;
      await project(3, '2026-04-08T10:00:00+03:00');
      throw new StorageError('no response from the bucket');
    });
    const { manifest, lines } = await run('releases');
    watched.beforePut();
    expect(isFailed).toBe(true);
    expect(lines).toEqual(before);
    expect(manifest.files.length).toBe(2);
    const later = (await laterEntries(manifest)).map((release) => JSON.stringify(release));
    expect(later.length).toBe(TENDERS);
    expect([...lines, ...later]).toEqual(await storedReleases());
  });

  it('are valid in a package of the members of the manifest', async () => {
    const { manifest, lines } = await run('releases');
    const releases = lines.slice(-5).map((line) => JSON.parse(line));
    const uri = manifest.files[0]?.url;
    const content = { ...manifest.package, uri, publishedDate: releases.at(-1).date, releases };
    expect(schemaErrors('releases', content)).toEqual([]);
    expect(manifest).not.toHaveProperty('segment');
    expect(manifest).toMatchObject({ version: 1, mode: 'real', license: OCDS_SETTINGS.license });
  });
});

describe('exports of records', () => {
  it('have every record once as of their end, whatever is projected meanwhile, and lead to all with the pages after them', async () => {
    const before = compile(await storedReleases());
    // Records of the first file have not moved on when they are read, later ones have.
    watched.beforePut(async (n) => {
      if (n === 2) await project(0, '2026-04-08T12:00:00+03:00');
    });
    const { manifest, lines } = await run('records');
    watched.beforePut();
    const records = lines.map((line): RecordLine => JSON.parse(line));
    expect(new Map(records.map(({ ocid, compiledRelease: compiled }) => [ocid, compiled]))).toEqual(before);
    expect(records.length).toBe(before.size);
    const [record] = records;
    expect(record?.releases[0]?.url).toContain(`https://procurement.example/api/ocds/releases/${record?.ocid}/`);
    const content = { ...manifest.package, uri: manifest.feed, publishedDate: '2026-04-08T12:00:00Z', records };
    expect(schemaErrors('records', content)).toEqual([]);
    const copy = new Map(records.map(({ ocid, compiledRelease: compiled }) => [ocid, compiled]));
    // Safe cast: entries of a page of records.
    for (const later of (await laterEntries(manifest)) as readonly RecordLine[])
      copy.set(later.ocid, later.compiledRelease);
    expect(copy).toEqual(compile(await storedReleases()));
  });
});

describe('exports of releases and records', () => {
  it('have nothing of bids before the opening, whatever the view shows', async () => {
    const { lines: releases } = await run('releases');
    const { lines: records } = await run('records');
    const text = [...releases, ...records].join('\n');
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  });
});

describe('two exports for the same place', () => {
  it.each([
    { kind: 'releases', round: 1, time: '2026-04-08T14:00:00+03:00' },
    { kind: 'records', round: 3, time: '2026-04-08T15:00:00+03:00' },
  ])('have the same lines of $kind, also when all have moved on (X5)', async ({ kind, round, time }) => {
    const { manifest, lines } = await run(kind);
    await project(round, time);
    await makeAgain(running, manifest.name);
    expect((await made(manifest.name)).lines).toEqual(lines);
  });
});

describe('exports that have ended', () => {
  it('are kept for ever of releases, and three of records', async () => {
    const { pool } = running.database;
    await pool.query(`INSERT INTO export_run (name, kind, mode, position_to, seq_to, state, finished, archived)
      SELECT kind || '-2020-01-0' || n, kind, 'real', n, n, 'finished', now(), now()
      FROM unnest('{releases,records}'::text[]) AS kind, generate_series(1, 6) AS n`);
    const count = async (kind: string): Promise<number> =>
      (await running.get(`/exports?kind=${kind}&limit=100`)).json().data.length;
    await waitFor(async () => (await count('records')) === 3, { what: 'the removal of the oldest records' });
    const { rows } = await pool.query(
      `SELECT FROM export_run WHERE name LIKE 'releases-2020-01-0_' AND state = 'finished'`,
    );
    expect(rows.length).toBe(6);
  });
});

describe('exports of packed releases', () => {
  it('have the same lines, also of records that move on meanwhile', async () => {
    const { pool } = running.database;
    const hot = await storedReleases();
    const packing = releasePackingStore({ pool, log: running.deps.log, waitsForArchive: false });
    expect(await packing.packBefore(BigInt(parseInstant('2126-01-01')))).toMatchObject({ failedProcesses: 0 });
    expect(new Set(await storedReleases())).toEqual(new Set([null]));
    await project(1, '2026-04-09T10:00:00+03:00', TENDERS - 2);
    const { lines } = await run('releases');
    expect(lines.slice(0, hot.length)).toEqual(hot);
    expect(lines.length).toBe(hot.length + 2);
    watched.beforePut(async (n) => {
      if (n === 2) await project(2, '2026-04-09T12:00:00+03:00');
    });
    const records = (await run('records')).lines.map((line): RecordLine => JSON.parse(line));
    watched.beforePut();
    expect(new Map(records.map(({ ocid, compiledRelease: compiled }) => [ocid, compiled]))).toEqual(compile(lines));
  });
});
