import { parseEntry, type Entry } from '@procurement/proof/entries';
import { HASH_BYTES } from '@procurement/proof/hash';
import {
  entriesOf,
  hashesOfRanges,
  tilePath,
  tileWidth,
  TILE_WIDTH,
  type Tile,
} from '@procurement/proof/tiles';
import { inclusionRanges, leafHash, verifyInclusion, type Range } from '@procurement/proof/tree';
import type { Checkpoint } from '@procurement/proof/checkpoints';
import { FindingError } from './report.ts';
import { cannotRead, WITHHELD, type Source } from './source.ts';

/** Tiles in memory: 8 MiB of hashes. */
const TILES_KEPT = 1_024;

/** Reads tiles and entries of the tree of a checkpoint. Nothing is believed before it leads to the root. */
export class LogReader {
  readonly checkpoint: Checkpoint;
  readonly #source: Source;
  readonly #tiles = new Map<string, Buffer>();

  constructor(source: Source, checkpoint: Checkpoint) {
    this.#source = source;
    this.checkpoint = checkpoint;
  }

  /** Returns the bytes of a tile of hashes, as long as the tree says. */
  async tile(tile: Tile): Promise<Buffer> {
    const path = tilePath(tile);
    const known = this.#tiles.get(path);
    if (known !== undefined) return known;
    const given = await this.#read(tile);
    const bytes = given.subarray(0, tile.width * HASH_BYTES);
    if (bytes.length !== tile.width * HASH_BYTES)
      throw new FindingError('root', path, `${tile.width * HASH_BYTES} bytes`, `${bytes.length} bytes`);
    if (this.#tiles.size >= TILES_KEPT) this.#tiles.clear();
    this.#tiles.set(path, bytes);
    return bytes;
  }

  /** Returns the entries of a bundle, as many as the tree says. */
  async bundle(index: number): Promise<readonly Buffer[]> {
    const tile: Tile = { level: 'entries', index, width: tileWidth('entries', index, this.checkpoint.size) };
    const entries = entriesOf(await this.#read(tile))?.slice(0, tile.width);
    if (entries?.length !== tile.width)
      throw new FindingError('root', tilePath(tile), `${tile.width} entries`, `${entries?.length ?? 'no'} entries`);
    return entries;
  }

  /** Reads a tile. Where the log has grown, it may have the full one only, which begins with the partial one. */
  async #read(tile: Tile): Promise<Buffer> {
    const path = `log/${tilePath(tile)}`;
    let answer = await this.#source.read(path);
    if (answer.status === 404 && tile.width !== TILE_WIDTH)
      answer = await this.#source.read(`log/${tilePath({ ...tile, width: TILE_WIDTH })}`);
    if (answer.status === 200) return answer.bytes;
    if (!WITHHELD.has(answer.status)) throw cannotRead(this.#source, path, answer.status);
    throw new FindingError('withheld', path, 'a tile of the log', String(answer.status));
  }

  /** Returns the hashes of ranges of leaves: those of a proof. */
  async hashes(ranges: readonly Range[]): Promise<Buffer[]> {
    const read = async (tiles: readonly Tile[]) => Promise.all(tiles.map(async (tile) => this.tile(tile)));
    return hashesOfRanges(ranges, this.checkpoint.size, read);
  }

  /** Returns an entry that was proven to be in the tree. */
  async entry(index: number): Promise<Entry> {
    const { size, root } = this.checkpoint;
    const bundle = await this.bundle(Math.floor(index / TILE_WIDTH));
    const bytes = bundle[index % TILE_WIDTH] ?? Buffer.alloc(0);
    const leaf = leafHash(bytes);
    const proof = await this.hashes(inclusionRanges(index, size));
    if (!verifyInclusion({ index, size, leaf, root, proof }))
      throw new FindingError(
        'proof',
        `entry ${index}`,
        `in the tree of ${size} entries`,
        'its hashes do not lead to the root',
      );
    return readEntry(index, bytes);
  }
}

/** Reads an entry of the log, which is refused in any other spelling. */
export function readEntry(index: number, bytes: Uint8Array): Entry {
  const entry = parseEntry(bytes);
  if (entry === undefined)
    throw new FindingError('entry', `entry ${index}`, 'an entry of procurement-log/1', Buffer.from(bytes).toString());
  return entry;
}
