import type { ExportKind } from '@procurement/contracts/resources/export';
import { namedStatement } from '@procurement/kit/database/named-statement';
import type pg from 'pg';
import { readPointer, type MemberPath } from '../revisions/domain/redact-text.ts';
import type { FinishedFile } from '../exports/domain/export-manifest.ts';

/** A redaction whose export files are still to be written again. */
export interface PendingRedaction {
  readonly id: string;
  readonly tender: string;
  readonly path: MemberPath;
  /** Positions of its revisions. */
  readonly positions: ReadonlySet<bigint>;
}

/** A file that may have lines of the redacted revisions. */
export interface SuspectFile {
  readonly name: string;
  readonly n: number;
  readonly kind: ExportKind;
  readonly key: string;
  readonly hasZstd: boolean;
}

/** A file that was written again, and the one before it, which is still stored. */
export interface ReplacedFile {
  readonly name: string;
  readonly n: number;
  readonly formerKey: string;
  /** What the database has of the file now; undefined when its export is gone. */
  readonly file: RewrittenFile | undefined;
}

/** What is stored of a file that was written again. */
export type RewrittenFile = Pick<FinishedFile, 'key' | 'bytes' | 'rawBytes' | 'sha256' | 'zstd'>;

/** Files of exports under redactions, by the session that has the lock of exports: no file is being made meanwhile. */
export interface RedactionFiles {
  next(): Promise<PendingRedaction | undefined>;
  suspect(id: string): Promise<SuspectFile | undefined>;
  /** It has no such line. */
  pass(id: string, file: SuspectFile): Promise<void>;
  replace(id: string, file: SuspectFile, rewritten: RewrittenFile): Promise<void>;
  replaced(id: string): Promise<ReplacedFile | undefined>;
  removed(id: string, file: ReplacedFile): Promise<void>;
  /** Keys of files that a process began and never finished. */
  unfinished(): Promise<readonly string[]>;
  /** False while files of exports that are kept no longer are still to be removed. */
  finish(id: string): Promise<boolean>;
  fail(id: string, error: string, retrySeconds: number): Promise<void>;
}

const NEXT = `SELECT id, replace(tender::text, '-', '') AS tender, pointer, (SELECT coalesce(array_agg(position), '{}') FROM revision
    WHERE revision.id = tender AND rev BETWEEN first_rev AND last_rev AND listed) AS positions
  FROM redaction WHERE files_at IS NULL AND (retry_at IS NULL OR retry_at <= now()) ORDER BY redaction.id LIMIT 1`;
const SUSPECT = `SELECT name, n, kind, key, zstd_sha256 IS NOT NULL AS "hasZstd"
  FROM redaction JOIN export_run ON kind IN ('tenders', 'revisions', 'changes') JOIN export_file USING (name)
  WHERE redaction.id = $1 AND sha256 IS NOT NULL AND state <> 'removing'
    AND NOT EXISTS (SELECT FROM redaction_file AS seen WHERE seen.redaction = $1 AND seen.name = export_file.name AND seen.n = export_file.n)
    AND EXISTS (SELECT FROM revision WHERE revision.id = redaction.tender AND rev BETWEEN first_rev AND last_rev
      AND revision.position BETWEEN export_file.first AND export_file.last)
  ORDER BY name, n LIMIT 1`;
const PASS = 'INSERT INTO redaction_file (redaction, name, n, done) VALUES ($1, $2, $3, TRUE)';
const REPLACE =
  namedStatement(`WITH file AS (UPDATE export_file SET key = :key, bytes = :bytes, raw_bytes = :rawBytes, sha256 = :sha256,
      zstd_bytes = :zstdBytes, zstd_sha256 = :zstdSha256
    WHERE name = :name AND n = :n AND key = :former RETURNING key)
  INSERT INTO redaction_file (redaction, name, n, former_key, done) SELECT :id, :name, :n, :former, FALSE FROM file`);
