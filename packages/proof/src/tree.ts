import { HASH_BYTES, sha256 } from './hash.ts';

// Trees and proofs of RFC 6962, section 2.1. Sizes and indexes are safe integers.

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);
const EMPTY_ROOT = sha256();

export function leafHash(entry: Uint8Array | string): Buffer {
  return sha256(LEAF, entry);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(NODE, left, right);
}

/**
 * The right edge of a tree: the roots of its complete subtrees, the largest first. It is all that an append needs of what is already there.
 * The sizes of the subtrees are the binary digits of `size`.
 */
export interface Edge {
  readonly size: number;
  readonly hashes: readonly Buffer[];
}

export const EMPTY_EDGE: Edge = { size: 0, hashes: [] };

/** Returns a stored edge; undefined where the number or the length of its hashes is wrong. */
export function asEdge(size: number, hashes: readonly Uint8Array[]): Edge | undefined {
  if (!Number.isSafeInteger(size) || size < 0) return undefined;
  if (hashes.length !== countOnes(size) || hashes.some((hash) => hash.length !== HASH_BYTES)) return undefined;
  return { size, hashes: hashes.map((hash) => Buffer.from(hash)) };
}

/** Counts the binary digits 1. */
function countOnes(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}

/** Returns the edge of the tree with more leaves, which are given by their hashes. */
export function append(edge: Edge, leaves: readonly Uint8Array[]): Edge {
  const hashes = [...edge.hashes];
  let { size } = edge;
  for (const leaf of leaves) {
    let hash: Buffer = Buffer.from(leaf);
    // A subtree of the size of the new one stands before it as often as `size` ends with a digit 1.
    for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2)) hash = nodeHash(hashes.pop() ?? hash, hash);
    hashes.push(hash);
    size += 1;
  }
  return { size, hashes };
}

export function rootOf(edge: Edge): Buffer {
  return joinedHash(edge.hashes) ?? EMPTY_ROOT;
}

/** Returns the hash of neighbouring subtrees, the largest first; undefined when there are none. */
export function joinedHash(subtrees: readonly Buffer[]): Buffer | undefined {
  let joined: Buffer | undefined;
  for (const hash of subtrees.toReversed()) joined = joined === undefined ? hash : nodeHash(hash, joined);
  return joined;
}

/** Returns the root of the tree of these leaves, which are given by their hashes. */
export function rootOfLeaves(leaves: readonly Uint8Array[]): Buffer {
  return rootOf(append(EMPTY_EDGE, leaves));
}

/** Leaves from `start` up to `end`, without it. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the size of the left subtree of a tree: the largest power of two that is smaller than its size. */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** Returns the ranges of leaves whose hashes are an inclusion proof, in its order. */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + leftSize(end - start);
    ranges.unshift(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  return ranges;
}

/** Returns the ranges of leaves whose hashes are a consistency proof, in its order. */
export function consistencyRanges(first: number, second: number): Range[] {
  if (!(first >= 0 && first <= second)) throw new RangeError(`no proof from ${first} to ${second}`);
  if (first === 0 || first === second) return [];
  const ranges: Range[] = [];
  let [start, end] = [0, second];
  while (end !== first) {
    const middle = start + leftSize(end - start);
    ranges.unshift(first <= middle ? { start: middle, end } : { start, end: middle });
    if (first <= middle) end = middle;
    else start = middle;
  }
  // The first tree is a subtree of the second: its root is known to whoever checks.
  return start === 0 ? ranges : [{ start, end }, ...ranges];
}

export interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Says whether the proof leads from the leaf to the root. */
export function verifyInclusion({ index, size, leaf, root, proof }: Inclusion): boolean {
  if (!isSize(index) || !isSize(size) || index >= size) return false;
  const ranges = inclusionRanges(index, size);
  if (proof.length !== ranges.length) return false;
  let hash: Buffer = Buffer.from(leaf);
  for (const [step, other] of proof.entries())
    hash = (ranges[step]?.start ?? 0) > index ? nodeHash(hash, other) : nodeHash(other, hash);
  return hash.equals(root);
}

export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Uint8Array;
  readonly secondRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Says whether the proof shows that the first tree is the beginning of the second. */
export function verifyConsistency({ first, second, firstRoot, secondRoot, proof }: Consistency): boolean {
  if (!isSize(first) || !isSize(second) || first > second) return false;
  if (first === 0) return proof.length === 0 && EMPTY_ROOT.equals(firstRoot);
  const ranges = consistencyRanges(first, second);
  if (proof.length !== ranges.length) return false;
  if (first === second) return Buffer.from(firstRoot).equals(secondRoot);
  // The proof begins with the last subtree of the first tree, or leaves it out because it is the whole of it.
  const hashes = ranges.some(({ end }) => end === first) ? proof : [firstRoot, ...proof];
  const [seed, ...others] = hashes;
  const sides = ranges.slice(ranges.length - others.length);
  if (seed === undefined) return false;
  let old: Buffer = Buffer.from(seed);
  let all = old;
  for (const [step, other] of others.entries()) {
    const isLeft = (sides[step]?.start ?? 0) < first;
    all = isLeft ? nodeHash(other, all) : nodeHash(all, other);
    if (isLeft) old = nodeHash(other, old);
  }
  return old.equals(firstRoot) && all.equals(secondRoot);
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
