import { transact } from '@procurement/kit/database/transaction';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { parseTilePath, TILE_WIDTH } from '@procurement/proof/tiles';
import type { Witness } from '../config.ts';
import { writeEdge } from '../domain/edge-file.ts';
import { findCheckpoint } from '../store/checkpoints.store.ts';
import { haltLog, savePublished, type Head } from '../store/head.store.ts';
import { forgetTexts, leafTexts } from '../store/leaf.store.ts';
import { deleteUpload, nextUpload } from '../store/upload.store.ts';
import type { RequireLock, WriterDeps } from './deps.ts';
import { CHECKPOINT, EDGES, freeEdge } from './stored-log.ts';
import { askWitness } from './witnesses.ts';

/** When each witness has last signed the newest checkpoint, by the clock of `monotonicMs`. */
export type WitnessTimes = Map<Witness, number>;

/**
 * Brings the checkpoint of a head to readers: full tiles and bundles, the entries of the open bundle, witnesses, and last the checkpoint
 * itself (proof.md 3.2). May be ended anywhere and repeated. Returns false when a witness or the store contradicts the
 * log: the caller starts it anew, and the start says why it halts.
 */
export async function publishHead(
  deps: WriterDeps,
  head: Head,
  { requireLock, witnessTimes }: { readonly requireLock: RequireLock; readonly witnessTimes: WitnessTimes },
): Promise<boolean> {
  await uploadFull(deps, requireLock);
  await uploadEdge(deps, head, requireLock);
  if (!(await askWitnesses(deps, head, witnessTimes))) return false;
  const checkpoint = await findCheckpoint(deps.pool, { size: head.size });
  if (checkpoint === undefined) throw new Error(`the log has no checkpoint of size ${head.size}`);
  // A new one would cover up that the store was emptied.
  if (head.published > 0 && !(await deps.files.has(CHECKPOINT))) return false;
  await requireLock();
  await deps.files.write(CHECKPOINT, checkpoint.text);
  await savePublished(deps.pool, head.size);
  return true;
}

async function uploadFull({ pool, files }: WriterDeps, requireLock: RequireLock): Promise<void> {
  for (;;) {
    const upload = await nextUpload(pool);
    if (upload === undefined) return;
    const { path, bytes } = upload;
    await requireLock();
    await files.write(path, bytes);
    const tile = parseTilePath(path);
    await transact(pool, async (tx) => {
      if (tile?.level === 'entries') {
        const from = tile.index * TILE_WIDTH;
        await forgetTexts(tx, from, from + TILE_WIDTH);
      }
      await deleteUpload(tx, path);
    });
  }
}

/** The file that belongs to the published checkpoint stays: with it the database can be restored. */
async function uploadEdge({ pool, files }: WriterDeps, head: Head, requireLock: RequireLock): Promise<void> {
  const open = head.size % TILE_WIDTH;
  if (open === 0 || head.size === head.published) return;
  const entries = await leafTexts(pool, head.size - open, head.size);
  if (entries === undefined) throw new Error('entries of the open bundle are not in the database');
  const free = await freeEdge(files, head.published);
  await requireLock();
  await files.write(EDGES[free], writeEdge({ size: head.size, entries }));
}

/** All at once. False when the log contradicts what one of them has seen: the log is halted then. */
async function askWitnesses(deps: WriterDeps, head: Head, times: WitnessTimes): Promise<boolean> {
  const answers = await Promise.all(
    deps.witnesses.map(async (witness) => ({ witness, answer: await askWitness(deps, witness, head.note) })),
  );
  let isAgreed = true;
  for (const { witness, answer } of answers) {
    if (answer.kind === 'cosigned') times.set(witness, monotonicMs());
    else if (answer.kind === 'failed')
      deps.log.warn({ witness: witness.name, why: answer.why }, 'a witness has not signed');
    else {
      isAgreed = false;
      await haltLog(deps.pool, answer.why);
    }
  }
  return isAgreed;
}
