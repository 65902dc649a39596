import { OCDS_EXPORT_KINDS, type ExportKind } from '@procurement/contracts/resources/export';
import { namedStatement } from '@procurement/kit/database/named-statement';
import type pg from 'pg';
import type { FinishedFile } from './domain/export-manifest.ts';
import { finishedFile, type ExportFileRow } from './exports.store.ts';
import { EXPORT_RULES, type ExportableRange, type ExportPlan, type LastDays } from './domain/export-schedule.ts';

/** An export that is being made. */
export interface OpenExport extends ExportPlan {
  readonly withTests: boolean;
  /** Range of `seq` for releases and records: `from` is exclusive, `to` is inclusive. */
  readonly seqs: { readonly from: bigint; readonly to: bigint };
}

/** Whether exports of a kind have test tenders. */
export type WithTests = (kind: ExportKind) => boolean;

/** A file with the place up to which the walk has read for it. */
export interface StoredFile extends FinishedFile {
  readonly walkedTo: bigint;
}

/** State of exports as the process that makes them reads and writes it: by the session that holds the lock. */
export interface ExportRuns {
  /** Undefined before the first back-fill has ended, and while nothing was published. It has no releases where none are made any more. */
  range(isOcdsOn: boolean): Promise<ExportableRange | undefined>;
  lastDays(): Promise<LastDays>;
  /** Plans that exist already stay as they are. */
  plan(plans: readonly ExportPlan[], withTests: WithTests): Promise<void>;
  /** The first one that can be made now. */
  next(): Promise<OpenExport | undefined>;
  /** Files of a former epoch of the source, and files that were not finished. */
  abandoned(name: string): Promise<{ readonly epoch: number; readonly keys: readonly string[] }>;
  /** Begins an attempt without those files. Returns the last finished file. */
  begin(
    name: string,
    abandoned: { readonly epoch: number; readonly keys: readonly string[] },
  ): Promise<StoredFile | undefined>;
  addFile(name: string, n: number, key: string): Promise<void>;
  finishFile(name: string, file: StoredFile): Promise<void>;
  /** False when the source was restored meanwhile: the files may have what it has lost. */
  finish(name: string): Promise<boolean>;
  fail(name: string, error: string, retrySeconds: number): Promise<void>;
  /** Takes back exports that are kept no longer, and those that cannot be made any more. Returns all whose files are to be removed. */
  expire(): Promise<readonly { readonly name: string; readonly keys: readonly string[] }[]>;
  remove(name: string): Promise<void>;
}

const REACHED = 'greatest(follow.position, follow.horizon)';
// Of what is applied nothing is left to be projected: then the horizon counts for releases too.
const PROJECTED = `(SELECT CASE WHEN ocds_position.position >= follow.position THEN ${REACHED}
  ELSE ocds_position.position END FROM ocds_position WHERE ocds_position.id = 1)`;
const RANGE = `SELECT ${REACHED} AS reached, followed_from AS "followedFrom", (SELECT min(position) FROM revision) AS first,
    ${PROJECTED} AS projected
  FROM follow WHERE backfill IS NULL`;
// A name without a day's end is of an export until the moment at which it was asked for.
const LAST_DAYS = `SELECT kind, max(right(name, 10)) AS day FROM export_run WHERE name = kind || '-' || right(name, 10) GROUP BY kind`;
/**
 * The last release of the revisions up to a position: positions grow with `seq`. Rows loaded from the archive have a date only, which is
 * near.
 */
const lastSeq = (position: string): string =>
  `coalesce((SELECT seq FROM ocds_release WHERE position <= ${position} ORDER BY position DESC, seq DESC LIMIT 1),
    (SELECT seq FROM ocds_release WHERE position IS NULL AND date <= to_timestamp(${position} / 1000000.0)
      ORDER BY date DESC, seq DESC LIMIT 1), 0)`;
