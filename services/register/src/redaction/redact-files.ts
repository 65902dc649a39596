import { createGunzip, createGzip } from 'node:zlib';
import { digestSource } from '@procurement/kit/files/digest-source';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import type { ExclusiveTurn } from '@procurement/kit/database/session-lock';
import { toError } from '@procurement/kit/runtime/to-error';
import type { Logger } from '@procurement/kit/runtime/log';
import { readLines } from '@procurement/ocds/export';
import { redactedFileName } from '../exports/domain/export-manifest.ts';
import { redactedLine, type RedactedLines } from './domain/redacted-line.ts';
import { ArchiveManifest, archiveText, manifestKey } from '../exports/archive-objects.ts';
import {
  redactionFiles,
  type PendingRedaction,
  type RedactionFiles,
  type ReplacedFile,
  type SuspectFile,
} from './redaction-files.store.ts';
import { putText } from '../exports/archive-exports.ts';
import { storedBytes, through } from '../exports/byte-streams.ts';
import { readObject } from '../exports/read-archive.ts';
import { GZIP } from '../exports/write-export.ts';
import { removeFiles, writeZstd } from '../exports/write-zstd.ts';

/** Lines that go to the compressor at once. */
const CHUNK_BYTES = 256 * 1024;

/** Where a redaction failed, mostly because the storage does not answer, it is tried again after a minute. */
const RETRY_SECONDS = 60;

export interface FileRedactionDeps {
  readonly files: FileStorage;
  readonly log: Logger;
}

/** Redacts all files under the oldest redaction, in the turn of who makes exports. False when there is none to be done now. */
export function makeFileRedaction({ files, log }: FileRedactionDeps): (turn: ExclusiveTurn) => Promise<boolean> {
  return async (turn) => {
    const redactions = redactionFiles(turn.client);
    const redaction = await redactions.next();
    if (redaction === undefined) return false;
    const { id } = redaction;
    try {
      while (turn.isHeld() && (await redactNextFile(files, redactions, redaction)));
      const isDone = turn.isHeld() && (await redactions.finish(id));
      if (isDone) log.info({ redaction: id }, 'files redacted');
      return isDone;
    } catch (error) {
      if (!turn.isHeld()) return false;
      log.error({ err: error, redaction: id }, 'files not redacted');
      await redactions.fail(id, toError(error).message, RETRY_SECONDS);
    }
    return false;
  };
}

/**
 * Takes the next step of a redaction (register.md 11.5): a file is looked through and, if it has the member, written again under another
 * name; then its manifest in the archive is changed; then the file before it is removed. Killed anywhere, the next call goes on there. False
 * when nothing is left: then no file has the member.
 */
export async function redactNextFile(
  files: FileStorage,
  store: RedactionFiles,
  redaction: PendingRedaction,
): Promise<boolean> {
  const { id } = redaction;
  const replaced = await store.replaced(id);
  if (replaced !== undefined) {
    await changeArchive(files, replaced);
    await removeFiles(files, replaced.formerKey);
    await store.removed(id, replaced);
    return true;
  }
  const suspect = await store.suspect(id);
  if (suspect !== undefined) {
    await rewrite(files, store, redaction, suspect);
    return true;
  }
  // What a killed process has begun is written anew in any case.
  for (const key of await store.unfinished()) await removeFiles(files, key);
  return false;
}

async function rewrite(
  files: FileStorage,
  store: RedactionFiles,
  { id, ...redaction }: PendingRedaction,
  file: SuspectFile,
): Promise<void> {
  const { name, n, kind, hasZstd } = file;
  const rule: RedactedLines = { ...redaction, kind };
  if (!(await hasRedactedLine(files, file.key, rule))) return store.pass(id, file);
  const key = `${name}/redacted-${id}/${redactedFileName(name, n, id)}`;
  let rawBytes = 0;
  async function* content(): AsyncGenerator<Buffer> {
    for await (const chunk of redactedChunks(files, file.key, rule)) {
      rawBytes += chunk.length;
      yield chunk;
    }
  }
  const source = digestSource(through(content(), createGzip(GZIP)), Number.MAX_SAFE_INTEGER);
  const { bytes, sha256 } = await files.put(key, 'application/gzip', source);
  const zstd = hasZstd ? await writeZstd(files, key) : undefined;
  await store.replace(id, file, { key, bytes, rawBytes, sha256, zstd });
}

async function hasRedactedLine(files: FileStorage, key: string, rule: RedactedLines): Promise<boolean> {
  for await (const line of linesIn(files, key)) if (redactedLine(line, rule) !== undefined) return true;
  return false;
}

async function* redactedChunks(files: FileStorage, key: string, rule: RedactedLines): AsyncGenerator<Buffer> {
  let lines: string[] = [];
  let length = 0;
  for await (const line of linesIn(files, key)) {
    lines.push(`${redactedLine(line, rule) ?? line}\n`);
    length += line.length;
    if (length < CHUNK_BYTES) continue;
    yield Buffer.from(lines.join(''));
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}

async function* linesIn(files: FileStorage, key: string): AsyncGenerator<string> {
  for await (const line of readLines(through(storedBytes(files, key), createGunzip()))) if (line !== '') yield line;
}

/** An export that is not in the archive, or is gone, has no manifest there. */
async function changeArchive(files: FileStorage, { name, n, file }: ReplacedFile): Promise<void> {
  const key = manifestKey(name);
  if (file === undefined || (await files.head(key)) === undefined) return;
  const manifest = await readObject(files, key, ArchiveManifest);
  const { zstd, ...stored } = file;
  const own = { ...stored, zstdBytes: zstd?.bytes ?? null, zstdSha256: zstd?.sha256 ?? null };
  const changed = manifest.files.map((one) => (one.n === n ? { ...one, ...own } : one));
  await putText(files, key, archiveText({ ...manifest, files: changed }));
}
