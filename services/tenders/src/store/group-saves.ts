import { batchWrites } from '@procurement/kit/database/batch-writes';
import { isDatabaseUnavailable, isLockTimeout, sqlState } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import {
  prepareSave,
  writeSaves,
  writeSavesTogether,
  type PreparedSave,
  type SaveContext,
  type SaveDeps,
  type SaveResult,
  type TenderToSave,
} from './save-tenders.ts';

/** Left the group: it is saved by itself. */
const ALONE = 'alone';

/** A larger save would hold the others for the time of its writing. Characters of the document; the view is about as long. */
const DOCUMENT_LENGTH_MAX = 65_536;
const GROUP_MAX = 32;

/**
 * Saves changes that begin and end no wait, each in one statement without a transaction around it. Changes of different tenders that
 * wait at the same time are saved by one statement and one commit; a group waits for no row, and one that fails is saved one by
 * one, so that each meets its own failure only (decision 0080).
 */
export function groupSaves(
  pool: pg.Pool,
  deps: SaveDeps,
): (change: TenderToSave, context: SaveContext) => Promise<SaveResult | undefined> {
  const saveTogether = batchWrites(async (saves: readonly PreparedSave[]) => {
    const group = oneOfEachTender(saves);
    const results = await writeGroup(pool, deps, group);
    const resultOf = new Map(group.map((save, n) => [save, results?.[n]]));
    return saves.map((save) => resultOf.get(save) ?? ALONE);
  }, GROUP_MAX);
  return async (change, context) => {
    const save = prepareSave(deps, change, context);
    const isLarge = save.row.document.length > DOCUMENT_LENGTH_MAX;
    const result = isLarge ? ALONE : await saveTogether(save);
    if (result !== ALONE) return result;
    const [saved] = await writeSaves(pool, deps, [save]);
    return saved;
  };
}

/** Of two changes of one tender, the second was decided by a state that the first replaces. */
function oneOfEachTender(saves: readonly PreparedSave[]): readonly PreparedSave[] {
  const byId = new Map<string, PreparedSave>();
  for (const save of saves) if (!byId.has(save.change.state.id)) byId.set(save.change.state.id, save);
  return [...byId.values()];
}

/** Undefined when nothing was saved. Throws when that is not certain. */
async function writeGroup(
  pool: pg.Pool,
  deps: SaveDeps,
  group: readonly PreparedSave[],
): Promise<readonly SaveResult[] | undefined> {
  try {
    return await writeSavesTogether(pool, deps, group);
  } catch (error) {
    // A group waits for the lock of the feed only.
    if (sqlState(error) === undefined || isDatabaseUnavailable(error) || isLockTimeout(error)) throw error;
    return undefined;
  }
}
