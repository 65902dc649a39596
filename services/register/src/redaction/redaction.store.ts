import { createHash } from 'node:crypto';
import { appendAudit, logAudit, operatorAct } from '@procurement/kit/database/audit';
import { transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { withoutMemberOfBody, type MemberPath } from '../revisions/domain/redact-text.ts';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import { parsePublicTender, tenderColumns } from '../revisions/domain/tender-columns.ts';
import { splitIntoChunks } from '../ocds/byte-chunks.ts';
import { readFollow } from '../follow/follow.store.ts';
import { lockTexts } from '../revisions/packing.store.ts';
import { storedDerived } from '../follow/save-derived.ts';
import { releaseBodies, RELEASE_BYTES } from '../ocds/release-bodies.ts';
import { saveTenders } from '../follow/save-tenders.ts';
import { derivedText } from '../follow/read-texts.ts';
import { storableJson } from '../revisions/storable-json.ts';
import { tenderOfRow, type TenderRow } from '../follow/tender-row.ts';
import { packTexts, unpackTexts } from '../revisions/text-packs.ts';

/** A member that is to be removed from the texts of a tender. */
export interface RedactionRequest {
  readonly tender: string;
  /** The member as a JSON Pointer; `path` is the pointer after reading. */
  readonly pointer: string;
  readonly path: MemberPath;
  /** Both inclusive. Absent: all revisions. */
  readonly revs?: { readonly first: number; readonly last: number } | undefined;
  readonly reason: string;
}

export type RedactionResult =
  | {
      readonly kind: 'redacted';
      /** Number of revisions whose text had the member. */
      readonly revisions: number;
      /** The texts of what was removed. */
      readonly removed: readonly string[];
    }
  /** No text of these revisions has the member; `isRepeated`: it was removed before. */
  | { readonly kind: 'nothing'; readonly isRepeated: boolean }
  | { readonly kind: 'refused'; readonly because: string };

class RefusedError extends Error {}

const TENDER = `SELECT tender.position, tender.rev, listed, is_test AS "isTest", created, complete, body,
    encode(text_hash, 'hex') AS hash, contribution,
    (SELECT max(rev) FROM revision WHERE revision.id = tender.id AND revision.listed AND NOT void) AS "bodyRev"
  FROM tender LEFT JOIN tender_body USING (id) LEFT JOIN tender_contribution USING (id) WHERE tender.id = $1`;
const REVISIONS = `SELECT position, rev, void, flags & ${REVISION_FLAGS.redacted} <> 0
    AND EXISTS (SELECT FROM redaction WHERE tender = $1 AND pointer = $4 AND revision.rev BETWEEN first_rev AND last_rev)
    AND EXISTS (SELECT FROM revision AS former WHERE former.id = $1 AND former.rev = revision.rev AND former.position < revision.position)
    AND NOT EXISTS (SELECT FROM redaction_text WHERE redaction_text.position = revision.position AND member = $4) AS untold
  FROM revision WHERE id = $1 AND rev BETWEEN $2 AND $3 AND listed ORDER BY position`;
const HOT = 'SELECT text FROM revision_text WHERE position = $1';
const HOT_SAVE = 'UPDATE revision_text SET text = $2 WHERE position = $1';
const PACKS = 'SELECT first_rev AS "firstRev" FROM revision_pack WHERE id = $1 AND first_rev <= $3 AND last_rev >= $2';
const PACK = 'SELECT pack FROM revision_pack WHERE id = $1 AND first_rev = $2';
const PACK_SAVE = 'UPDATE revision_pack SET pack = $3, raw_bytes = $4 WHERE id = $1 AND first_rev = $2';
// Columns of a text that cannot be read stay as they are: they are those of the text before it.
const REVISIONS_SAVE = `UPDATE revision SET flags = flags | ${REVISION_FLAGS.redacted}, bytes = row.bytes, digest = decode(row.digest, 'hex'),
    status = CASE WHEN row.read THEN row.status ELSE revision.status END,
    method = CASE WHEN row.read THEN row.method ELSE revision.method END,
    buyer = CASE WHEN row.read THEN row.buyer ELSE revision.buyer END,
    currency = CASE WHEN row.read THEN row.currency ELSE revision.currency END,
    amount = CASE WHEN row.read THEN row.amount ELSE revision.amount END,
    cpv = CASE WHEN row.read THEN row.cpv ELSE revision.cpv END,
    regions = CASE WHEN row.read THEN row.regions ELSE revision.regions END
  FROM json_to_recordset($1) AS row(position bigint, bytes integer, digest text, read boolean, status text, method text, buyer text,
    currency text, amount numeric, cpv integer[], regions text[]) WHERE revision.position = row.position`;
const INSERT = `INSERT INTO redaction (tender, pointer, first_rev, last_rev, by, reason) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`;
// Under the lock of the follower, so ids grow in the order of commits.
const TEXTS_SAVE = `INSERT INTO redaction_text (id, tender, rev, position, member, sha256, bytes)
  SELECT greatest((SELECT coalesce(max(id), 0) FROM redaction_text), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
      + row_number() OVER (ORDER BY position), $1, rev, position, $2, decode(sha256, 'hex'), bytes
  FROM json_to_recordset($3) AS row(rev bigint, position bigint, sha256 text, bytes integer)`;
const KNOWN = 'SELECT FROM redaction WHERE tender = $1 AND pointer = $2 LIMIT 1';
const RELEASES = `SELECT seq, ${RELEASE_BYTES} AS bytes FROM ocds_release JOIN ocds_record USING (ocid) WHERE tender_id = $1 ORDER BY seq`;
/** Bodies that are in memory at once. */
const BODIES_BYTES_MAX = 4_000_000;

interface StoredTender extends TenderRow {
  readonly body: string | null;
  readonly hash: string | null;
  readonly contribution: string | null;
  readonly bodyRev: string | null;
}

/**
 * Removes a member from the stored texts of a tender, in one transaction with the row that says so, and with the file work that it asks the
 * running service for (`filesAt`). Under the locks of the follower and of packing. Refused while the tender itself still shows the member.
 */
export async function redactRevisions(
  { pool, log }: { readonly pool: pg.Pool; readonly log: Logger },
  request: RedactionRequest,
): Promise<RedactionResult> {
  const act = operatorAct('redact', { tender: request.tender, pointer: request.pointer });
  try {
    const { rows, result } = await transact(pool, async (tx) => {
      await readFollow(tx, 'lock');
      await lockTexts(tx, request.tender);
      const { tender, pointer, reason } = request;
      const done = await redact(tx, request);
      if (done.texts.length > 0) await tx.query(TEXTS_SAVE, [tender, pointer, JSON.stringify(done.texts)]);
      const isRepeated = (await tx.query(KNOWN, [tender, pointer])).rowCount === 1;
      if (done.removed.length === 0) return { rows: [], result: { kind: 'nothing', isRepeated } as const };
      const inserted = await tx.query<{ id: string }>(INSERT, [
        tender,
        pointer,
        done.first,
        done.last,
        act.actor,
        reason,
      ]);
      const audited = await appendAudit(tx, act, { id: `redaction ${inserted.rows[0]?.id ?? ''}` });
      return { rows: audited, result: { kind: 'redacted', ...done } as const };
    });
    logAudit(log, rows);
    return result;
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', because: error.message };
    throw error;
  }
}

/** How many releases of a tender have one of these texts in a member, whether their bodies are in rows or in packs. */
export async function releasesWith(pool: pg.Pool, tender: string, texts: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ seq: string; bytes: number }>(RELEASES, [tender]);
  let count = 0;
  for (const chunk of splitIntoChunks(rows, BODIES_BYTES_MAX)) {
    const bodies = await releaseBodies(
      pool,
      chunk.map(({ seq }) => BigInt(seq)),
    );
    for (const body of bodies.values()) if (texts.some((text) => body.includes(text))) count += 1;
  }
  return count;
}

