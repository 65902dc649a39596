import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fixture } from '../test-support/fixtures.ts';
import {
  packEntries,
  unpackEntries,
  fullTilesBetween,
  hashesOfRanges,
  hashesOfTile,
  hashOfTile,
  parseTilePath,
  tilePath,
  tilesOf,
  type Tile,
} from './tiles.ts';
import {
  consistencyRanges,
  inclusionRanges,
  leafHash,
  rootOfLeaves,
  verifyConsistency,
  verifyInclusion,
  type Range,
} from './tree.ts';

interface Vectors {
  readonly indexPaths: Readonly<Record<string, string>>;
  readonly logs: readonly {
    readonly size: number;
    readonly root: string;
    readonly tileCount: number;
    readonly tiles: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
  }[];
  readonly bundle: { readonly entries: readonly string[]; readonly hex: string };
}

const vectors = fixture<Vectors>('tiles.json');

const SIZE_MAX = Math.max(...vectors.logs.map(({ size }) => size));
const LEAVES = Array.from({ length: SIZE_MAX }, (_, n) => leafHash(`leaf ${n}\n`));

/** Cuts all tiles of the log of the vectors, whose leaves are known. */
function cutTiles(size: number): { readonly leaves: readonly Buffer[]; readonly tiles: Map<string, Buffer> } {
  const leaves = LEAVES.slice(0, size);
  const rows: Buffer[] = [Buffer.concat(leaves)];
  const tiles = new Map<string, Buffer>();
  for (const tile of tilesOf(size)) {
    const level = tile.level as number;
    const row = rows[level] ?? Buffer.alloc(0);
    const bytes = row.subarray(tile.index * 8192, (tile.index * 256 + tile.width) * 32);
    tiles.set(tilePath(tile), bytes);
    if (tile.width === 256) rows[level + 1] = Buffer.concat([rows[level + 1] ?? Buffer.alloc(0), hashOfTile(bytes)]);
  }
  return { leaves, tiles };
}

describe('paths', () => {
  it.each(Object.entries(vectors.indexPaths))('writes and reads index %s', (index, path) => {
    for (const [tile, full] of [
      [{ level: 0, index: Number(index), width: 256 }, `tile/0/${path}`],
      [{ level: 'entries', index: Number(index), width: 7 }, `tile/entries/${path}.p/7`],
    ] as readonly [Tile, string][]) {
      expect(tilePath(tile)).toBe(full);
      expect(parseTilePath(full)).toEqual(tile);
    }
  });

  it.each(
    [
      [
        'tile/00/001',
        'tile/0/x01',
        'tile/0/000.p/0',
        'tile/0/000.p/256',
        'tile/0/000.p/01',
        'tile/64/000',
        'tile/0/x000/001',
      ],
      [
        'tile/0/1',
        'tile/0/x001',
        'tile/0/%30',
        'tile/0/../0/000',
        'tile/entry/000',
        'tile/0/000/',
        '/tile/0/000',
        'tile/0/000\n',
      ],
      ['tile/-1/000', 'tile/0/x999/x999/x999/x999/x999/999', 'tile/0/x001/000.p', 'tile//000', '', 'checkpoint'],
    ].flat(),
  )('refuses %j', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });
});

describe('tiles', () => {
  it.each(vectors.logs)('cuts a log of $size', ({ size, root, tileCount, tiles: expected }) => {
    const { leaves, tiles } = cutTiles(size);
    expect(rootOfLeaves(leaves).toString('base64')).toBe(root);
    expect(tiles.size).toBe(tileCount);
    for (const [path, { bytes, sha256 }] of Object.entries(expected)) {
      const tile = tiles.get(path);
      expect(
        [
          tile?.length,
          createHash('sha256')
            .update(tile ?? '')
            .digest('hex'),
        ],
        path,
      ).toEqual([bytes, sha256]);
    }
  });

  it('names the tiles that become full', () => {
    const paths = (from: number, to: number) => [...fullTilesBetween(from, to)].map(tilePath);
    expect(paths(0, 255)).toEqual([]);
    expect(paths(255, 256)).toEqual(['tile/entries/000', 'tile/0/000']);
    expect(paths(256, 511)).toEqual([]);
    expect(paths(65_535, 65_536)).toEqual(['tile/entries/255', 'tile/0/255', 'tile/1/000']);
    expect(paths(250, 600)).toEqual(['tile/entries/000', 'tile/entries/001', 'tile/0/000', 'tile/0/001']);
  });

  it('gives proofs of a log of three levels', async () => {
    const size = SIZE_MAX;
    const { leaves, tiles } = cutTiles(size);
    const root = Buffer.from(vectors.logs.find((log) => log.size === size)?.root ?? '', 'base64');
    const buildProof = async (ranges: readonly Range[]) =>
      hashesOfRanges(ranges, size, async (needed) => {
        const paths = needed.map(tilePath);
        expect(new Set(paths).size).toBe(paths.length);
        return paths.map((path) => tiles.get(path) as Buffer);
      });
    for (const index of [0, 255, 256, 65_535, 65_536, 69_888, 69_999]) {
      const leaf = leaves[index] as Buffer;
      expect(
        verifyInclusion({ index, size, leaf, root, proof: await buildProof(inclusionRanges(index, size)) }),
        `${index}`,
      ).toBe(true);
    }
    for (const first of [1, 256, 300, 65_536, 65_537, 69_999]) {
      const proof = await buildProof(consistencyRanges(first, size));
      const firstRoot = rootOfLeaves(leaves.slice(0, first));
      expect(verifyConsistency({ first, second: size, firstRoot, secondRoot: root, proof }), `${first}`).toBe(true);
    }
  });

  it('refuses a tile that is cut off', async () => {
    expect(() => hashesOfTile(Buffer.alloc(33))).toThrow(RangeError);
    const short = async () => [Buffer.alloc(64)];
    await expect(hashesOfRanges([{ start: 2, end: 3 }], 3, short)).rejects.toThrow(RangeError);
  });
});

describe('bundles', () => {
  const { entries, hex } = vectors.bundle;
  const bytes = Buffer.from(hex, 'hex');

  it('packs and unpacks entries', () => {
    expect(packEntries(entries).toString('hex')).toBe(hex);
    expect(unpackEntries(bytes)?.map(String)).toEqual(entries);
    expect(unpackEntries(Buffer.alloc(0))).toEqual([]);
  });

  it.each([1, 5, bytes.length - 1])('refuses the first %i bytes', (length) => {
    expect(unpackEntries(bytes.subarray(0, length))).toBeUndefined();
  });
});
