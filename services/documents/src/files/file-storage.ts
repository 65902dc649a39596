/** What was counted while a file passed by. */
export interface Digest {
  readonly bytes: number;
  /** Hex. */
  readonly md5: string;
  readonly sha256: string;
}

/** A file on its way in: its bytes, once, and what they came to after the last of them. */
export interface FileSource {
  readonly bytes: AsyncIterable<Buffer>;
  /** To be called after the last byte, before anything becomes readable. Throws when the file is not the one that was promised. */
  finish(): Digest;
}

export interface FileHead {
  readonly bytes: number;
}

/** Where a store is asked to give its bytes from; the process itself reads it, clients never see it. */
export type FileUrl = URL;

/**
 * Files by key. Whatever is readable under a key is whole and was accepted; a put that fails at any moment leaves nothing
 * there. Throws `StorageError` when the store itself fails, and what `bytes` and `accept` throw as it is.
 */
export interface FileStorage {
  /** Stores a file; replaces one of the same key. */
  put(key: string, type: string, source: FileSource): Promise<Digest>;
  /** An address to read from for the next minutes: `file:` or a presigned `https:`. */
  url(key: string): Promise<FileUrl>;
  /** Undefined: there is no such file. */
  head(key: string): Promise<FileHead | undefined>;
  /** Of a file that nothing refers to. Without effect when there is none. */
  remove(key: string): Promise<void>;
  /** Removes what puts that never ended have left behind. */
  removeAbandoned(): Promise<void>;
}

/** The store is away, full, or did not keep what it was given. */
export class StorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StorageError';
  }
}

const FILE_ID = /^[0-9a-f]{32}$/;

/** The key of a file, made of our own id only: nothing that a client sends is ever part of one (http.md 2.9). */
export function keyOf(fileId: string): string {
  if (!FILE_ID.test(fileId)) throw new Error('not the id of a file');
  return `files/${fileId.slice(0, 2)}/${fileId}`;
}
