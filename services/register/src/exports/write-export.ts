import { createGzip } from 'node:zlib';
import { digestSource } from '@procurement/kit/files/digest-source';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type pg from 'pg';
import { exportFileName } from './domain/export-manifest.ts';
import { exportPages, PAGE_LINES_MAX } from './export-pages.ts';
import type { ExportPage, ExportPages } from './export-walk.ts';
import { through } from './byte-streams.ts';
import { removeFiles, writeZstd } from './write-zstd.ts';
import { isOcdsKind } from './domain/export-schedule.ts';
import { ocdsExportPages } from './ocds-export-pages.ts';
import type { OcdsStore } from '../ocds/ocds.store.ts';
import type { ExportRuns, OpenExport } from './export-runs.store.ts';
import type { HistoryStore } from '../revisions/history.store.ts';

export interface WriteExportDeps {
  readonly pool: pg.Pool;
  readonly history: HistoryStore;
  readonly ocds: OcdsStore;
  readonly publicBaseUrl: string;
  readonly files: FileStorage;
  readonly ids: IdGenerator;
  /** Whether files are also made in Zstandard, where the runtime can. */
  readonly isZstdOn: boolean;
  /** Smaller in tests. */
  readonly fileLinesMax?: number;
}

/** Limits of one file (register.md 8.2). The bytes are those of the lines: more than the file has. */
export const FILE_LINES_MAX = 250_000;
const FILE_RAW_BYTES_MAX = 500 * 1024 * 1024;
export const GZIP = { level: 6, chunkSize: 256 * 1024 } as const;

/**
 * Makes the files of an export that are missing, in constant memory: the database is read only as fast as the storage takes the
 * bytes. Ends early when `isHeld` is false. Throws when the storage or the database fails; the next attempt goes on after the last
 * finished file.
 */
export async function writeExport(
  deps: WriteExportDeps,
  runs: ExportRuns,
  run: OpenExport,
  isHeld: () => boolean,
): Promise<void> {
  await deps.files.prepare();
  const abandoned = await runs.abandoned(run.name);
  for (const key of abandoned.keys) await removeFiles(deps.files, key);
  const last = await runs.begin(run.name, abandoned);
  const pages = makePages(deps, run, last?.walkedTo);
  for (let n = (last?.n ?? 0) + 1; isHeld(); n += 1) {
    const page = await pages.next();
    if (page === undefined) break;
    await writeFile(deps, runs, { name: run.name, n, isHeld }, page, pages);
  }
  if (!isHeld()) return;
  if (!(await runs.finish(run.name))) throw new Error('the source was restored meanwhile');
}

interface FilePlace {
  readonly name: string;
  readonly n: number;
  readonly isHeld: () => boolean;
}

function makePages(deps: WriteExportDeps, run: OpenExport, walkedTo: bigint | undefined): ExportPages {
  const { kind, seqs, from = 0n, to, withTests } = run;
  const { pool, history, ocds, publicBaseUrl } = deps;
  if (!isOcdsKind(kind)) return exportPages(pool, history, { kind, after: walkedTo ?? from, to, withTests });
  return ocdsExportPages(pool, ocds, { kind, after: walkedTo ?? seqs.from, upTo: seqs.to, publicBaseUrl });
}

async function writeFile(
  deps: WriteExportDeps,
  runs: ExportRuns,
  { name, n, isHeld }: FilePlace,
  head: ExportPage,
  pages: ExportPages,
): Promise<void> {
  // A part of its own for each attempt: an attempt that has lost the lock may still write its file.
  const key = `${name}/${deps.ids.next()}/${exportFileName(name, n)}`;
  await runs.addFile(name, n, key);
  let page = head;
  let [lines, rawBytes] = [0, 0];
  const fileLinesMax = deps.fileLinesMax ?? FILE_LINES_MAX;
  async function* content(): AsyncGenerator<Buffer> {
    for (
      let next: ExportPage | undefined = head;
      next !== undefined;
      next = isFull() ? undefined : await pages.next()
    ) {
      if (!isHeld()) throw new Error('the lock of exports was lost');
      page = next;
      lines += page.lines;
      rawBytes += page.bytes.length;
      yield page.bytes;
    }
  }
  const isFull = (): boolean => lines + PAGE_LINES_MAX > fileLinesMax || rawBytes > FILE_RAW_BYTES_MAX;
  const source = digestSource(through(content(), createGzip(GZIP)), Number.MAX_SAFE_INTEGER);
  const { bytes, sha256 } = await deps.files.put(key, 'application/gzip', source);
  const zstd = deps.isZstdOn ? await writeZstd(deps.files, key) : undefined;
  const { first } = head;
  const { last, walkedTo } = page;
  await runs.finishFile(name, { n, key, lines, bytes, rawBytes, sha256, first, last, walkedTo, zstd });
}
