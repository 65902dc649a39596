import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unixSeconds } from '../runtime/clock.ts';
import { StorageError, type FileStorage } from './file-storage.ts';

// A name begins with a letter or a digit, so no key leaves the folder. `tmp` has files that are not complete.
const KEY = /^(?!tmp\/)[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)+$/;

/** Longer than any upload: an older temporary file belongs to a process that has ended. */
const ABANDONED_AFTER_MS = 2 * 60 * 60 * 1_000;

/**
 * Files in a folder: written under a temporary name on the same file system, synced, renamed, and the folder synced, so that a
 * crash at any moment leaves a complete file or none (platform.md 4.3).
 */
export function folderStorage(folder: string): FileStorage {
  const root = resolve(folder);
  const temporaryFolder = join(root, 'tmp');

  function pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error('invalid storage key');
    return join(root, key);
  }

  return {
    async put(key, _type, source) {
      const target = pathOf(key);
      const temporaryPath = join(temporaryFolder, randomUUID());
      let file: FileHandle | undefined;
      try {
        await asStorageError(async () => {
          await mkdir(temporaryFolder, { recursive: true });
          await mkdir(dirname(target), { recursive: true });
        });
        const opened = await asStorageError(async () => open(temporaryPath, 'wx', 0o640));
        file = opened;
        for await (const chunk of source.bytes) await asStorageError(async () => writeWhole(opened, chunk));
        const digest = source.finish();
        await asStorageError(async () => {
          await opened.sync();
          const { size } = await opened.stat();
          if (size !== digest.bytes) throw new Error(`${size} bytes on disk, ${digest.bytes} arrived`);
          await opened.close();
          file = undefined;
          await rename(temporaryPath, target);
          await syncFolder(dirname(target));
        });
        return digest;
      } catch (error) {
        // The first error is reported; remains that cannot be removed are left to `removeAbandoned`.
        await file?.close().catch(() => undefined);
        await rm(temporaryPath, { force: true }).catch(() => undefined);
        throw error;
      }
    },

    url: async (key) => pathToFileURL(pathOf(key)),

    async head(key) {
      try {
        return { bytes: (await stat(pathOf(key))).size };
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw new StorageError('cannot read the file folder', error);
      }
    },

    async remove(key) {
      const path = pathOf(key);
      await asStorageError(async () => rm(path, { force: true }));
    },

    // Folders are made with the first file in them.
    prepare: async () => undefined,

    async removeAbandoned() {
      const names = await readdir(temporaryFolder).catch(() => []);
      for (const name of names) {
        const path = join(temporaryFolder, name);
        const found = await stat(path).catch(() => undefined);
        if (found === undefined || unixSeconds() * 1_000 - found.mtimeMs < ABANDONED_AFTER_MS) continue;
        await rm(path, { force: true });
      }
    },
  };
}

/** A write may take fewer bytes than it was given. */
async function writeWhole(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
}

/** Syncs the folder, which holds the directory entry of a renamed file. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function asStorageError<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new StorageError('cannot write to the file folder', error);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
