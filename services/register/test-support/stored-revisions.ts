import { createHash } from 'node:crypto';
import { toJsonText } from '@procurement/domain/json-text';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { namedStatement } from '@procurement/kit/database/named-statement';
import type pg from 'pg';
import { changedMembers } from '../src/revisions/domain/patch.ts';
import { tenderColumns } from '../src/revisions/domain/tender-columns.ts';

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

const ADD_REVISION =
  namedStatement(`INSERT INTO revision (position, id, rev, previous_of_tender, listed, is_test, causes, changed,
    status, method, buyer, currency, amount, cpv, regions, bytes, digest)
  VALUES (:position, :id, :rev, :previousOfTender, :listed, :isTest, :causes, :changed,
    :status, :method, :buyer, :currency, :amount, :cpv, :regions, :bytes, :digest)`);
const SAVE_TENDER =
  namedStatement(`INSERT INTO tender (id, number, position, rev, created, listed, is_test, complete, status, method,
    buyer, currency, amount, cpv, regions, title)
  VALUES (:id, :number, :position, :rev, :position, :listed, :isTest, TRUE, :status, :method,
    :buyer, :currency, :amount, :cpv, :regions, :title)
  ON CONFLICT (id) DO UPDATE SET position = :position, rev = :rev, listed = :listed, is_test = :isTest, status = :status`);

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
  const position = BigInt(parseInstant(columns.dateModified));
  const text = publicText(tender);
  const previous = await pool.query(
    'SELECT r.position, t.text FROM revision r JOIN revision_text t USING (position) WHERE id = $1 ORDER BY rev DESC LIMIT 1',
    [columns.id],
  );
  const before = previous.rows[0];
  const changed = before === undefined ? null : changedMembers(JSON.parse(before.text).data, tender);
  const digest = createHash('sha256').update(text).digest().subarray(0, 16);
  const { id, number, isTest, status, method, buyer, currency, amount, cpv, regions, title } = columns;
  const filters = { id, number, isTest, status, method, buyer, currency, amount, cpv, regions, title };
  const revision = { ...filters, position, rev, listed, causes, changed, previousOfTender: before?.position };
  const size = { bytes: listed ? Buffer.byteLength(text) : 0, digest: listed ? digest : null };
  await pool.query(ADD_REVISION({ ...revision, ...size }));
  if (listed) await pool.query('INSERT INTO revision_text (position, text) VALUES ($1, $2)', [position, text]);
  await pool.query(SAVE_TENDER(revision));
  await pool.query(
    'INSERT INTO tender_body (id, body) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body',
    [columns.id, text],
  );
  await setPosition(pool, position);
}
