import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A file with a known checksum. */
interface CheckedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Source {
  open(fromByte: number): Promise<ReadableStream<Uint8Array>>;
  progress(bytes: number): void;
}

/** Brings a file into a folder, by way of a `.part` file that the next attempt completes. Answers its path. */
export async function downloadTo(folder: string, file: CheckedFile, source: Source): Promise<string> {
  mkdirSync(folder, { recursive: true });
  // The name comes from the installation: it must not leave the folder.
  const path = join(folder, basename(file.name));
  if (existsSync(path)) return path;
  const part = `${path}.part`;
  await append(part, file, source);
  if ((await hashFile(part)) !== file.sha256) {
    rmSync(part);
    throw new Error(`${file.name} has another SHA-256 than its manifest; begin again`);
  }
  renameSync(part, path);
  return path;
}

async function append(part: string, { bytes }: CheckedFile, source: Source): Promise<void> {
  let at = existsSync(part) ? statSync(part).size : 0;
  if (at >= bytes) return;
  const target = await open(part, 'a');
  try {
    for await (const chunk of await source.open(at)) {
      await target.appendFile(chunk);
      source.progress((at += chunk.byteLength));
    }
  } finally {
    await target.close();
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  // Without an encoding a chunk is a buffer.
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
