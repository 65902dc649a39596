import { HASH_BYTES } from '@procurement/proof/hash';
import { packEntries, unpackEntries, parseTilePath, TILE_WIDTH, tileWidth, type Tile } from '@procurement/proof/tiles';
import { leafTexts } from '../store/leaf.store.ts';
import { notFound, publishedSize, type LogAnswer, type ReadDeps } from './log-answer.ts';

const CACHE = 'public, max-age=31536000, immutable';

/** Answers a tile or bundle, full or partial. Partial ones are not stored: there would be some for each checkpoint. */
export async function getTile(deps: ReadDeps, path: string): Promise<LogAnswer> {
  const tile = parseTilePath(path);
  if (tile === undefined) throw notFound('path');
  const available = tileWidth(tile.level, tile.index, await publishedSize(deps.pool));
  if (tile.width > available) throw notFound('path');
  return { body: await readTile(deps, tile, available), type: 'application/octet-stream', cache: CACHE };
}

/** `available`: the width that the published log has. */
async function readTile({ pool, nodes, files }: ReadDeps, tile: Tile, available: number): Promise<Buffer> {
  if (tile.level !== 'entries') {
    const widest = { ...tile, width: available };
    const hashes = available === TILE_WIDTH ? await files.readTile(widest) : await nodes.shared(pool, widest);
    return hashes.subarray(0, tile.width * HASH_BYTES);
  }
  const from = tile.index * TILE_WIDTH;
  const open = available === TILE_WIDTH ? undefined : await leafTexts(pool, from, from + tile.width);
  if (open !== undefined) return packEntries(open);
  const bundle = await files.readTile({ ...tile, width: TILE_WIDTH });
  return tile.width === TILE_WIDTH ? bundle : packEntries((unpackEntries(bundle) ?? []).slice(0, tile.width));
}