// The place of releases is stored with the plan: a rebuild may add some with the same positions, which belong to the next day. A day
// begins where the file of the day before ends.
const PLAN = `INSERT INTO export_run (name, kind, mode, position_from, position_to, seq_from, seq_to)
  SELECT name, kind, mode, "from", "to",
    CASE WHEN is_ocds AND "from" IS NOT NULL THEN coalesce((SELECT max(seq_to) FROM export_run AS before
      WHERE before.kind = plan.kind AND before.position_to = plan."from"), ${lastSeq('plan."from"')}) END,
    CASE WHEN is_ocds THEN ${lastSeq('plan."to"')} END
  FROM (SELECT *, kind = ANY($6::text[]) AS is_ocds FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
    AS given (name, kind, mode, "from", "to")) AS plan
  ON CONFLICT (name) DO NOTHING`;
const NEXT = `SELECT name, kind, mode, position_from AS "from", position_to AS "to", seq_from AS "seqFrom", seq_to AS "seqTo"
  FROM export_run WHERE state = 'open' AND (retry_at IS NULL OR retry_at <= now()) AND (seq_to IS NOT NULL
    OR EXISTS (SELECT FROM follow WHERE backfill IS NULL AND position_to BETWEEN followed_from AND ${REACHED}))
  ORDER BY position_to, name LIMIT 1`;
const ABANDONED = `SELECT follow.epoch, coalesce(array_agg(key) FILTER (WHERE key IS NOT NULL), '{}') AS keys
  FROM follow CROSS JOIN export_run LEFT JOIN export_file
    ON export_file.name = export_run.name AND (export_run.epoch IS DISTINCT FROM follow.epoch OR sha256 IS NULL)
  WHERE export_run.name = $1 GROUP BY follow.epoch`;
const BEGIN = `WITH begun AS (UPDATE export_run SET epoch = $2 WHERE name = $1)
  DELETE FROM export_file WHERE name = $1 AND key = ANY($3::text[])`;
const FILE_COLUMNS = `n, key, lines, bytes, raw_bytes AS "rawBytes", sha256, first, last, walked_to AS "walkedTo",
  zstd_bytes AS "zstdBytes", zstd_sha256 AS "zstdSha256"`;
const LAST_FILE = `SELECT ${FILE_COLUMNS} FROM export_file WHERE name = $1 ORDER BY n DESC LIMIT 1`;
const FINISH_FILE =
  namedStatement(`UPDATE export_file SET lines = :lines, bytes = :bytes, raw_bytes = :rawBytes, sha256 = :sha256,
    first = :first, last = :last, walked_to = :walkedTo, zstd_bytes = :zstdBytes, zstd_sha256 = :zstdSha256
  WHERE name = :name AND n = :n`);
const FINISH = `UPDATE export_run SET state = 'finished', finished = now(), error = NULL, retry_at = NULL FROM follow
  WHERE name = $1 AND state = 'open' AND follow.epoch = export_run.epoch`;
const FAIL = `UPDATE export_run SET error = $2, retry_at = now() + make_interval(secs => $3) WHERE name = $1`;
const BEYOND = `UPDATE export_run SET state = 'removing' WHERE state = 'finished' AND kind = $1
  AND name NOT IN (SELECT name FROM export_run WHERE state = 'finished' AND kind = $1 ORDER BY position_to DESC LIMIT $2)`;
const OLDER = `UPDATE export_run SET state = 'removing' WHERE state = 'finished' AND kind = $1
  AND position_to < (SELECT ${REACHED} - $2::bigint FROM follow)`;
// The register was away for longer than the log is kept: what they need is not here and does not come.
const IMPOSSIBLE = `UPDATE export_run SET state = 'removing' WHERE state = 'open' AND seq_to IS NULL
  AND position_to < (SELECT followed_from FROM follow WHERE backfill IS NULL)`;
const REMOVING = `SELECT name, coalesce(array_agg(key) FILTER (WHERE key IS NOT NULL), '{}') AS keys
  FROM export_run LEFT JOIN export_file USING (name) WHERE state = 'removing' GROUP BY name`;