interface Redacted {
  readonly first: number;
  readonly last: number;
  readonly revisions: number;
  readonly removed: readonly string[];
  /** Rows of `redaction_text`. */
  readonly texts: readonly object[];
}

interface FoundRevision {
  readonly position: string;
  readonly rev: string;
  /** Nobody can read it, so it is in no row of `redaction_text`. */
  readonly void: boolean;
  /** It came again without the member, after a restore of the owner: a repeated command writes the row. */
  readonly untold: boolean;
}

async function redact(tx: pg.PoolClient, { tender, pointer, path, revs }: RedactionRequest): Promise<Redacted> {
  const { rows } = await tx.query<StoredTender>(TENDER, [tender]);
  const [stored] = rows;
  if (stored === undefined) throw new RefusedError('no tender with this id is here');
  const [first, last] = [revs?.first ?? 1, Math.min(revs?.last ?? Infinity, Number(stored.rev))];
  const removed = await redactBody(tx, { id: tender, stored, path, first, last });
  const found = await tx.query<FoundRevision>(REVISIONS, [tender, first, last, pointer]);
  const revisions = new Map(found.rows.map((row) => [BigInt(row.position), row]));
  const changed: object[] = [];
  const texts: object[] = [];
  const cut = (position: bigint, text: string): string | undefined => {
    const redacted = cutText(text, path);
    const revision = revisions.get(position);
    if (revision?.void === false && (redacted !== undefined || revision.untold)) {
      texts.push({ position: revision.position, rev: revision.rev, ...measureText(redacted?.text ?? text) });
    }
    if (redacted === undefined) return undefined;
    removed.push(...redacted.removed);
    changed.push(revisionRow(position, redacted.text));
    return redacted.text;
  };
  const positions = [...revisions.keys()];
  for (const position of positions) {
    const hot = (await tx.query<{ text: string }>(HOT, [position])).rows[0];
    const text = hot === undefined ? undefined : cut(position, hot.text);
    if (text !== undefined) await tx.query(HOT_SAVE, [position, text]);
  }
  await redactPacks(tx, { tender, first, last, positions: new Set(positions) }, cut);
  await tx.query(REVISIONS_SAVE, [storableJson(changed)]);
  return { first, last, revisions: changed.length, removed: [...new Set(removed)], texts };
}

