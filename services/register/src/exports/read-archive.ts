import { createHash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { readLines } from '@procurement/ocds/export';
import type { z } from 'zod';
import {
  ArchiveIndex,
  ArchiveManifest,
  indexKey,
  manifestKey,
  type ArchiveKind,
  type ArchiveVoid,
} from './archive-objects.ts';
import { storedBytes, through } from './byte-streams.ts';

/** The archive is not as it was written: an object is missing or differs. The message is for operators. */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArchiveError';
  }
}

export interface ArchiveChain {
  /** Manifests in the order of their ends. */
  readonly manifests: readonly ArchiveManifest[];
  readonly voids: readonly ArchiveVoid[];
}

type ArchiveFile = ArchiveManifest['files'][number];

/** Larger than any manifest: one file has 250,000 lines or 500 MB. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/**
 * The exports of a kind whose name `isWanted`, from the newest back to the first that is not. Undefined when the archive has none of that
 * kind. Throws `ArchiveError` when an object that another one names is missing, so that nothing is left out unseen.
 */
export async function readChain(
  files: FileStorage,
  kind: ArchiveKind,
  isWanted: (name: string) => boolean,
): Promise<ArchiveChain | undefined> {
  if ((await files.head(indexKey(kind))) === undefined) return undefined;
  const { latest, voids } = await readObject(files, indexKey(kind), ArchiveIndex);
  const manifests = new Map<string, ArchiveManifest>();
  for (let name: string | null = latest; name !== null && isWanted(name);) {
    const manifest: ArchiveManifest = await readObject(files, manifestKey(name), ArchiveManifest);
    const isOwn = manifest.kind === kind && manifest.name === name && !manifests.has(name);
    if (!isOwn) throw new ArchiveError(`${manifestKey(name)} is of something else`);
    await checkFiles(files, manifest);
    manifests.set(name, manifest);
    name = manifest.previous;
  }
  const inOrder = [...manifests.values()].toSorted((one, other) => Number(one.to - other.to));
  return { manifests: inOrder, voids };
}

/** Checks that the files are there; their bytes are compared when they are read. */
async function checkFiles(files: FileStorage, { name, files: own }: ArchiveManifest): Promise<void> {
  for (const { key, bytes } of own) {
    const head = await files.head(key);
    if (head === undefined) throw new ArchiveError(`${key} of ${name} is missing`);
    if (head.bytes !== bytes) throw new ArchiveError(`${key} has ${head.bytes} bytes instead of ${bytes}`);
  }
}

/** Throws `ArchiveError` when it is missing, or is something else. */
export async function readObject<Shape extends z.ZodType>(
  files: FileStorage,
  key: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  const head = await files.head(key);
  if (head === undefined) throw new ArchiveError(`${key} is missing`);
  if (head.bytes > TEXT_BYTES_MAX) throw new ArchiveError(`${key} has ${head.bytes} bytes: too many`);
  const chunks: Buffer[] = [];
  for await (const chunk of storedBytes(files, key)) chunks.push(chunk);
  try {
    return shape.parse(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    throw new ArchiveError(`${key} cannot be read`);
  }
}

/**
 * The lines of a file, after its checksum was compared: nothing of a file that differs is applied. It is read twice, because it does not
 * fit into memory.
 */
export async function* archivedLines(files: FileStorage, file: ArchiveFile): AsyncGenerator<string> {
  const { key, sha256, lines } = file;
  const hash = createHash('sha256');
  for await (const chunk of storedBytes(files, key)) hash.update(chunk);
  if (hash.digest('hex') !== sha256) throw new ArchiveError(`${key} differs from its checksum`);
  let count = 0;
  for await (const line of readLines(through(storedBytes(files, key), createGunzip()))) {
    if (line === '') continue;
    count += 1;
    yield line;
  }
  if (count !== lines) throw new ArchiveError(`${key} has ${count} lines instead of ${lines}`);
}
