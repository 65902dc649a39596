import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { ExportManifest } from '@procurement/contracts/resources/export';
import { digestSource } from '@procurement/kit/files/digest-source';
import { StorageError } from '@procurement/kit/files/file-storage';
import { anonymousIdentity } from '@procurement/testing/identity';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishRows, tenderText, type PublishedRow } from '../../test-support/published-rows.ts';
import {
  exportsCommandDeps,
  makeAgain,
  startTestExports,
  watchedStorage,
  type WatchedStorage,
} from '../../test-support/running-exports.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { packingStore } from '../revisions/packing.store.ts';
import { exportDetails } from './exports.store.ts';
import { exportsCommand } from './exports-command.ts';

/** More than a page. */
const TENDERS = 700;
const START = 1_774_900_800_000_000n;

let running: RunningService;
let folder: string;
let watched: WatchedStorage;
let exporting: { stop(): Promise<void> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-exports-'));
  running = await runningService({ EXPORT_STORE: `folder:${folder}` });
  const { pool } = running.database;
  await publishRows(pool, buildRows(1, 0));
  watched = watchedStorage(folder);
  exporting = startTestExports(running, watched.storage);
});

afterAll(async () => {
  await exporting.stop();
  await running.close();
  rmSync(folder, { recursive: true, force: true });
});

function formatId(n: number): string {
  return n.toString(16).padStart(32, '0');
}

/** A revision of every tender: each tenth is a test, each eleventh leaves the list with revision 2. */
function buildRows(rev: number, from: number, to = TENDERS): PublishedRow[] {
  return Array.from({ length: to - from }, (_, n) => ({
    id: formatId(from + n),
    rev,
    position: START + BigInt(rev * 1_000_000 + from + n),
    isTest: (from + n) % 10 === 0,
    listed: rev !== 2 || (from + n) % 11 !== 0,
  }));
}

async function run(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const code = await exportsCommand(['run', ...args], exportsCommandDeps(running, watched.storage), (line) =>
    lines.push(line),
  );
  expect(code).toBe(0);
  return lines[0]?.split(':')[0] ?? '';
}

async function fetchManifest(name: string): Promise<ExportManifest> {
  return ExportManifest.parse((await running.get(`/exports/${name}`)).json().data);
}

async function fetchLines(name: string): Promise<readonly string[]> {
  const manifest = await fetchManifest(name);
  const lines: string[] = [];
  for (const file of manifest.files) {
    const { rawPayload, statusCode } = await running.get(new URL(file.url).pathname.replace('/api/2.5', ''));
    expect(statusCode).toBe(200);
    expect(rawPayload.length).toBe(file.bytes);
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(file.sha256);
    const text = gunzipSync(rawPayload).toString();
    expect(Buffer.byteLength(text)).toBe(file.rawBytes);
    const own = text.split('\n').slice(0, -1);
    expect(own.length).toBe(file.lines);
    lines.push(...own);
  }
  expect(lines.length).toBe(manifest.lines);
  return lines;
}

/** What the list shows without test tenders: the database, by id. */
async function listed(): Promise<Map<string, string>> {
  const { rows } = await running.database.pool.query<{ id: string; body: string }>(
    `SELECT replace(id::text, '-', '') AS id, body FROM tender JOIN tender_body USING (id) WHERE listed AND NOT is_test`,
  );
  return new Map(rows.map(({ id, body }) => [id, body.slice('{"data":'.length, -1)]));
}

/** Applies lines of `tenders` and `changes` to a copy. */
function apply(copy: Map<string, string>, lines: readonly string[]): Map<string, string> {
  for (const line of lines) {
    const { id, removed } = JSON.parse(line) as { id: string; removed?: boolean };
    if (removed === true) copy.delete(id);
    else copy.set(id, line);
  }
  return copy;
}

