import { buffer } from 'node:stream/consumers';
import { digestSource } from '@procurement/kit/files/digest-source';
import { MissingFileError, StorageError, type FileStorage } from '@procurement/kit/files/file-storage';
import { readUrl } from '@procurement/kit/files/read-file-url';
import { tilePath, type Tile } from '@procurement/proof/tiles';

/** Everything is below it, so that the store can be read by the paths of `/log`. */
const PREFIX = 'log/';
/** More than a full bundle of the longest entries. */
const BYTES_MAX = 2 * 1024 * 1024;
/** A read takes milliseconds. One that takes longer than this fails, and is tried again. */
const READ_MS_MAX = 20_000;

const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

/** The store of the log (proof.md 3.2): full tiles and bundles, the entries of the open bundle, and the newest checkpoint. */
export interface LogFiles {
  prepare(): Promise<void>;
  /** The bytes at a path as after `/log/`; undefined when there are none. Throws `StorageError` when the store does not answer. */
  read(path: string): Promise<Buffer | undefined>;
  /** A full tile or bundle. Throws when it is not there. */
  readTile(tile: Tile): Promise<Buffer>;
  has(path: string): Promise<boolean>;
  write(path: string, bytes: Buffer | string): Promise<void>;
}

export function makeLogFiles(storage: FileStorage): LogFiles {
  async function read(path: string): Promise<Buffer | undefined> {
    const signal = AbortSignal.timeout(READ_MS_MAX);
    try {
      return await buffer(await readUrl(await storage.url(`${PREFIX}${path}`), { signal }));
    } catch (error) {
      if (error instanceof MissingFileError) return undefined;
      throw error instanceof StorageError ? error : new StorageError('the store of the log sends no bytes', error);
    }
  }

  return {
    prepare: async () => storage.prepare(),
    read,
    async readTile(tile) {
      const path = tilePath(tile);
      const bytes = await read(path);
      if (bytes === undefined) throw new MissingTileError(path);
      return bytes;
    },
    has: async (path) => (await storage.head(`${PREFIX}${path}`)) !== undefined,
    async write(path, content) {
      const bytes = Buffer.from(content);
      const type = typeof content === 'string' ? TEXT : BYTES;
      await storage.put(`${PREFIX}${path}`, type, digestSource(inOnePiece(bytes), BYTES_MAX), { replaces: true });
    },
  };
}

/** The store has lost a tile that it must have. */
export class MissingTileError extends Error {
  constructor(path: string) {
    super(`the store of the log has no ${path}`);
    this.name = 'MissingTileError';
  }
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
