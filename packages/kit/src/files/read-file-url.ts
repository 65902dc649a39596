import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { StorageError, type FileUrl } from './file-storage.ts';

/** First and last byte, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Opens the bytes at an address that a storage returned. Throws `StorageError` when they cannot be opened; a later failure is an
 * error of the stream.
 */
export async function readUrl(url: FileUrl, range?: ByteRange): Promise<Readable> {
  return url.protocol === 'file:' ? readFromFolder(url, range) : readFromBucket(url, range);
}

async function readFromFolder(url: FileUrl, range?: ByteRange): Promise<Readable> {
  try {
    // Opened before the response starts: a missing file must not be answered with 200.
    const file = await open(fileURLToPath(url), 'r');
    return createReadStream('', { fd: file, ...(range === undefined ? {} : { start: range.from, end: range.to }) });
  } catch (error) {
    throw new StorageError('file missing in the file folder', error);
  }
}

async function readFromBucket(url: FileUrl, range?: ByteRange): Promise<Readable> {
  const headers = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` };
  let response: Response;
  try {
    response = await fetch(url, { headers });
  } catch (error) {
    throw new StorageError('no response from the bucket', error);
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new StorageError(`the bucket responded ${response.status}`);
  }
  return Readable.fromWeb(response.body);
}
