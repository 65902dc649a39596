import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { isNotFound } from './folder-storage.ts';
import { MissingFileError, StorageError, type FileUrl } from './file-storage.ts';

/** First and last byte, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface ReadOptions {
  readonly range?: ByteRange | undefined;
  /** Ends a read from a bucket, also while its bytes come. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the bytes at an address that a storage returned. Throws `MissingFileError` when there is no file, and `StorageError` when it
 * cannot be opened; a later failure is an error of the stream.
 */
export async function readUrl(url: FileUrl, options: ReadOptions = {}): Promise<Readable> {
  return url.protocol === 'file:' ? readFromFolder(url, options) : readFromBucket(url, options);
}

async function readFromFolder(url: FileUrl, { range }: ReadOptions): Promise<Readable> {
  try {
    // Opened before the response starts: a missing file must not be answered with 200.
    const file = await open(fileURLToPath(url), 'r');
    return createReadStream('', { fd: file, ...(range === undefined ? {} : { start: range.from, end: range.to }) });
  } catch (error) {
    throw isNotFound(error) ? new MissingFileError(error) : new StorageError('cannot read the file folder', error);
  }
}

async function readFromBucket(url: FileUrl, { range, signal }: ReadOptions): Promise<Readable> {
  const headers = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` };
  let response: Response;
  try {
    response = await fetch(url, { headers, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    throw new StorageError('no response from the bucket', error);
  }
  if (response.ok && response.body !== null) return Readable.fromWeb(response.body);
  await response.body?.cancel();
  throw response.status === 404 ? new MissingFileError() : new StorageError(`the bucket responded ${response.status}`);
}
