import { openCheckpoint } from '@procurement/proof/checkpoints';
import { parseEntry } from '@procurement/proof/entries';
import { unpackEntries, TILE_WIDTH } from '@procurement/proof/tiles';
import { append, leafHash, rootOf } from '@procurement/proof/tree';
import { leafOfEntry, type Leaf } from '../domain/draft.ts';
import { readEdge } from '../domain/edge-file.ts';
import type { LogFiles } from '../files/log-files.ts';
import type { Head } from '../store/head.store.ts';
import { leafHashes } from '../store/leaf.store.ts';
import type { WriterDeps } from './deps.ts';

/** The file that is put last: it says that everything before it is in the store. */
export const CHECKPOINT = 'checkpoint';

/** The two files of the open bundle, in turns: the one that belongs to the checkpoint is never replaced. */
export const EDGES = ['edge/0', 'edge/1'] as const;

/** The checkpoint of the store. `ours`: signed by a key of this log. */
export interface StoredNote {
  readonly size: number;
  readonly root: Buffer;
  /** The note with the signatures of the log only. */
  readonly note: string;
}

/** Reads the checkpoint of the store. Throws when the store does not answer. */
export async function readStoredNote({
  files,
  signers,
  origin,
}: Pick<WriterDeps, 'files' | 'signers' | 'origin'>): Promise<StoredNote | 'none' | 'foreign'> {
  const bytes = await files.read(CHECKPOINT);
  if (bytes === undefined) return 'none';
  const opened = openCheckpoint(
    bytes.toString(),
    signers.map(({ verifier }) => verifier),
  );
  if (opened === undefined || opened.checkpoint.origin !== origin) return 'foreign';
  const { checkpoint, text, signatures } = opened;
  const lines = signatures.map(({ line }) => `${line.trimEnd()}\n`).join('');
  return { size: checkpoint.size, root: checkpoint.root, note: `${text}\n${lines}` };
}

/** Entries of the open bundle as the store has them for a checkpoint; undefined when it has none. */
async function openEntries(files: LogFiles, size: number): Promise<readonly Buffer[] | undefined> {
  for (const path of EDGES) {
    const bytes = await files.read(path);
    const edge = bytes === undefined ? undefined : readEdge(bytes);
    if (edge?.size === size) return edge.entries;
  }
  return undefined;
}

/** Which of the two edge files may be replaced while the store has a checkpoint of this size. */
export async function freeEdge(files: LogFiles, size: number): Promise<0 | 1> {
  const bytes = await files.read(EDGES[0]);
  return bytes !== undefined && readEdge(bytes)?.size === size ? 1 : 0;
}

/** The leaves after those of the database, or why the store does not prove that they follow. */
export type MissingLeaves = { readonly leaves: readonly Leaf[] } | { readonly why: string };

/** Reads the leaves that the database lacks, from bundles and edge, and proves them by the root of the checkpoint. */
export async function readMissingLeaves(
  { files, pool }: Pick<WriterDeps, 'files' | 'pool'>,
  head: Head,
  { size, root }: StoredNote,
): Promise<MissingLeaves> {
  const firstBundle = Math.floor(head.size / TILE_WIDTH);
  const from = firstBundle * TILE_WIDTH;
  const entries: Buffer[] = [];
  for (let index = firstBundle; (index + 1) * TILE_WIDTH <= size; index += 1) {
    const bundle = unpackEntries(await files.readTile({ level: 'entries', index, width: TILE_WIDTH }));
    if (bundle?.length !== TILE_WIDTH) return { why: `bundle ${index} of the store is damaged` };
    entries.push(...bundle);
  }
  if (size % TILE_WIDTH > 0) {
    const open = await openEntries(files, size);
    if (open === undefined) return { why: `the store has no edge of size ${size}` };
    entries.push(...open);
  }
  const known = await leafHashes(pool, from, head.size);
  if (known.some((hash, at) => !hash.equals(leafHash(entries[at] ?? Buffer.alloc(0)))))
    return { why: 'entries of the store differ from leaves of the database' };
  const leaves: Leaf[] = [];
  for (const bytes of entries.slice(known.length)) {
    const leaf = leafOfEntry(parseEntry(bytes), head.size + leaves.length, bytes.toString());
    if (leaf === undefined) return { why: `entry ${head.size + leaves.length} of the store is none` };
    leaves.push(leaf);
  }
  const edge = append(
    head.edge,
    leaves.map(({ hash }) => hash),
  );
  return edge.size === size && rootOf(edge).equals(root)
    ? { leaves }
    : { why: `entries of the store do not give the root of its checkpoint of size ${size}` };
}

/** The entry at an index, from the database or the store. */
export async function readEntryText(
  { files }: Pick<WriterDeps, 'files'>,
  texts: readonly string[] | undefined,
  index: number,
): Promise<string> {
  if (texts?.[0] !== undefined) return texts[0];
  const tile = { level: 'entries', index: Math.floor(index / TILE_WIDTH), width: TILE_WIDTH } as const;
  const entry = unpackEntries(await files.readTile(tile))?.[index % TILE_WIDTH];
  if (entry === undefined) throw new Error(`the store has no entry ${index}`);
  return entry.toString();
}
