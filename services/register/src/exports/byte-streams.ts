import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { readUrl } from '@procurement/kit/files/read-file-url';

/** The bytes of a stored file. It is opened when the first of them is asked for. */
export async function* storedBytes(files: FileStorage, key: string): AsyncGenerator<Buffer> {
  // Safe cast: no encoding is set, so the chunks are buffers.
  yield* (await readUrl(await files.url(key))) as AsyncIterable<Buffer>;
}

/** What a stream of `node:zlib` makes of `source`, in constant memory. */
export async function* through(source: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const feeding = pipeline(Readable.from(source, { highWaterMark: 1 }), transform);
  // A failure of the source also ends the iteration below.
  feeding.catch(() => undefined);
  yield* transform;
  await feeding;
}
