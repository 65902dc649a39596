import { hashesOfTile, hashOfTile, tilePath, tilesOf, TILE_WIDTH } from '@procurement/proof/tiles';
import { append, EMPTY_EDGE, leafHash, rootOf } from '@procurement/proof/tree';
import { readEntry, type LogReader } from './log-reader.ts';
import type { LogRules } from './log-rules.ts';
import { FindingError } from './report.ts';

/** Bundles that are asked for at once: enough that distance does not count, not so many that a server refuses. */
const AT_ONCE = 8;

/** Reads every entry and every tile of the log. Entries are judged; tiles must have their hashes, which must give the root. */
export async function readWholeLog(reader: LogReader, rules: LogRules): Promise<void> {
  const { size, root } = reader.checkpoint;
  const bundles = Math.ceil(size / TILE_WIDTH);
  const above: Buffer[] = [];
  let edge = EMPTY_EDGE;
  for (let from = 0; from < bundles; from += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, bundles - from) }, (_, at) => from + at);
    for (const entries of await Promise.all(indexes.map(async (index) => reader.bundle(index)))) {
      const leaves = entries.map((entry) => leafHash(entry));
      for (const [at, bytes] of entries.entries()) rules.accept(edge.size + at, readEntry(edge.size + at, bytes));
      if (leaves.length === TILE_WIDTH) above.push(hashOfTile(Buffer.concat(leaves)));
      await compareTile(reader, 0, Math.floor(edge.size / TILE_WIDTH), leaves);
      edge = append(edge, leaves);
    }
  }
  if (!rootOf(edge).equals(root))
    throw new FindingError('root', `all ${size} entries`, root.toString('base64'), rootOf(edge).toString('base64'));
  await compareAbove(reader, above);
}

/** Compares the tiles above the leaves: each hash in them is that of a full tile below. */
async function compareAbove(reader: LogReader, above: readonly Buffer[]): Promise<void> {
  let row = above;
  for (let level = 1; row.length > 0; level += 1) {
    const next: Buffer[] = [];
    for (let index = 0; index * TILE_WIDTH < row.length; index += 1) {
      const hashes = row.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH);
      await compareTile(reader, level, index, hashes);
      if (hashes.length === TILE_WIDTH) next.push(hashOfTile(Buffer.concat(hashes)));
    }
    row = next;
  }
}

async function compareTile(reader: LogReader, level: number, index: number, hashes: readonly Buffer[]): Promise<void> {
  const tile = { level, index, width: hashes.length };
  const bytes = await reader.tile(tile);
  if (!Buffer.concat(hashes).equals(bytes)) {
    const at = hashesOfTile(bytes).findIndex((hash, place) => !hash.equals(hashes[place] ?? hash));
    throw new FindingError('root', tilePath(tile), 'hashes of the entries below', `hash ${at} is another one`);
  }
}

/** Counts the tiles of hashes of a log. */
export function countTiles(size: number): number {
  let count = 0;
  for (const _ of tilesOf(size)) count += 1;
  return count;
}