const REMOVE = `WITH files AS (DELETE FROM export_file WHERE name = $1) DELETE FROM export_run WHERE name = $1 AND state = 'removing'`;

interface RunRow {
  readonly name: string;
  readonly kind: ExportKind;
  readonly mode: string;
  readonly from: string | null;
  readonly to: string;
  readonly seqFrom: string | null;
  readonly seqTo: string | null;
}

type FileRow = ExportFileRow & { readonly walkedTo: string };

export function exportRuns(db: pg.ClientBase | pg.Pool): ExportRuns {
  return {
    async range(isOcdsOn) {
      const { rows } = await db.query<Record<keyof ExportableRange, string | null>>(RANGE);
      const { reached = null, followedFrom = null, first = null, projected = null } = rows[0] ?? {};
      if (reached === null || followedFrom === null || first === null) return undefined;
      return {
        reached: BigInt(reached),
        followedFrom: BigInt(followedFrom),
        first: BigInt(first),
        projected: projected === null || !isOcdsOn ? undefined : BigInt(projected),
      };
    },
    async lastDays() {
      const { rows } = await db.query<{ kind: ExportKind; day: string }>(LAST_DAYS);
      return Object.fromEntries(rows.map(({ kind, day }) => [kind, day]));
    },
    async plan(plans, withTests) {
      if (plans.length === 0) return;
      await db.query(PLAN, [
        plans.map(({ name }) => name),
        plans.map(({ kind }) => kind),
        plans.map(({ kind }) => (withTests(kind) ? '_all_' : 'real')),
        plans.map(({ from }) => from ?? null),
        plans.map(({ to }) => to),
        OCDS_EXPORT_KINDS,
      ]);
    },
    async next() {
      const { rows } = await db.query<RunRow>(NEXT);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { name, kind, mode, from, to, seqFrom, seqTo } = row;
      return {
        name,
        kind,
        withTests: mode === '_all_',
        from: from === null ? undefined : BigInt(from),
        to: BigInt(to),
        seqs: { from: BigInt(seqFrom ?? 0), to: BigInt(seqTo ?? 0) },
      };
    },
    async abandoned(name) {
      const { rows } = await db.query<{ epoch: number; keys: string[] }>(ABANDONED, [name]);
      if (rows[0] === undefined) throw new Error(`no export ${name}`);
      return rows[0];
    },
    async begin(name, { epoch, keys }) {
      await db.query(BEGIN, [name, epoch, keys]);
      const { rows } = await db.query<FileRow>(LAST_FILE, [name]);
      return rows[0] === undefined ? undefined : storedFile(rows[0]);
    },
    async addFile(name, n, key) {
      await db.query('INSERT INTO export_file (name, n, key) VALUES ($1, $2, $3)', [name, n, key]);
    },
    async finishFile(name, { zstd, ...file }) {
      await db.query(FINISH_FILE({ name, ...file, zstdBytes: zstd?.bytes, zstdSha256: zstd?.sha256 }));
    },
    async finish(name) {
      return (await db.query(FINISH, [name])).rowCount === 1;
    },
    async fail(name, error, retrySeconds) {
      await db.query(FAIL, [name, error, retrySeconds]);
    },
    async expire() {
      for (const [kind, { newest, micros }] of Object.entries(EXPORT_RULES)) {
        if (newest !== undefined) await db.query(BEYOND, [kind, newest]);
        if (micros !== undefined) await db.query(OLDER, [kind, micros]);
      }
      await db.query(IMPOSSIBLE);
      return (await db.query<{ name: string; keys: string[] }>(REMOVING)).rows;
    },
    async remove(name) {
      await db.query(REMOVE, [name]);
    },
  };
}

function storedFile(row: FileRow): StoredFile {
  return { ...finishedFile(row), walkedTo: BigInt(row.walkedTo) };
}
