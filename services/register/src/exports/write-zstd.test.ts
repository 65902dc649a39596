import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import zlib, { gzipSync } from 'node:zlib';
import { digestSource } from '@procurement/kit/files/digest-source';
import { folderStorage } from '@procurement/kit/files/folder-storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isZstdAvailable, removeFiles, writeZstd } from './write-zstd.ts';

const KEY = 'tenders-2026-03-29/a/tenders-2026-03-29-0001.jsonl.gz';
const ZSTD_KEY = 'tenders-2026-03-29/a/tenders-2026-03-29-0001.jsonl.zst';
const LINES = '{"id":"1"}\n'.repeat(10_000);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'procurement-zstd-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function stored() {
  const files = folderStorage(folder);
  const bytes = gzipSync(LINES);
  async function* content(): AsyncGenerator<Buffer> {
    yield bytes;
  }
  await files.put(KEY, 'application/gzip', digestSource(content(), bytes.length));
  return files;
}

// Node 20 has no Zstandard: the gate runs this on Node 24 too.
describe.skipIf(!isZstdAvailable)('writeZstd', () => {
  it('stores the same lines beside the file, with its size and checksum', async () => {
    const files = await stored();
    const written = await writeZstd(files, KEY);
    const bytes = readFileSync(await files.url(ZSTD_KEY));
    expect(written).toEqual({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
    // Safe cast: a runtime that compresses can read it too.
    const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync: (bytes: Buffer) => Buffer };
    expect(zstdDecompressSync(bytes).toString()).toBe(LINES);
    await removeFiles(files, KEY);
    expect(await Promise.all([KEY, ZSTD_KEY].map(async (key) => files.head(key)))).toEqual([undefined, undefined]);
  });
});

describe.skipIf(isZstdAvailable)('writeZstd on a runtime without Zstandard', () => {
  it('stores nothing', async () => {
    const files = await stored();
    expect(await writeZstd(files, KEY)).toBeUndefined();
    expect(await files.head(ZSTD_KEY)).toBeUndefined();
  });
});
