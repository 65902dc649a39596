import { digestSource } from '@procurement/kit/files/digest-source';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { archiveText, indexKey, manifestKey, type ArchiveManifest } from './archive-objects.ts';
import type { ArchiveStore } from './archive.store.ts';

/**
 * Writes what the database has of an export beside its files, so that the archive is found and read without the database
 * (register.md 2.6): first the manifest, then the index that leads to it. Killed between, the next attempt writes the same.
 */
export async function archiveExport(
  files: FileStorage,
  archive: ArchiveStore,
  manifest: ArchiveManifest,
): Promise<void> {
  const { name, kind } = manifest;
  await putText(files, manifestKey(name), archiveText(manifest));
  await putText(files, indexKey(kind), archiveText({ kind, latest: name, voids: [...(await archive.voids())] }));
  await archive.finish(manifest);
}

/** Replaces an object of the archive. */
export async function putText(files: FileStorage, key: string, text: string): Promise<void> {
  async function* content(): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  }
  await files.put(key, 'application/json', digestSource(content(), Number.MAX_SAFE_INTEGER));
}
