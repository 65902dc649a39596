import { hashesOfRanges, hashOfTile, tilePath, TILE_WIDTH, type Tile } from '@procurement/proof/tiles';
import type { Range } from '@procurement/proof/tree';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { leafHashes } from './leaf.store.ts';
import { findUpload } from './upload.store.ts';

type Db = pg.Pool | pg.PoolClient;

/** Reads a full tile of hashes from the store. */
export type ReadFullTile = (tile: Tile) => Promise<Buffer>;

/** Hashes of the tree, from leaves of the database, and from full tiles that are in the store or wait for it. */
export interface Nodes {
  /** A tile of hashes, of any width that the log has. */
  tile(db: Db, tile: Tile): Promise<Buffer>;
  /** The same of a published log: all who ask while it is computed share the work. */
  shared(pool: pg.Pool, tile: Tile): Promise<Buffer>;
  /** The hashes of these ranges of leaves, in a log of this size. */
  ofRanges(db: Db, ranges: readonly Range[], size: number): Promise<readonly Buffer[]>;
  /** Forgets what was computed from leaves whose transaction may not have been committed. */
  forget(): void;
}

/** Hashes above full tiles, of 16.7 million leaves. */
const CACHED_MAX = 65_536;

export function makeNodes(readFullTile: ReadFullTile): Nodes {
  const cached = new LRUCache<string, Buffer>({ max: CACHED_MAX });
  const running = new Map<string, Promise<Buffer>>();

  async function tile(db: Db, { level, index, width }: Tile): Promise<Buffer> {
    if (level === 'entries') throw new Error('a bundle has no hashes');
    const from = index * TILE_WIDTH;
    if (level === 0) return Buffer.concat(await leafHashes(db, from, from + width));
    if (level === 1) await cacheLowest(db, from, from + width);
    const hashes: Buffer[] = [];
    for (let at = from; at < from + width; at += 1) hashes.push(await above(db, level - 1, at));
    return Buffer.concat(hashes);
  }

  /** The hash above a full tile. The newest may have become full in this transaction, so that the store does not have it. */
  async function above(db: Db, level: number, index: number): Promise<Buffer> {
    const key = `${level}/${index}`;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const full: Tile = { level, index, width: TILE_WIDTH };
    const hash = hashOfTile(level === 0 ? await tile(db, full) : await fullTile(db, full));
    cached.set(key, hash);
    return hash;
  }

  async function fullTile(db: Db, full: Tile): Promise<Buffer> {
    return (await findUpload(db, tilePath(full))) ?? readFullTile(full);
  }

  /** One statement for all tiles of leaves that are not known, instead of one for each. */
  async function cacheLowest(db: Db, from: number, to: number): Promise<void> {
    let first = from;
    while (first < to && cached.has(`0/${first}`)) first += 1;
    if (first === to) return;
    const hashes = await leafHashes(db, first * TILE_WIDTH, to * TILE_WIDTH);
    for (let at = first; at < to; at += 1) {
      const own = hashes.slice((at - first) * TILE_WIDTH, (at - first + 1) * TILE_WIDTH);
      cached.set(`0/${at}`, hashOfTile(Buffer.concat(own)));
    }
  }

  async function shared(pool: pg.Pool, wanted: Tile): Promise<Buffer> {
    const path = tilePath(wanted);
    const known = running.get(path);
    if (known !== undefined) return known;
    const made = tile(pool, wanted).finally(() => running.delete(path));
    running.set(path, made);
    return made;
  }

  return {
    tile,
    shared,
    forget: () => cached.clear(),
    ofRanges: async (db, ranges, size) =>
      hashesOfRanges(ranges, size, async (tiles) => {
        const read: Buffer[] = [];
        // One after the other: the statements may be of one connection.
        for (const needed of tiles) read.push(await tile(db, needed));
        return read;
      }),
  };
}
