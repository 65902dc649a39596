interface Sized {
  readonly bytes: number;
}

/** Divides what is read into chunks that are in memory at once. A chunk has at least one. */
export function* splitIntoChunks<T extends Sized>(all: readonly T[], bytesMax: number): Generator<readonly T[]> {
  let start = 0;
  while (start < all.length) {
    const chunk = all.slice(start, start + countWithin(all.slice(start), bytesMax));
    yield chunk;
    start += chunk.length;
  }
}

/** How many of the first ones have at most so many bytes together; at least one. */
export function countWithin(all: readonly Sized[], bytesMax: number): number {
  let sum = 0;
  for (const [count, { bytes }] of all.entries()) {
    sum += bytes;
    if (sum > bytesMax) return Math.max(count, 1);
  }
  return all.length;
}
