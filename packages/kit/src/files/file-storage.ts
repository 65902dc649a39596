/** Size and hashes of a file, computed while it is streamed. */
export interface Digest {
  readonly bytes: number;
  /** Hex. */
  readonly md5: string;
  readonly sha256: string;
}

/** An incoming file: its bytes, which can be read once, and their digest. */
export interface FileSource {
  readonly bytes: AsyncIterable<Buffer>;
  /** Must be called after the last byte and before the file becomes readable. Throws when it is not the expected file. */
  finish(): Digest;
}

export interface FileHead {
  readonly bytes: number;
}

/** Address from which this process reads the bytes of a file; clients never see it. */
export type FileUrl = URL;

export interface PutOptions {
  /** The key is written again and again: a `put` that fails must not remove the file that was there. */
  readonly replaces?: boolean;
}

/**
 * Files by key: names of `a-z`, `0-9`, `-`, `_` and `.`, joined by slashes. A readable file is complete and accepted; a `put` that fails at
 * any moment leaves nothing readable, or with `replaces` what was there before or the new file. Throws `StorageError` when the storage
 * fails, and passes on the errors of the source unchanged (decision 0039).
 */
export interface FileStorage {
  /** Makes what has to exist before the first file: the bucket. No effect when it exists. */
  prepare(): Promise<void>;
  /** Stores a file; replaces a file with the same key. */
  put(key: string, type: string, source: FileSource, options?: PutOptions): Promise<Digest>;
  /** An address to read from, valid for some minutes: `file:` or a presigned `http(s):`. */
  url(key: string): Promise<FileUrl>;
  /** Undefined when there is no such file. */
  head(key: string): Promise<FileHead | undefined>;
  /** Removes a file. No effect when there is none. */
  remove(key: string): Promise<void>;
  /** Removes the remains of puts that never ended. */
  removeAbandoned(): Promise<void>;
}

/** The storage does not respond, is full, or did not store the bytes that it was given. */
export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StorageError';
  }
}

/** There is no such file. */
export class MissingFileError extends StorageError {
  constructor(cause?: unknown) {
    super('file missing in the storage', cause);
    this.name = 'MissingFileError';
  }
}
