import type pg from 'pg';
import type { Draft, Leaf, StateName } from '../domain/draft.ts';
import { buildLeaf } from '../domain/draft.ts';

type Db = pg.Pool | pg.PoolClient;

/** A leaf of a tender, as readers see it. */
export interface TenderLeaf {
  readonly index: number;
  readonly kind: string;
  readonly rev: number;
  readonly position: number;
  readonly redactedBy: number | undefined;
}

const INSERT = `WITH entries AS (INSERT INTO open_entry (index, text)
    SELECT * FROM unnest($7::bigint[], $8::text[]))
  INSERT INTO leaf (index, tender, rev, position, kind, hash)
  SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::text[], $6::bytea[])`;
const REDACT = 'UPDATE leaf SET redacted_by = $1 WHERE tender = $2 AND rev = $3 AND position = $4 AND index < $1';
const HASHES = 'SELECT hash FROM leaf WHERE index >= $1 AND index < $2 ORDER BY index';
const TEXTS = 'SELECT text FROM open_entry WHERE index >= $1 AND index < $2 ORDER BY index';
const FORGET_TEXTS = 'DELETE FROM open_entry WHERE index >= $1 AND index < $2';
const NEWEST = `SELECT position::text FROM leaf WHERE kind IN ('publication', 'baseline') ORDER BY leaf.index DESC LIMIT 1`;
const NEWEST_RESTORE = `SELECT index::text FROM leaf WHERE kind = 'restore' ORDER BY leaf.index DESC LIMIT 1`;
const LAST_NUMBERED = `SELECT index::text FROM leaf WHERE kind = 'publication' AND position <= $1 ORDER BY leaf.index DESC LIMIT 1`;
const OF_STATE = `SELECT index::text, kind, hash FROM leaf WHERE tender = $1 AND rev = $2 AND position = $3 ORDER BY leaf.index`;
const OF_TENDER = `SELECT index::text, kind, rev::text, position::text, redacted_by::text AS "redactedBy" FROM leaf
  WHERE tender = $1 AND index > $2 AND index < $3 ORDER BY leaf.index LIMIT $4`;
const HAS_TENDER = 'SELECT FROM leaf WHERE tender = $1 AND index < $2 LIMIT 1';

/** Stores new leaves. `texts` says which of them keep their entry. */
export async function insertLeaves(
  tx: pg.PoolClient,
  leaves: readonly Leaf[],
  keepsText: (leaf: Leaf) => boolean = () => true,
): Promise<void> {
  const open = leaves.filter(keepsText);
  await tx.query({
    name: 'leaf-insert',
    text: INSERT,
    values: [
      leaves.map(({ index }) => index),
      leaves.map(({ state }) => state?.tender ?? null),
      leaves.map(({ state }) => state?.rev ?? null),
      leaves.map(({ state }) => state?.position ?? null),
      leaves.map(({ kind }) => kind),
      leaves.map(({ hash }) => hash),
      open.map(({ index }) => index),
      open.map(({ text }) => text),
    ],
  });
  for (const { kind, index, state } of leaves) {
    if (kind !== 'redaction' || state === undefined) continue;
    // Earlier redactions of the state too: their blinds would let a reader guess what the later one has removed.
    await tx.query(REDACT, [index, state.tender, state.rev, state.position]);
  }
}

/** Hashes of leaves `from` ≤ index < `to`. */
export async function leafHashes(db: Db, from: number, to: number): Promise<readonly Buffer[]> {
  const { rows } = await db.query<{ hash: Buffer }>({ name: 'leaf-hashes', text: HASHES, values: [from, to] });
  if (rows.length !== to - from) throw new Error(`leaves ${from} to ${to} are not all there`);
  return rows.map(({ hash }) => hash);
}

/** Entries of leaves `from` ≤ index < `to`; undefined when one of them is in the store only. */
export async function leafTexts(db: Db, from: number, to: number): Promise<readonly string[] | undefined> {
  const { rows } = await db.query<{ text: string }>(TEXTS, [from, to]);
  return rows.length === to - from ? rows.map(({ text }) => text) : undefined;
}

/** Forgets entries that are in the store. */
export async function forgetTexts(db: Db, from: number, to: number): Promise<void> {
  await db.query(FORGET_TEXTS, [from, to]);
}

/** The greatest position that was ever logged; positions increase (proof.md 3.1, L3). */
export async function newestPosition(db: Db): Promise<number> {
  const { rows } = await db.query<{ position: string }>(NEWEST);
  return Number(rows[0]?.position ?? 0);
}

/** Index of the newest entry `restore`; undefined without one. */
export async function newestRestore(db: Db): Promise<number | undefined> {
  return readIndex((await db.query<{ index: string }>(NEWEST_RESTORE)).rows[0]);
}

/** Index of the last publication at or before a position. */
export async function lastPublication(db: Db, position: number): Promise<number | undefined> {
  return readIndex((await db.query<{ index: string }>(LAST_NUMBERED, [position])).rows[0]);
}

function readIndex(row: { readonly index: string } | undefined): number | undefined {
  return row === undefined ? undefined : Number(row.index);
}

/** Whether the log has a state, and whether it has this redaction of it already. */
export async function findRedacted(
  db: Db,
  draft: Draft & StateName,
  blindKey: Uint8Array,
): Promise<{ readonly isLogged: boolean; readonly isRedacted: boolean }> {
  const { tender, rev, position } = draft;
  const { rows } = await db.query<{ index: string; kind: string; hash: Buffer }>(OF_STATE, [tender, rev, position]);
  return {
    isLogged: rows.some(({ kind }) => kind !== 'redaction'),
    // An entry is determined by what it says and by its index.
    isRedacted: rows.some(({ index, hash }) => buildLeaf(draft, Number(index), blindKey).hash.equals(hash)),
  };
}

/** Leaves of a tender after an index, of a log of this size. */
export async function tenderLeaves(
  db: Db,
  { tender, after, size, rowsMax }: { tender: string; after: number; size: number; rowsMax: number },
): Promise<readonly TenderLeaf[]> {
  const { rows } = await db.query<
    Readonly<Record<'index' | 'kind' | 'rev' | 'position', string>> & { redactedBy: string | null }
  >({
    name: 'leaf-of-tender',
    text: OF_TENDER,
    values: [tender, after, size, rowsMax],
  });
  return rows.map(({ index, kind, rev, position, redactedBy }) => ({
    index: Number(index),
    kind,
    rev: Number(rev),
    position: Number(position),
    redactedBy: redactedBy === null ? undefined : Number(redactedBy),
  }));
}

export async function hasTender(db: Db, tender: string, size: number): Promise<boolean> {
  return (await db.query({ name: 'leaf-has-tender', text: HAS_TENDER, values: [tender, size] })).rowCount === 1;
}
