import type pg from 'pg';
import { ARCHIVE_KINDS, ArchiveManifest, type ArchiveKind, type ArchiveVoid } from './archive-objects.ts';

/** Which exports are in the archive, as the process that makes exports reads and writes it: by the session that holds the lock. */
export interface ArchiveStore {
  /** The oldest finished export of a kind that is not in the archive; none while an older one is still to be made. */
  next(): Promise<ArchiveManifest | undefined>;
  voids(): Promise<readonly ArchiveVoid[]>;
  /** Stores that the archive has it, and up to which end of a day the archive has everything. */
  finish(manifest: ArchiveManifest): Promise<void>;
}

const NEXT = `SELECT name, kind, mode, position_from::text AS "from", position_to::text AS "to", seq_from::text AS "seqFrom",
    seq_to::text AS "seqTo", epoch, floor(extract(epoch FROM finished) * 1000000)::text AS finished,
    (SELECT name FROM export_run AS before WHERE before.kind = oldest.kind AND before.archived IS NOT NULL
      ORDER BY archived DESC, position_to DESC LIMIT 1) AS previous,
    (SELECT coalesce(json_agg(json_build_object('n', n, 'key', key, 'lines', lines, 'bytes', bytes, 'rawBytes', raw_bytes,
        'sha256', sha256, 'first', first::text, 'last', last::text, 'walkedTo', walked_to::text,
        'zstdBytes', zstd_bytes, 'zstdSha256', zstd_sha256) ORDER BY n), '[]')
      FROM export_file WHERE export_file.name = oldest.name) AS files
  FROM (SELECT DISTINCT ON (kind) * FROM export_run
    WHERE kind = ANY($1::text[]) AND archived IS NULL AND state <> 'removing' ORDER BY kind, position_to, name) AS oldest
  WHERE state = 'finished' AND (retry_at IS NULL OR retry_at <= now()) LIMIT 1`;
const VOIDS = `SELECT epoch, restored_to AS "restoredTo", began FROM epoch_void ORDER BY epoch`;
const FINISH = `WITH archived AS (UPDATE export_run SET archived = now(), error = NULL, retry_at = NULL WHERE name = $1)
  UPDATE follow SET archived_to = greatest(archived_to, $2::bigint) WHERE $3`;

export function archiveStore(db: pg.ClientBase): ArchiveStore {
  return {
    async next() {
      const { rows } = await db.query(NEXT, [ARCHIVE_KINDS]);
      return rows[0] === undefined ? undefined : ArchiveManifest.parse(rows[0]);
    },
    async voids() {
      const { rows } = await db.query<{ epoch: number; restoredTo: string; began: string }>(VOIDS);
      return rows.map(({ epoch, restoredTo, began }) => ({
        epoch,
        restoredTo: BigInt(restoredTo),
        began: BigInt(began),
      }));
    },
    async finish({ name, kind, to }) {
      await db.query(FINISH, [name, to, isOfDay(kind, name)]);
    },
  };
}

/** Exports until now begin with their day: what is before it may be missing. */
function isOfDay(kind: ArchiveKind, name: string): boolean {
  return kind === 'revisions' && name.length === 'revisions-2026-03-28'.length;
}