describe('exports (register.md 8)', () => {
  let first: string;

  it('have every tender once in its state at the end, whatever is published meanwhile (X1, X4)', async () => {
    const before = await listed();
    // After the first page was read, all tenders move past the end.
    watched.beforePut(async (n) => {
      if (n === 2) await publishRows(running.database.pool, buildRows(2, 0));
    });
    first = await run('tenders');
    watched.beforePut();
    const lines = await fetchLines(first);
    expect(lines.length).toBe(before.size);
    expect(apply(new Map(), lines)).toEqual(before);
    expect((await fetchManifest(first)).files.length).toBe(3);
    expect((await fetchManifest(first)).position.from).toBeNull();
  });

  it('become the database by what was published after their position (X2, X3)', async () => {
    const [copy, manifest] = [apply(new Map(), await fetchLines(first)), await fetchManifest(first)];
    await publishRows(running.database.pool, buildRows(3, 0, 400));
    const changes = await run('changes');
    const expected = await listed();
    expect(apply(copy, await fetchLines(changes))).toEqual(expected);
    expect(apply(new Map(), await fetchLines(await run('tenders')))).toEqual(expected);
    // Texts that are packed are read too.
    await packingStore({ ...running.deps, waitsForArchive: false }).packBefore(START + 1_000_050n);
    const revisions = await fetchLines(await run('revisions'));
    const later = revisions.filter((line) => JSON.parse(line).position > manifest.position.to);
    const replayed = apply(
      apply(new Map(), await fetchLines(first)),
      later.map((line) => /"tender":(.*)\}$/.exec(line)?.[1] ?? line),
    );
    expect(replayed).toEqual(expected);
    expect(revisions).toContain(
      `{"position":"1774900801.000001","rev":1,"causes":["tender.edited"],"tender":${tenderText({ id: formatId(1), rev: 1 })}}`,
    );
  });

  it('go on after the last finished file when an attempt has failed or was killed', async () => {
    await publishRows(running.database.pool, buildRows(4, 0));
    watched.beforePut(async (n) => {
      if (n === 2) throw new StorageError('no response from the bucket');
    });
    const lines: string[] = [];
    const deps = exportsCommandDeps(running, watched.storage);
    expect(await exportsCommand(['run', 'tenders'], deps, (line) => lines.push(line))).toBe(1);
    watched.beforePut();
    expect(lines[1]).toContain('no response from the bucket');
    const name = lines[0]?.split(':')[0] ?? '';
    expect(await exportDetails(running.database.pool)).toMatchObject([{ kind: 'export', name }]);
    expect((await running.get(`/exports/${name}`)).statusCode).toBe(404);
    // A killed process leaves the row of its file, and maybe the file.
    const { rows } = await running.database.pool.query('SELECT key FROM export_file WHERE name = $1 ORDER BY n', [
      name,
    ]);
    expect(rows.length).toBe(2);
    watched.stored.length = 0;
    await running.database.pool.query('UPDATE export_run SET retry_at = NULL WHERE name = $1', [name]);
    await waitFor(async () => (await running.get(`/exports/${name}`)).statusCode === 200, { what: 'the export' });
    expect(watched.stored.length).toBe(2);
    expect(await watched.storage.head(rows[1]?.key)).toBeUndefined();
    expect(apply(new Map(), await fetchLines(name))).toEqual(await listed());
    expect(await exportDetails(running.database.pool)).toEqual([]);
  });

  it('begin anew when the source is restored meanwhile, and list later what is void', async () => {
    const { pool } = running.database;
    await publishRows(pool, buildRows(5, 0));
    watched.beforePut(async (n) => {
      if (n === 2) await pool.query('UPDATE follow SET epoch = 2');
    });
    watched.stored.length = 0;
    const deps = exportsCommandDeps(running, watched.storage);
    expect(await exportsCommand(['run', 'tenders'], deps, () => undefined)).toBe(1);
    const former = [...watched.stored];
    await pool.query('UPDATE export_run SET retry_at = NULL');
    await waitFor(async () => (await exportDetails(pool)).length === 0, { what: 'the second attempt' });
    for (const key of former) expect(await watched.storage.head(key)).toBeUndefined();
    expect(await fetchManifest('latest-tenders')).toMatchObject({ version: 1, position: { epoch: 2 } });
    await pool.query('INSERT INTO epoch_void (epoch, restored_to, began) VALUES (3, $1, $2)', [
      START,
      START + 9_000_000n,
    ]);
    expect(await fetchManifest('latest-tenders')).toMatchObject({
      version: 2,
      voided: { after: '1774900800.000000', before: '1774900809.000000' },
    });
  });

  it('are kept in the number of register.md 8.2, with their files', async () => {
    const { pool } = running.database;
    await waitFor(async () => (await pool.query(`SELECT FROM export_run WHERE kind = 'tenders'`)).rowCount === 3, {
      what: 'the removal of the oldest',
    });
    expect((await running.get(`/exports/${first}`)).statusCode).toBe(404);
    const deps = exportsCommandDeps(running, watched.storage);
    const { name } = await fetchManifest('latest-tenders');
    expect(await exportsCommand(['check', name], deps, () => undefined)).toBe(0);
  });
});

