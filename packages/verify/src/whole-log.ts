import { hashesOfTile, tilePath, tilesOf, TILE_WIDTH } from '@procurement/proof/tiles';
import { append, EMPTY_EDGE, leafHash, rootOf, rootOfLeaves } from '@procurement/proof/tree';
import { readAhead, readEntry, type LogReader } from './log-reader.ts';
import type { LogRules } from './log-rules.ts';
import { FindingError } from './report.ts';

/** Reads every entry and every tile of the log. Judges the entries, and checks that the tiles have their hashes and lead to the root. */
export async function readWholeLog(reader: LogReader, rules: LogRules): Promise<void> {
  const { size, root } = reader.checkpoint;
  const full: Buffer[] = [];
  let open: readonly Buffer[] = [];
  const indexes = Array.from({ length: Math.ceil(size / TILE_WIDTH) }, (_, index) => index);
  for await (const { first, entries, leaves } of readAhead(indexes, async (index) => readLeaves(reader, index))) {
    for (const [at, bytes] of entries.entries()) rules.accept(first + at, readEntry(first + at, bytes));
    if (leaves.length === TILE_WIDTH) full.push(rootOfLeaves(leaves));
    else open = leaves;
  }
  // The hashes of full tiles are roots of subtrees of one size: their edge, and then that of the open tile, are the edge of the tree.
  const hashes = [full, open].flatMap((row) => append(EMPTY_EDGE, row).hashes);
  const found = rootOf({ size, hashes });
  if (!found.equals(root))
    throw new FindingError('root', `all ${size} entries`, root.toString('base64'), found.toString('base64'));
  await compareAbove(reader, full);
}

interface Leaves {
  /** Index of the first entry. */
  readonly first: number;
  readonly entries: readonly Buffer[];
  readonly leaves: readonly Buffer[];
}

/** Reads a bundle, and compares the hashes of its entries with their tile. */
async function readLeaves(reader: LogReader, index: number): Promise<Leaves> {
  const entries = await reader.bundle(index);
  const leaves = entries.map((entry) => leafHash(entry));
  await compareTile(reader, 0, index, leaves);
  return { first: index * TILE_WIDTH, entries, leaves };
}

/** Checks the tiles above the leaves: each hash in them must be that of a full tile below. */
async function compareAbove(reader: LogReader, above: readonly Buffer[]): Promise<void> {
  let row = above;
  for (let level = 1; row.length > 0; level += 1) {
    const next: Buffer[] = [];
    for (let index = 0; index * TILE_WIDTH < row.length; index += 1) {
      const hashes = row.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH);
      await compareTile(reader, level, index, hashes);
      if (hashes.length === TILE_WIDTH) next.push(rootOfLeaves(hashes));
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