interface StoredBody {
  readonly id: string;
  readonly stored: StoredTender;
  readonly path: MemberPath;
  readonly first: number;
  readonly last: number;
}

/** The newest public text. Of a tender that left the list it stays here, with what is derived from it. */
async function redactBody(tx: pg.PoolClient, { id, stored, path, first, last }: StoredBody): Promise<string[]> {
  const { body, bodyRev, hash, contribution, listed } = stored;
  const isAsked = bodyRev !== null && Number(bodyRev) >= first && Number(bodyRev) <= last;
  const redacted = body === null || !isAsked ? undefined : cutText(body, path);
  if (redacted === undefined) return [];
  if (listed) {
    throw new RefusedError(
      `the tender still shows it in revision ${stored.rev}: the Administrator changes it first, or --rev leaves this revision out`,
    );
  }
  const tender = parsePublicTender(redacted.text);
  const columns = tenderColumns(tender);
  const derived = await derivedText(tx, tender, columns);
  const planned = { ...tenderOfRow(id, stored), body: redacted.text, columns, derived };
  await saveTenders(tx, [planned], storedDerived([{ id, hash, contribution }]));
  return [...redacted.removed];
}

interface PackedRevisions {
  readonly tender: string;
  readonly first: number;
  readonly last: number;
  readonly positions: ReadonlySet<bigint>;
}

/** One pack after another: each is up to 4 MB without its compression. */
async function redactPacks(
  tx: pg.PoolClient,
  { tender, first, last, positions }: PackedRevisions,
  cut: (position: bigint, text: string) => string | undefined,
): Promise<void> {
  const packs = await tx.query<{ firstRev: string }>(PACKS, [tender, first, last]);
  for (const { firstRev } of packs.rows) {
    const { rows } = await tx.query<{ pack: Buffer }>(PACK, [tender, firstRev]);
    const before = rows[0] === undefined ? [] : await unpackTexts(rows[0].pack);
    const after = before.map(({ position, text }) => ({
      position,
      text: (positions.has(position) ? cut(position, text) : undefined) ?? text,
    }));
    if (after.every(({ text }, n) => text === before[n]?.text)) continue;
    const { pack, rawBytes } = await packTexts(after);
    await tx.query(PACK_SAVE, [tender, firstRev, pack, rawBytes]);
  }
}

function cutText(text: string, path: MemberPath): ReturnType<typeof withoutMemberOfBody> {
  try {
    return withoutMemberOfBody(text, path);
  } catch (error) {
    throw new RefusedError(`a text of these revisions cannot be read: ${error instanceof Error ? error.name : ''}`);
  }
}

function measureText(text: string): { readonly bytes: number; readonly sha256: string } {
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** Bytes and digest, as packing compares them, and what filters read. */
function revisionRow(position: bigint, text: string): object {
  const { bytes, sha256 } = measureText(text);
  const row = { position: String(position), bytes, digest: sha256.slice(0, 32) };
  try {
    const { status, method, buyer, currency, amount, cpv, regions } = tenderColumns(parsePublicTender(text));
    return { ...row, read: true, status, method, buyer, currency, amount, cpv, regions };
  } catch {
    return { ...row, read: false };
  }
}
