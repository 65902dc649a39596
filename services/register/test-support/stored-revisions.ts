import { createHash } from 'node:crypto';
import { toJsonText } from '@procurement/domain/json-text';
import { instantOf } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { changedMembers } from '../src/domain/patch.ts';
import { tenderColumns } from '../src/domain/tender-columns.ts';

type Members = Readonly<Record<string, unknown>>;

/** A publication of the owner. Its position is the tender's `dateModified`. */
export interface Publication {
  readonly rev: number;
  readonly tender: Members;
  readonly listed?: boolean;
  /** Bit set (register.md 4.2). */
  readonly causes?: bigint;
}

/** The public text of a tender, as the owner publishes it. */
export function publicText(tender: Members): string {
  return `{"data":${toJsonText(tender)}}`;
}

/** Stores publications as the follower does, in the order of their positions, and moves the position of the service. */
export async function storeRevisions(pool: pg.Pool, publications: readonly Publication[]): Promise<void> {
  for (const publication of publications) await storeRevision(pool, publication);
}

/** The position up to which everything was applied. */
export async function setPosition(pool: pg.Pool, position: bigint): Promise<void> {
  await pool.query(
    `INSERT INTO follow (id, position, epoch, horizon, followed_from) VALUES (1, $1, 1, 0, 0)
      ON CONFLICT (id) DO UPDATE SET position = $1, backfill = NULL`,
    [position],
  );
}

async function storeRevision(pool: pg.Pool, { rev, tender, listed = true, causes = 2n }: Publication): Promise<void> {
  const columns = tenderColumns(tender);
  const position = BigInt(instantOf(columns.dateModified));
  const text = publicText(tender);
  const previous = await pool.query(
    'SELECT r.position, t.text FROM revision r JOIN revision_text t USING (position) WHERE id = $1 ORDER BY rev DESC LIMIT 1',
    [columns.id],
  );
  const before = previous.rows[0];
  const changed = before === undefined ? null : changedMembers(JSON.parse(before.text).data, tender);
  const digest = createHash('sha256').update(text).digest().subarray(0, 16);
  const attributes = [columns.status, columns.method, columns.buyer, columns.currency, columns.amount];
  await pool.query(
    `INSERT INTO revision (position, id, rev, previous_of_tender, listed, is_test, causes, changed, status, method, buyer,
        currency, amount, cpv, regions, bytes, digest)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      position,
      columns.id,
      rev,
      before?.position,
      listed,
      columns.isTest,
      causes,
      changed,
      ...attributes,
      columns.cpv,
      columns.regions,
      listed ? Buffer.byteLength(text) : 0,
      listed ? digest : null,
    ],
  );
  if (listed) await pool.query('INSERT INTO revision_text (position, text) VALUES ($1, $2)', [position, text]);
  await pool.query(
    `INSERT INTO tender (id, number, position, rev, created, listed, is_test, complete, status, method, buyer, currency, amount,
        cpv, regions, title)
      VALUES ($1, $2, $3, $4, $3, $5, $6, TRUE, $7, $8, $9, $10, $11, $12, $13, $14)
      ON CONFLICT (id) DO UPDATE SET position = $3, rev = $4, listed = $5, is_test = $6, status = $7`,
    [
      columns.id,
      columns.number,
      position,
      rev,
      listed,
      columns.isTest,
      ...attributes,
      columns.cpv,
      columns.regions,
      columns.title,
    ],
  );
  await pool.query(
    'INSERT INTO tender_body (id, body) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
    [columns.id, text],
  );
  await setPosition(pool, position);
}
