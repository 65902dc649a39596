import { HASH_BYTES } from './hash.ts';
import { joinedHash, rootOfLeaves, type Range } from './tree.ts';

// Tiles of C2SP tlog-tiles. A tile of hashes has the hashes of one level of the tree, and eight levels lie between two levels of tiles.

/** Number of hashes of a full tile, and of entries of a full bundle. */
export const TILE_WIDTH = 256;
const LEVELS_A_TILE = 8;
const LEVEL_MAX = 63;

/** A tile of hashes, or a bundle of entries, whose level is `entries`. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** Count of hashes or entries, from 1 to 256; 256 is a full tile. */
  readonly width: number;
}

/** Writes the path of a tile, as it follows `/log/`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `tile/${level}/${groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')}${partial}`;
}

const TILE_PATH = /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** Reads the path of a tile. Returns undefined for any other spelling than that of `tilePath`, and for a tile that no log can have. */
export function parseTilePath(path: string): Tile | undefined {
  const [, level = '', groups = '', width = String(TILE_WIDTH)] = TILE_PATH.exec(path) ?? [];
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: Number(width),
  };
  if (level === '' || tile.width > TILE_WIDTH || !Number.isSafeInteger(tile.index)) return undefined;
  if (tile.level !== 'entries' && tile.level > LEVEL_MAX) return undefined;
  return tilePath(tile) === path ? tile : undefined;
}

/** Returns how many hashes a row of the tiles has in a log of this size. */
function hashesOfLevel(level: number | 'entries', size: number): number {
  return level === 'entries' ? size : Math.floor(size / TILE_WIDTH ** level);
}

/** Returns how many hashes or entries a tile has in a log of this size; 0 when the log does not have the tile. */
export function tileWidth(level: number | 'entries', index: number, size: number): number {
  return Math.max(0, Math.min(TILE_WIDTH, hashesOfLevel(level, size) - index * TILE_WIDTH));
}

/** Yields the tiles of hashes of a log, the lowest level first. */
export function* tilesOf(size: number): Generator<Tile> {
  for (let level = 0; hashesOfLevel(level, size) > 0; level += 1) {
    for (let index = 0; index * TILE_WIDTH < hashesOfLevel(level, size); index += 1)
      yield { level, index, width: tileWidth(level, index, size) };
  }
}

/** Yields the tiles and bundles that become full when the log grows, the bundles first, then the lowest level. */
export function* fullTilesBetween(from: number, to: number): Generator<Tile> {
  for (let level: number | 'entries' = 'entries'; ; level = level === 'entries' ? 0 : level + 1) {
    const end = Math.floor(hashesOfLevel(level, to) / TILE_WIDTH);
    if (end === 0) return;
    for (let index = Math.floor(hashesOfLevel(level, from) / TILE_WIDTH); index < end; index += 1)
      yield { level, index, width: TILE_WIDTH };
  }
}

/** Returns the hashes of a tile. Throws where the last one is cut off. */
export function hashesOfTile(tile: Uint8Array): Buffer[] {
  if (tile.length % HASH_BYTES !== 0) throw new RangeError(`a tile of ${tile.length} bytes`);
  return Array.from({ length: tile.length / HASH_BYTES }, (_, at) =>
    Buffer.from(tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
  );
}

/** Returns the hash of the subtree above a full tile, which the tile above it has. */
export function hashOfTile(tile: Uint8Array): Buffer {
  return rootOfLeaves(hashesOfTile(tile));
}

/** Packs entries: before each its length, two bytes, the higher one first. */
export function packEntries(entries: readonly (Uint8Array | string)[]): Buffer {
  const parts: Buffer[] = [];
  for (const entry of entries) {
    const bytes = Buffer.from(entry);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    parts.push(length, bytes);
  }
  return Buffer.concat(parts);
}

/** Unpacks a bundle. Returns undefined where its last entry is cut off. */
export function unpackEntries(bundle: Uint8Array): Buffer[] | undefined {
  const bytes = Buffer.from(bundle);
  const entries: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 2 > bytes.length) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > bytes.length) return undefined;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}

/** A complete subtree: the node `index` of a level of the tree, counted from the leaves. */
interface Node {
  readonly level: number;
  readonly index: number;
}

/** Returns the complete subtrees whose leaves these are, the leftmost first. */
function nodesOfRange({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = start; at < end;) {
    let [level, width] = [0, 1];
    while (at % (width * 2) === 0 && at + width * 2 <= end) {
      level += 1;
      width *= 2;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** Returns the tile with the hashes below a node, and their place in it. */
function locateNode({ level, index }: Node, size: number): { tile: Tile; from: number; count: number } {
  const tileLevel = Math.floor(level / LEVELS_A_TILE);
  const count = 2 ** (level % LEVELS_A_TILE);
  const tileIndex = Math.floor((index * count) / TILE_WIDTH);
  const tile = { level: tileLevel, index: tileIndex, width: tileWidth(tileLevel, tileIndex, size) };
  return { tile, from: (index * count) % TILE_WIDTH, count };
}

/**
 * Computes hashes of a proof from tiles, each of which is asked for once: of ranges of leaves that are subtrees of a log of this size, or all
 * of its leaves. `read` returns the tiles that it was asked for, in their order.
 */
export async function hashesOfRanges(
  ranges: readonly Range[],
  size: number,
  read: (tiles: readonly Tile[]) => Promise<readonly Uint8Array[]>,
): Promise<Buffer[]> {
  const places = ranges.map((range) => nodesOfRange(range).map((node) => locateNode(node, size)));
  const tiles = new Map(places.flat().map(({ tile }) => [tilePath(tile), tile]));
  const given = await read([...tiles.values()]);
  const bytes = new Map([...tiles.keys()].map((path, at) => [path, given[at]]));
  return places.map((nodes) => {
    const hashes = nodes.map(({ tile, from, count }) => {
      const hash = bytes.get(tilePath(tile))?.subarray(from * HASH_BYTES, (from + count) * HASH_BYTES);
      if (hash?.length !== count * HASH_BYTES) throw new RangeError(`${tilePath(tile)} is not whole`);
      return hashOfTile(hash);
    });
    const joined = joinedHash(hashes);
    if (joined === undefined) throw new RangeError('no leaves');
    return joined;
  });
}
