import { transact } from '@procurement/kit/database/transaction';
import { signCheckpoint } from '@procurement/proof/checkpoints';
import type { Signer } from '@procurement/proof/notes';
import { packEntries, fullTilesBetween, tilePath, TILE_WIDTH } from '@procurement/proof/tiles';
import { append, rootOf, type Edge } from '@procurement/proof/tree';
import type pg from 'pg';
import { buildLeaf, type Draft, type Leaf } from '../domain/draft.ts';
import type { Progress } from '../domain/page-plan.ts';
import { insertCheckpoint } from './checkpoints.store.ts';
import { progressValues, readHead, type Head } from './head.store.ts';
import { insertLeaves, leafTexts } from './leaf.store.ts';
import type { Nodes } from './nodes.ts';
import { insertUpload } from './upload.store.ts';

export interface AppendDeps {
  readonly pool: pg.Pool;
  readonly nodes: Nodes;
  /** Those of the log, whose name is its origin. */
  readonly signers: readonly Signer[];
  readonly origin: string;
  readonly blindKey: Uint8Array;
}

/** New leaves, and how far sources were read with them. */
export interface Addition {
  readonly drafts: readonly Draft[];
  readonly progress: Progress;
}

/** The log is not what the caller has read: another process has added to it, or halted it. */
export class HeadMovedError extends Error {
  constructor() {
    super('the log has changed since it was read');
    this.name = 'HeadMovedError';
  }
}

// The condition finds a second writer that a lost lock has let in.
const UPDATE = `UPDATE head SET position = $1, number = $2, epoch = $3, redaction = $4, phase = $5, size = $6, root = $7, edge = $8, note = $9
  WHERE id = 1 AND size = $10`;

/**
 * Adds leaves to the log in one transaction, with the checkpoint that says so (proof.md 3.2). Answers after the commit: nothing that was
 * signed leaves the process before. Throws `HeadMovedError` when the log is not as `before` any more.
 */
export async function appendLeaves(deps: AppendDeps, before: Head, { drafts, progress }: Addition): Promise<void> {
  await transact(deps.pool, async (tx) => {
    const head = await readHead(tx, 'lock');
    if (head.size !== before.size || head.position !== before.position || head.halted !== undefined)
      throw new HeadMovedError();
    const leaves = drafts.map((draft, at) => buildLeaf(draft, head.size + at, deps.blindKey));
    const edge = append(
      head.edge,
      leaves.map(({ hash }) => hash),
    );
    const note = signCheckpoint({ origin: deps.origin, size: edge.size, root: rootOf(edge) }, deps.signers);
    await insertLeaves(tx, leaves);
    await moveHead(tx, head, { edge, note, progress });
    await insertFullTiles(deps, tx, head.size, edge.size);
  });
}

/** Takes leaves from the store that this database has lost, with the checkpoint that the store has of them. */
export async function takeLeaves(
  pool: pg.Pool,
  before: Head,
  {
    leaves,
    note,
    progressOf,
  }: {
    readonly leaves: readonly Leaf[];
    readonly note: string;
    readonly progressOf: (tx: pg.PoolClient) => Promise<Progress>;
  },
): Promise<void> {
  await transact(pool, async (tx) => {
    const head = await readHead(tx, 'lock');
    if (head.size !== before.size) throw new HeadMovedError();
    const edge = append(
      head.edge,
      leaves.map(({ hash }) => hash),
    );
    // Entries of full bundles are in the store.
    const openFrom = edge.size - (edge.size % TILE_WIDTH);
    await insertLeaves(tx, leaves, ({ index }) => index >= openFrom);
    await moveHead(tx, head, { edge, note, progress: await progressOf(tx) });
  });
}

async function moveHead(
  tx: pg.PoolClient,
  head: Head,
  { edge, note, progress }: { readonly edge: Edge; readonly note: string; readonly progress: Progress },
): Promise<void> {
  const values = [...progressValues(progress), edge.size, rootOf(edge), edge.hashes, note, head.size];
  const { rowCount } = await tx.query({ name: 'head-move', text: UPDATE, values });
  if (rowCount !== 1) throw new HeadMovedError();
  await insertCheckpoint(tx, edge.size, note);
}

async function insertFullTiles({ nodes }: AppendDeps, tx: pg.PoolClient, from: number, to: number): Promise<void> {
  for (const tile of fullTilesBetween(from, to)) {
    const bytes = tile.level === 'entries' ? await bundle(tx, tile.index) : await nodes.tile(tx, tile);
    await insertUpload(tx, { path: tilePath(tile), bytes });
  }
}

async function bundle(tx: pg.PoolClient, index: number): Promise<Buffer> {
  const texts = await leafTexts(tx, index * TILE_WIDTH, (index + 1) * TILE_WIDTH);
  if (texts === undefined) throw new Error(`entries of bundle ${index} are not in the database`);
  return packEntries(texts);
}
