import { bundleOf, entriesOf, parseTilePath, TILE_WIDTH, tileWidth, type Tile } from '@procurement/proof/tiles';
import { leafTexts } from '../store/leaf.store.ts';
import { notFound, publishedSize, type LogAnswer, type ReadDeps } from './log-answer.ts';

const CACHE = 'public, max-age=31536000, immutable';

/** A tile or bundle, whole or the beginning of one. Partial ones are not stored: they would be as many as checkpoints. */
export async function getTile(deps: ReadDeps, path: string): Promise<LogAnswer> {
  const tile = parseTilePath(path);
  if (tile === undefined) throw notFound('path');
  const available = tileWidth(tile.level, tile.index, await publishedSize(deps.pool));
  if (tile.width > available) throw notFound('path');
  return { body: await bytesOf(deps, tile), type: 'application/octet-stream', cache: CACHE };
}

async function bytesOf({ pool, nodes, files }: ReadDeps, tile: Tile): Promise<Buffer> {
  if (tile.width === TILE_WIDTH) return files.readTile(tile);
  if (tile.level !== 'entries') return nodes.tile(pool, tile);
  const from = tile.index * TILE_WIDTH;
  const open = await leafTexts(pool, from, from + tile.width);
  if (open !== undefined) return bundleOf(open);
  const entries = entriesOf(await files.readTile({ ...tile, width: TILE_WIDTH })) ?? [];
  return bundleOf(entries.slice(0, tile.width));
}
