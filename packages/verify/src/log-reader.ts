import { parseEntry, type Entry } from '@procurement/proof/entries';
import { HASH_BYTES } from '@procurement/proof/hash';
import { unpackEntries, hashesOfRanges, tilePath, tileWidth, TILE_WIDTH, type Tile } from '@procurement/proof/tiles';
import { inclusionRanges, leafHash, verifyInclusion, type Range } from '@procurement/proof/tree';
import type { Checkpoint } from '@procurement/proof/checkpoints';
import { FindingError } from './report.ts';
import { cannotRead, WITHHELD, type Source } from './source.ts';

/** Number of entries or bundles that are read at once, so that a slow connection counts an eighth. All of them are in memory. */
const AT_ONCE = 8;
const TILE_BYTES_MAX = TILE_WIDTH * HASH_BYTES;
/** Number of tiles that are kept in memory: 8 MiB of hashes. */
const TILES_KEPT = 1_024;
/** Number of bundles that are kept, of at most 1 MiB each. Entries are read in the order of the log, so none is read twice. */
const BUNDLES_KEPT = 2 * AT_ONCE;

/** Reads tiles and entries of the tree of a checkpoint. What it returns as proven leads to the root; tiles and bundles alone prove nothing. */
export class LogReader {
  readonly checkpoint: Checkpoint;
  readonly #source: Source;
  readonly #tiles = new KeptAnswers(TILES_KEPT);
  readonly #bundles = new KeptAnswers(BUNDLES_KEPT);

  constructor(source: Source, checkpoint: Checkpoint) {
    this.#source = source;
    this.checkpoint = checkpoint;
  }

  /** Returns the bytes of a tile of hashes. Its length is that which the size of the tree demands. */
  async tile(tile: Tile): Promise<Buffer> {
    const path = tilePath(tile);
    const given = await this.#tiles.get(path, async () => this.#read(tile, TILE_BYTES_MAX));
    const bytes = given.subarray(0, tile.width * HASH_BYTES);
    if (bytes.length !== tile.width * HASH_BYTES)
      throw new FindingError('root', path, `${tile.width * HASH_BYTES} bytes`, `${bytes.length} bytes`);
    return bytes;
  }

  /** Returns the entries of a bundle. Their number is that which the size of the tree demands. */
  async bundle(index: number): Promise<readonly Buffer[]> {
    const tile: Tile = { level: 'entries', index, width: tileWidth('entries', index, this.checkpoint.size) };
    const path = tilePath(tile);
    const given = await this.#bundles.get(path, async () => this.#read(tile));
    const entries = unpackEntries(given)?.slice(0, tile.width);
    if (entries?.length !== tile.width)
      throw new FindingError('root', path, `${tile.width} entries`, `${entries?.length ?? 'no'} entries`);
    return entries;
  }

  /** Reads a tile. Where the log has grown, it may have the full one only, which begins with the partial one. */
  async #read(tile: Tile, bytesMax?: number): Promise<Buffer> {
    const path = `log/${tilePath(tile)}`;
    let answer = await this.#source.read(path, bytesMax);
    if (answer.status === 404 && tile.width !== TILE_WIDTH)
      answer = await this.#source.read(`log/${tilePath({ ...tile, width: TILE_WIDTH })}`, bytesMax);
    if (answer.status === 200) return answer.bytes;
    if (!WITHHELD.has(answer.status)) throw cannotRead(this.#source, path, answer.status);
    throw new FindingError('withheld', path, 'a tile of the log', String(answer.status));
  }

  /** Returns the hashes of the ranges of leaves of a proof. */
  async hashes(ranges: readonly Range[]): Promise<Buffer[]> {
    const read = async (tiles: readonly Tile[]) => Promise.all(tiles.map(async (tile) => this.tile(tile)));
    return hashesOfRanges(ranges, this.checkpoint.size, read);
  }

  /** Returns an entry that was proven to be in the tree. */
  async entry(index: number): Promise<Entry> {
    const { size, root } = this.checkpoint;
    const [bundle, proof] = await Promise.all([
      this.bundle(Math.floor(index / TILE_WIDTH)),
      this.hashes(inclusionRanges(index, size)),
    ]);
    const bytes = bundle[index % TILE_WIDTH] ?? Buffer.alloc(0);
    const leaf = leafHash(bytes);
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

/** Keeps the newest answers. Whoever asks for one that is under way waits for the same. */
class KeptAnswers {
  readonly #most: number;
  readonly #answers = new Map<string, Promise<Buffer>>();

  constructor(most: number) {
    this.#most = most;
  }

  async get(path: string, ask: () => Promise<Buffer>): Promise<Buffer> {
    const answer = this.#answers.get(path) ?? ask();
    this.#answers.delete(path);
    this.#answers.set(path, answer);
    const [oldest = path] = this.#answers.keys();
    if (this.#answers.size > this.#most) this.#answers.delete(oldest);
    return answer;
  }
}

/** Reads for each of the items, and yields the answers in the order of the items. */
export async function* readAhead<Item, Answer>(
  items: readonly Item[],
  read: (item: Item) => Promise<Answer>,
): AsyncGenerator<Answer> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    yield* await Promise.all(items.slice(from, from + AT_ONCE).map(async (item) => read(item)));
}

/** Reads an entry of the log, which is refused in any other spelling. */
export function readEntry(index: number, bytes: Uint8Array): Entry {
  const entry = parseEntry(bytes);
  if (entry === undefined)
    throw new FindingError('entry', `entry ${index}`, 'an entry of procurement-log/1', Buffer.from(bytes).toString());
  return entry;
}
