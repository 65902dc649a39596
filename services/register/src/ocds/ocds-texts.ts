import { splitIntoChunks } from './byte-chunks.ts';
import type { OcdsHead, OcdsStore } from './ocds.store.ts';

/** Bytes of texts that are in memory for one answer. */
const CHUNK_BYTES_MAX = 2_000_000;

/** Texts of releases, read in chunks. Throws when one is missing. */
export async function* releaseTexts(store: OcdsStore, heads: readonly OcdsHead[]): AsyncGenerator<string> {
  for (const chunk of releaseChunks(heads)) {
    const texts = await store.texts(chunk.map(({ seq }) => seq));
    yield* texts.values();
  }
}

/** Heads whose texts are read at once. */
export function releaseChunks(heads: readonly OcdsHead[]): Generator<readonly OcdsHead[]> {
  return splitIntoChunks(heads, CHUNK_BYTES_MAX);
}
