import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import type { PlannedTender } from './domain/revision-plan.ts';
import { readFollow, type Backfill } from './follow.store.ts';
import { readText } from './read-texts.ts';
import { saveTenders } from './save-tenders.ts';
import { removeContributions } from '../statistics/save-contributions.ts';
import { removeTerms } from '../search/save-terms.ts';
import { tenderOfRow, type TenderRow } from './tender-row.ts';

/** A restore of the owner's database: publications after `restoredTo` and before `began` were lost there (register.md 2.7). */
export interface Epoch {
  readonly epoch: number;
  readonly restoredTo: number;
  readonly began: number;
}

const VOID = 'UPDATE revision SET void = true WHERE position > $1 AND NOT void';
const MOVED = "SELECT replace(id::text, '-', '') AS id FROM tender WHERE position > $1";
const REMOVE = ['tender_body', 'tender'].map((table) => `DELETE FROM ${table} WHERE id = ANY($1::uuid[])`);
// The newest revision that is left, and the newest text, which a revision that is not listed lacks.
const LEFT = `SELECT replace(tender.id::text, '-', '') AS id, last.position, last.rev, last.listed, last.is_test AS "isTest",
    tender.created, tender.complete, newest.text
  FROM tender
  JOIN LATERAL (SELECT position, rev, listed, is_test FROM revision WHERE revision.id = tender.id AND NOT void
    ORDER BY rev DESC, position DESC LIMIT 1) AS last ON true
  LEFT JOIN LATERAL (SELECT position FROM revision WHERE revision.id = tender.id AND NOT void AND bytes > 0
    ORDER BY rev DESC, position DESC LIMIT 1) AS shown ON true
  LEFT JOIN revision_text AS newest ON newest.position = shown.position
  WHERE tender.id = ANY($1::uuid[])`;
const STEP = `UPDATE follow SET epoch = $1, position = least(position, $2), horizon = least(horizon, $2),
  followed_from = least(followed_from, $2), backfill = $3 WHERE id = 1`;

interface LeftRow extends TenderRow {
  readonly id: string;
  /** Null when it is packed already. */
  readonly text: string | null;
}

/** Tenders that are read and written at a time. */
const CHUNK = 200;

/**
 * Takes back, in one transaction, what the owner has lost: tenders go back to their newest revision that is left, or are removed.
 * Those whose text is packed already are removed too, and listed by the owner again.
 */
export async function applyEpoch(pool: pg.Pool, epoch: Epoch): Promise<void> {
  await transact(pool, async (tx) => {
    const stored = await readFollow(tx, 'lock');
    if (stored === undefined || stored.epoch >= epoch.epoch) return;
    const { restoredTo, began } = epoch;
    await tx.query('INSERT INTO epoch_void (epoch, restored_to, began) VALUES ($1, $2, $3)', [
      epoch.epoch,
      restoredTo,
      began,
    ]);
    await tx.query(VOID, [restoredTo]);
    const { rows } = await tx.query<{ id: string }>(MOVED, [restoredTo]);
    let isListingNeeded = stored.backfill !== undefined;
    for (let at = 0; at < rows.length; at += CHUNK) {
      const ids = rows.slice(at, at + CHUNK).map(({ id }) => id);
      if (await goBack(tx, ids)) isListingNeeded = true;
    }
    const backfill = isListingNeeded ? relist(restoredTo) : undefined;
    await tx.query(STEP, [epoch.epoch, restoredTo, backfill === undefined ? null : JSON.stringify(backfill)]);
  });
}

/** True when texts of tenders that are left are not at hand. */
async function goBack(tx: pg.PoolClient, ids: readonly string[]): Promise<boolean> {
  const { rows } = await tx.query<LeftRow>(LEFT, [ids]);
  await removeTerms(tx, ids);
  await removeContributions(tx, ids);
  for (const statement of REMOVE) await tx.query(statement, [ids]);
  const tenders: PlannedTender[] = [];
  for (const { id, text, ...row } of rows)
    if (text !== null) tenders.push({ ...tenderOfRow(id, row), body: text, ...(await readColumns(tx, text)) });
  await saveTenders(tx, tenders, new Map());
  return rows.some(({ text }) => text === null);
}

/** A text that could not be read before cannot be read now. */
async function readColumns(tx: pg.PoolClient, body: string): Promise<Pick<PlannedTender, 'columns' | 'derived'>> {
  const { tender } = await readText(tx, body);
  return { columns: tender?.columns, derived: tender?.derived };
}

/** The listing begins anew: what was listed before may be void. */
function relist(restoredTo: number): Backfill {
  return { after: 0, upTo: restoredTo, until: restoredTo };
}
