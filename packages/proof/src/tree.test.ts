import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfHex, fixture } from '../test-support/fixtures.ts';
import {
  append,
  consistencyRanges,
  asEdge,
  EMPTY_EDGE,
  inclusionRanges,
  leafHash,
  rootOf,
  rootOfLeaves,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts';

interface Vectors {
  readonly leaves: readonly string[];
  readonly leafHashes: readonly string[];
  readonly roots: Readonly<Record<string, string>>;
  readonly inclusion: readonly InclusionVector[];
  readonly consistency: readonly {
    readonly first: number;
    readonly second: number;
    readonly proof: readonly string[];
  }[];
  readonly refused: readonly (InclusionVector & { readonly what: string; readonly leaf: number })[];
}

interface InclusionVector {
  readonly index: number;
  readonly size: number;
  readonly proof: readonly string[];
}

const vectors = fixture<Vectors>('merkle.json');
const leaves = vectors.leaves.map((data) => leafHash(bytesOfHex(data)));
const rootOfSize = (size: number) => rootOfLeaves(leaves.slice(0, size));
const hashRanges = (ranges: readonly { start: number; end: number }[], all: readonly Buffer[]) =>
  ranges.map(({ start, end }) => rootOfLeaves(all.slice(start, end)));

describe('trees of RFC 6962', () => {
  it('gives the hashes of leaves', () => {
    expect(leaves.map((hash) => hash.toString('hex'))).toEqual(vectors.leafHashes);
  });

  it.each(Object.entries(vectors.roots))('gives the root of %s leaves', (size, root) => {
    expect(rootOfSize(Number(size)).toString('hex')).toBe(root);
  });

  it('appends in any portions', () => {
    const portions = fc.array(fc.nat(9), { maxLength: 12 });
    fc.assert(
      fc.property(portions, (counts) => {
        const all = Array.from({ length: counts.reduce((sum, count) => sum + count, 0) }, (_, n) =>
          leafHash(`leaf ${n}`),
        );
        let edge = EMPTY_EDGE;
        for (const count of counts) edge = append(edge, all.slice(edge.size, edge.size + count));
        expect(edge).toEqual(append(EMPTY_EDGE, all));
        expect(asEdge(edge.size, edge.hashes)).toEqual(edge);
      }),
      { numRuns: 20 },
    );
  });

  it('refuses an edge that cannot be one', () => {
    const [hash] = leaves as [Buffer];
    expect(asEdge(3, [hash])).toBeUndefined();
    expect(asEdge(1, [hash.subarray(1)])).toBeUndefined();
    expect(asEdge(-1, [])).toBeUndefined();
    expect(rootOf(EMPTY_EDGE).toString('hex')).toBe(vectors.roots['0']);
  });
});

describe('inclusion', () => {
  it.each(vectors.inclusion)('proves leaf $index of $size', ({ index, size, proof }) => {
    expect(hashRanges(inclusionRanges(index, size), leaves).map((hash) => hash.toString('hex'))).toEqual(proof);
    const leaf = leaves[index] as Buffer;
    expect(verifyInclusion({ index, size, leaf, root: rootOfSize(size), proof: proof.map(bytesOfHex) })).toBe(true);
  });

  it.each(vectors.refused)('refuses: $what', ({ index, size, leaf, proof }) => {
    const given = { index, size, leaf: leaves[leaf] as Buffer, root: rootOfSize(size), proof: proof.map(bytesOfHex) };
    expect(verifyInclusion(given)).toBe(false);
  });
});

describe('consistency', () => {
  it.each(vectors.consistency)('proves $first in $second', ({ first, second, proof }) => {
    expect(hashRanges(consistencyRanges(first, second), leaves).map((hash) => hash.toString('hex'))).toEqual(proof);
    const roots = { firstRoot: rootOfSize(first), secondRoot: rootOfSize(second) };
    expect(verifyConsistency({ first, second, ...roots, proof: proof.map(bytesOfHex) })).toBe(true);
  });

  it('proves every pair of sizes, and no other tree', () => {
    const all = Array.from({ length: 20 }, (_, n) => leafHash(`leaf ${n}`));
    const pairs = all.flatMap((_, second) => Array.from({ length: second + 1 }, (__, first) => ({ first, second })));
    for (const { first, second } of pairs) {
      const proof = hashRanges(consistencyRanges(first, second), all);
      const firstRoot = rootOfLeaves(all.slice(0, first));
      const secondRoot = rootOfLeaves(all.slice(0, second));
      expect(verifyConsistency({ first, second, firstRoot, secondRoot, proof }), `${first} ${second}`).toBe(true);
      const other = leafHash('another tree');
      expect(verifyConsistency({ first, second, firstRoot: other, secondRoot, proof }), `${first} ${second}`).toBe(
        false,
      );
      if (first === 0) continue;
      expect(verifyConsistency({ first, second, firstRoot, secondRoot: other, proof }), `${first} ${second}`).toBe(
        false,
      );
      expect(verifyConsistency({ first, second, firstRoot, secondRoot, proof: [...proof, other] })).toBe(false);
    }
  });

  it('refuses sizes that are none', () => {
    const root = rootOfSize(8);
    expect(verifyConsistency({ first: 9, second: 8, firstRoot: root, secondRoot: root, proof: [] })).toBe(false);
    expect(verifyInclusion({ index: 0.5, size: 8, leaf: root, root, proof: [] })).toBe(false);
    expect(() => inclusionRanges(8, 8)).toThrow(RangeError);
    expect(() => consistencyRanges(9, 8)).toThrow(RangeError);
  });
});
