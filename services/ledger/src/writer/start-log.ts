import { parseCheckpoint } from '@procurement/proof/checkpoints';
import { parseEntry } from '@procurement/proof/entries';
import { rootOf } from '@procurement/proof/tree';
import type pg from 'pg';
import type { Leaf } from '../domain/draft.ts';
import type { Progress } from '../domain/page-plan.ts';
import { judgeStart, type StoredCheckpoint } from '../domain/start-verdict.ts';
import { takeLeaves } from '../store/append.ts';
import { noteOfSize } from '../store/checkpoints.store.ts';
import { haltLog, readHead, type Head } from '../store/head.store.ts';
import { MissingTileError } from '../files/log-files.ts';
import type { WriterDeps } from './deps.ts';
import { numberAt } from './logged-numbers.ts';
import { readMissingLeaves, readStoredNote, type StoredNote } from './stored-log.ts';

/**
 * Compares database and store before anything is signed (proof.md 3.2, "Start"), and takes leaves from the store that the database has
 * lost. Returns why the log must not go on; undefined when it may. Throws when one of them does not answer: then it is tried again.
 */
export async function reconcile(deps: WriterDeps): Promise<string | undefined> {
  const head = await readHead(deps.pool);
  if (!rootOf(head.edge).equals(head.root)) return 'the edge in the database does not give its root';
  const stored = await readStoredNote(deps);
  const verdict = judgeStart(head, await compared(deps, head, stored));
  switch (verdict.kind) {
    case 'begin':
    case 'go-on':
      return undefined;
    case 'halt':
      return verdict.why;
    case 'take-leaves':
      return typeof stored === 'string' ? undefined : take(deps, head, stored);
    default:
      return verdict satisfies never;
  }
}

/** The same, and stores why the log is halted. */
export async function startLog(deps: WriterDeps): Promise<string | undefined> {
  const halt = await reconcile(deps);
  if (halt !== undefined) await haltLog(deps.pool, halt);
  return halt;
}

async function compared(
  deps: WriterDeps,
  head: Head,
  stored: StoredNote | 'none' | 'foreign',
): Promise<StoredCheckpoint> {
  if (typeof stored === 'string') return { kind: stored };
  const { size, root } = stored;
  if (size > head.size) return { kind: 'ours', size, hasOurRoot: undefined };
  return { kind: 'ours', size, hasOurRoot: (await rootAt(deps, head, size)).equals(root) };
}

async function rootAt({ pool, nodes }: WriterDeps, head: Head, size: number): Promise<Buffer> {
  if (size === head.size) return head.root;
  const signed = parseCheckpoint((await noteOfSize(pool, size)) ?? '');
  if (signed !== undefined) return signed.root;
  const [root] = size === 0 ? [] : await nodes.ofRanges(pool, [{ start: 0, end: size }], head.size);
  return root ?? rootOf({ size: 0, hashes: [] });
}

async function take(deps: WriterDeps, head: Head, stored: StoredNote): Promise<string | undefined> {
  const missing = await readMissingLeaves(deps, head, stored).catch((error: unknown) => {
    if (error instanceof MissingTileError) return { why: error.message };
    throw error;
  });
  if ('why' in missing) return missing.why;
  const { leaves } = missing;
  await takeLeaves(deps.pool, head, {
    leaves,
    note: stored.note,
    progressOf: async (tx) => progressAfter(deps, tx, head, leaves),
  });
  deps.log.warn(
    { size: head.size, taken: leaves.length },
    'the database is older than the store: its leaves were taken from there',
  );
  return undefined;
}

/** How far sources were read when these leaves were added. Redactions are read again, and those in the log passed over. */
async function progressAfter(
  deps: WriterDeps,
  tx: pg.PoolClient,
  { phase: before, position: from, epoch: oldEpoch, redaction }: Head,
  leaves: readonly Leaf[],
): Promise<Progress> {
  let [phase, position, epoch] = [before, from, oldEpoch];
  for (const { text } of leaves) {
    const entry = parseEntry(text);
    switch (entry?.kind) {
      case 'publication':
        phase = 'follows';
        position = Number(entry.position);
        break;
      case 'baseline':
        phase = phase === 'follows' ? 'listing' : phase;
        position = Number(entry.position);
        break;
      case 'restore':
        epoch = Number(entry.epoch);
        position = Math.min(position, Number(entry.to));
        break;
      case 'hole':
        phase = 'listing';
        break;
      default:
        break;
    }
  }
  return { phase, position, epoch, redaction, number: await numberAt(deps, tx, position) };
}
