import type { OcdsHead, OcdsStore } from './ocds.store.ts';

/** Bytes of texts that are in memory for one answer. */
const CHUNK_BYTES_MAX = 2_000_000;

/** Texts of releases, read in chunks. */
export async function* releaseTexts(store: OcdsStore, heads: readonly OcdsHead[]): AsyncGenerator<string> {
  for (const chunk of chunksOf(heads)) {
    const texts = await store.texts(chunk.map(({ seq }) => seq));
    for (const { seq } of chunk) yield texts.get(seq) ?? '';
  }
}

/** Heads whose texts are read at once. */
export function* chunksOf(heads: readonly OcdsHead[]): Generator<readonly OcdsHead[]> {
  let start = 0;
  while (start < heads.length) {
    const chunk = heads.slice(start, start + countWithin(heads.slice(start), CHUNK_BYTES_MAX));
    yield chunk;
    start += chunk.length;
  }
}

/** How many of the first heads have at most so many bytes together; at least one. */
export function countWithin(heads: readonly OcdsHead[], bytesMax: number): number {
  let sum = 0;
  for (const [count, { bytes }] of heads.entries()) {
    sum += bytes;
    if (sum > bytesMax) return Math.max(count, 1);
  }
  return heads.length;
}
