import { hashesOfTile, hashOfTile, tilePath, TILE_WIDTH, type Tile } from '@procurement/proof/tiles';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { MissingTileError } from '../files/log-files.ts';
import { makeNodes } from './nodes.ts';

/** A tile whose hashes are all the same. */
function buildTile(byte: number): Buffer {
  return Buffer.alloc(TILE_WIDTH * 32, byte);
}

/** Safe cast: nodes use nothing else of a pool. */
function fakePool(query: (given: unknown, values: readonly string[]) => object[]): pg.Pool {
  return { query: async (given: unknown, values: readonly string[]) => ({ rows: query(given, values) }) } as never;
}

async function noTile(tile: Tile): Promise<Buffer> {
  throw new MissingTileError(tilePath(tile));
}

describe('nodes', () => {
  const lowest: Tile = { level: 1, index: 0, width: 1 };

  it('gives the tile of 16,777,216 leaves while the last tile below it waits for the store', async () => {
    const last = tilePath({ level: 1, index: TILE_WIDTH - 1, width: TILE_WIDTH });
    const pool = fakePool((_query, [path]) => (path === last ? [{ bytes: buildTile(TILE_WIDTH - 1) }] : []));
    const nodes = makeNodes(async (tile) => (tilePath(tile) === last ? noTile(tile) : buildTile(tile.index)));
    const tile = await nodes.tile(pool, { level: 2, index: 0, width: TILE_WIDTH });
    const hashes = Array.from({ length: TILE_WIDTH }, (_, at) => hashOfTile(buildTile(at)));
    expect(tile.equals(Buffer.concat(hashes))).toBe(true);
  });

  it('share one computation among all who ask at one time', async () => {
    let queries = 0;
    const pool = fakePool(() => {
      queries += 1;
      return hashesOfTile(buildTile(1)).map((hash) => ({ hash }));
    });
    const nodes = makeNodes(noTile);
    const [one, other] = await Promise.all([nodes.shared(pool, lowest), nodes.shared(pool, lowest)]);
    expect([queries, one.equals(hashOfTile(buildTile(1))), other.equals(one)]).toEqual([1, true, true]);
  });

  it('forget hashes of leaves that were not committed', async () => {
    let byte = 1;
    const pool = fakePool(() => hashesOfTile(buildTile(byte)).map((hash) => ({ hash })));
    const nodes = makeNodes(noTile);
    await nodes.tile(pool, lowest);
    byte = 2;
    nodes.forget();
    expect((await nodes.tile(pool, lowest)).equals(hashOfTile(buildTile(2)))).toBe(true);
  });
});
