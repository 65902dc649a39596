import { parseEntry } from '@procurement/proof/entries';
import type pg from 'pg';
import { lastPublication, leafTexts, newestPosition, newestRestore } from '../store/leaf.store.ts';
import type { WriterDeps } from './deps.ts';
import { readEntryText } from './stored-log.ts';

type Db = pg.Pool | pg.PoolClient;
type Deps = Pick<WriterDeps, 'files'>;

async function entryAt(deps: Deps, db: Db, index: number): Promise<ReturnType<typeof parseEntry>> {
  const texts = await leafTexts(db, index, index + 1);
  return parseEntry(await readEntryText(deps, texts, index));
}

/** Number of the last publication at or before a position: the next one continues it (proof.md 3.1, L2). */
export async function numberAt(deps: Deps, db: Db, position: number): Promise<number | undefined> {
  const index = await lastPublication(db, position);
  const entry = index === undefined ? undefined : await entryAt(deps, db, index);
  return entry?.kind === 'publication' ? Number(entry.number) : undefined;
}

/** What the next `restore` must begin after: the newest logged position, and the beginning of the restore before. */
export async function newestLogged(deps: Deps, db: Db): Promise<number> {
  const index = await newestRestore(db);
  const entry = index === undefined ? undefined : await entryAt(deps, db, index);
  const began = entry?.kind === 'restore' ? Number(entry.began) : 0;
  return Math.max(began, await newestPosition(db));
}
