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
 * The bytes at an address that a store gave, as they are asked for. Throws `StorageError` when there are none; what breaks
 * later breaks the stream.
 */
export async function readUrl(url: FileUrl, range?: ByteRange): Promise<Readable> {
  return url.protocol === 'file:' ? readFromFolder(url, range) : readFromBucket(url, range);
}

async function readFromFolder(url: FileUrl, range?: ByteRange): Promise<Readable> {
  try {
    // Opened before anything is answered: a file that is not there must not begin as a 200.
    const file = await open(fileURLToPath(url), 'r');
    return createReadStream('', { fd: file, ...(range === undefined ? {} : { start: range.from, end: range.to }) });
  } catch (error) {
    throw new StorageError('the folder of files does not have a file', error);
  }
}

async function readFromBucket(url: FileUrl, range?: ByteRange): Promise<Readable> {
  const headers = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` };
  let answer: Response;
  try {
    answer = await fetch(url, { headers });
  } catch (error) {
    throw new StorageError('the bucket does not answer', error);
  }
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    throw new StorageError(`the bucket answers ${answer.status}`);
  }
  return Readable.fromWeb(answer.body);
}