describe('GET /exports', () => {
  it('lists them newest first in pages', async () => {
    const names: string[] = [];
    for (let url = '/exports?limit=2'; ;) {
      const page = (await running.get(url)).json();
      names.push(...page.data.map(({ name }: { name: string }) => name));
      if (page.next_page === undefined) break;
      url = page.next_page.path.replace('/api/2.5', '');
    }
    const all = (await running.get('/exports')).json().data;
    expect(names).toEqual(all.map(({ name }: { name: string }) => name));
    expect(names.length).toBe(5);
    expect((await running.get('/exports?kind=changes')).json().data.length).toBe(1);
  });

  it.each([
    ['/exports?kind=bids', 400],
    ['/exports?cursor=tenders-2026-01-01', 404],
    ['/exports/tenders-2026-01-01', 404],
    ['/exports/latest-bids', 404],
    ['/exports/..%2F..', 404],
    ['/exports/latest-tenders/x.jsonl.gz', 404],
  ])('answers %s with %d', async (url, status) => {
    expect((await running.get(url)).statusCode).toBe(status);
  });

  it('answers ranges of a file, so that a download can go on (A44)', async () => {
    const { files } = await fetchManifest('latest-tenders');
    const url = new URL(files[0]?.url ?? '').pathname.replace('/api/2.5', '');
    const whole = await running.get(url);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/gzip',
      'accept-ranges': 'bytes',
      etag: `"${files[0]?.sha256}-2.5"`,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const get = async (headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET') =>
      running.app.inject({ method, url, headers: { ...anonymousIdentity(), ...headers } });
    const etag = String(whole.headers['etag']);
    const rest = await get({ range: 'bytes=100-', 'if-range': etag });
    expect(rest.statusCode).toBe(206);
    expect(Buffer.concat([whole.rawPayload.subarray(0, 100), rest.rawPayload])).toEqual(whole.rawPayload);
    expect((await get({ range: 'bytes=100-', 'if-range': '"other-2.5"' })).statusCode).toBe(200);
    expect((await get({ range: 'bytes=999999999-' })).statusCode).toBe(416);
    expect((await get({ 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get({}, 'HEAD')).headers['content-length']).toBe(String(whole.rawPayload.length));
  });

  it('answers the same lines in Zstandard where they were made', async () => {
    const { pool } = running.database;
    const { name, files } = await fetchManifest('latest-tenders');
    const [file] = files;
    expect(file).not.toHaveProperty('zstd');
    expect((await running.get(`/exports/${name}/${name}-0001.jsonl.zst`)).statusCode).toBe(404);
    // As a runtime that can makes it; its bytes are of no interest here.
    const { rows } = await pool.query<{ key: string }>('SELECT key FROM export_file WHERE name = $1 AND n = 1', [name]);
    const key = rows[0]?.key.replace(/gz$/, 'zst') ?? '';
    const bytes = Buffer.from('lines in Zstandard');
    await watched.storage.put(key, '', digestSource(Readable.from([bytes]), bytes.length));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await pool.query('UPDATE export_file SET zstd_bytes = $2, zstd_sha256 = $3 WHERE key = $1', [
      rows[0]?.key,
      bytes.length,
      sha256,
    ]);
    const { zstd } = (await fetchManifest('latest-tenders')).files[0] ?? {};
    expect(zstd).toMatchObject({ name: `${name}-0001.jsonl.zst`, bytes: bytes.length, sha256 });
    const url = new URL(zstd?.url ?? '').pathname.replace('/api/2.5', '');
    const headers = { ...anonymousIdentity(), range: 'bytes=6-7' };
    const part = await running.app.inject({ method: 'GET', url, headers });
    expect(part.payload).toBe('in');
    expect(part.headers).toMatchObject({ 'content-type': 'application/zstd', etag: `"${sha256}-2.5"` });
  });
});

describe('two runs for the same position', () => {
  it('give the same lines, also when everything has moved on and the second was cut in the middle (X5, A43)', async () => {
    const { pool } = running.database;
    const names = [await run('tenders'), await run('changes'), await run('revisions')];
    const before = new Map<string, readonly string[]>();
    for (const name of names) before.set(name, await fetchLines(name));
    await publishRows(pool, buildRows(6, 0));
    for (const name of names) {
      watched.beforePut(async (n) => {
        if (n === 2) throw new StorageError('no response from the bucket');
      });
      watched.stored.length = 0;
      await makeAgain(running, name);
      await waitFor(async () => (await exportDetails(pool)).length === 1, { what: 'the end of the first attempt' });
      watched.beforePut();
      await publishRows(pool, buildRows(6 + names.indexOf(name) + 1, 0));
      await pool.query('UPDATE export_run SET retry_at = NULL');
      await waitFor(async () => (await exportDetails(pool)).length === 0, { what: name });
      expect(await fetchLines(name)).toEqual(before.get(name));
      expect(watched.stored.length).toBe((await fetchManifest(name)).files.length);
    }
  });
});