const REPLACED = `SELECT seen.name, seen.n, seen.former_key AS "formerKey", key, bytes, raw_bytes AS "rawBytes", sha256,
    zstd_bytes AS "zstdBytes", zstd_sha256 AS "zstdSha256"
  FROM redaction_file AS seen LEFT JOIN export_file ON export_file.name = seen.name AND export_file.n = seen.n
  WHERE redaction = $1 AND NOT done ORDER BY seen.name, seen.n LIMIT 1`;
const REMOVED = 'UPDATE redaction_file SET done = TRUE WHERE redaction = $1 AND name = $2 AND n = $3';
const UNFINISHED = 'SELECT key FROM export_file WHERE sha256 IS NULL';
const FINISH = `UPDATE redaction SET files_at = now(), error = NULL, retry_at = NULL
  WHERE id = $1 AND NOT EXISTS (SELECT FROM export_run WHERE state = 'removing')`;
const FAIL = 'UPDATE redaction SET error = $2, retry_at = now() + make_interval(secs => $3) WHERE id = $1';

interface NextRow {
  readonly id: string;
  readonly tender: string;
  readonly pointer: string;
  readonly positions: readonly string[];
}

interface ReplacedRow {
  readonly name: string;
  readonly n: number;
  readonly formerKey: string;
  readonly key: string | null;
  readonly bytes: string;
  readonly rawBytes: string;
  readonly sha256: string;
  readonly zstdBytes: string | null;
  readonly zstdSha256: string | null;
}

export function redactionFiles(db: pg.ClientBase): RedactionFiles {
  return {
    async next() {
      const { rows } = await db.query<NextRow>(NEXT);
      if (rows[0] === undefined) return undefined;
      const { id, tender, pointer, positions } = rows[0];
      return { id, tender, path: readPointer(pointer) ?? [], positions: new Set(positions.map(BigInt)) };
    },
    async suspect(id) {
      return (await db.query<SuspectFile>(SUSPECT, [id])).rows[0];
    },
    async pass(id, { name, n }) {
      await db.query(PASS, [id, name, n]);
    },
    async replace(id, { name, n, key: former }, { key, bytes, rawBytes, sha256, zstd }) {
      const file = { key, bytes, rawBytes, sha256, zstdBytes: zstd?.bytes, zstdSha256: zstd?.sha256 };
      await db.query(REPLACE({ id, name, n, former, ...file }));
    },
    async replaced(id) {
      const { rows } = await db.query<ReplacedRow>(REPLACED, [id]);
      return rows[0] === undefined ? undefined : replacedFile(rows[0]);
    },
    async removed(id, { name, n }) {
      await db.query(REMOVED, [id, name, n]);
    },
    async unfinished() {
      return (await db.query<{ key: string }>(UNFINISHED)).rows.map(({ key }) => key);
    },
    async finish(id) {
      return (await db.query(FINISH, [id])).rowCount === 1;
    },
    async fail(id, error, retrySeconds) {
      await db.query(FAIL, [id, error, retrySeconds]);
    },
  };
}

function replacedFile({
  name,
  n,
  formerKey,
  key,
  bytes,
  rawBytes,
  sha256,
  zstdBytes,
  zstdSha256,
}: ReplacedRow): ReplacedFile {
  const zstd = zstdBytes === null || zstdSha256 === null ? undefined : { bytes: Number(zstdBytes), sha256: zstdSha256 };
  const file = key === null ? undefined : { key, bytes: Number(bytes), rawBytes: Number(rawBytes), sha256, zstd };
  return { name, n, formerKey, file };
}

/** Redactions of a member of a tender whose files are not done, and why not. */
export interface OpenRedactions {
  readonly open: number;
  readonly error: string | undefined;
}

const OPEN = `SELECT count(*)::integer AS open, max(error) AS error FROM redaction WHERE tender = $1 AND pointer = $2 AND files_at IS NULL`;

export async function openRedactions(pool: pg.Pool, tender: string, pointer: string): Promise<OpenRedactions> {
  const { rows } = await pool.query<{ open: number; error: string | null }>(OPEN, [tender, pointer]);
  return { open: rows[0]?.open ?? 0, error: rows[0]?.error ?? undefined };
}
