import type { Transform } from 'node:stream';
import zlib, { createGunzip } from 'node:zlib';
import { digestSource } from '@procurement/kit/files/digest-source';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { zstdNameOf, type ZstdFile } from './domain/export-manifest.ts';
import { storedBytes, through } from './byte-streams.ts';

/** Safe cast: Node 22.15 and later have it; the types of Node 20 do not. */
const { createZstdCompress } = zlib as { readonly createZstdCompress?: () => Transform };

/** Whether this runtime can compress with Zstandard. */
export const isZstdAvailable = createZstdCompress !== undefined;

/**
 * Stores the lines of a finished file beside it in Zstandard, in constant memory: what was stored is read again. Undefined where the runtime
 * cannot.
 */
export async function writeZstd(files: FileStorage, key: string): Promise<ZstdFile | undefined> {
  if (createZstdCompress === undefined) return undefined;
  const compressed = through(through(storedBytes(files, key), createGunzip()), createZstdCompress());
  const source = digestSource(compressed, Number.MAX_SAFE_INTEGER);
  const { bytes, sha256 } = await files.put(zstdNameOf(key), 'application/zstd', source);
  return { bytes, sha256 };
}

/** Removes a file and what may be beside it. */
export async function removeFiles(files: FileStorage, key: string): Promise<void> {
  await files.remove(key);
  await files.remove(zstdNameOf(key));
}
