import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';
import { archiveText, type ArchiveManifest, type ArchiveVoid } from './archive-objects.ts';
import { removeContributions } from '../statistics/save-contributions.ts';
import { removeTerms } from '../search/save-terms.ts';

const BEGIN = `INSERT INTO follow (id, position, epoch, horizon, backfill, followed_from) VALUES (1, 0, 1, 0, $1, 0)
  ON CONFLICT (id) DO NOTHING`;
const REMOVE = ['tender_body', 'tender'].map((table) => `DELETE FROM ${table} WHERE id = $1`);
const VOIDS = `INSERT INTO epoch_void (epoch, restored_to, began)
  SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) ON CONFLICT (epoch) DO NOTHING`;
// The listing ends where the archive does; then publications are followed.
const END = `UPDATE follow SET epoch = $1, horizon = position, head = position, followed_from = position, archived_to = $2,
  backfill = json_build_object('after', 0, 'upTo', position, 'until', position)::text WHERE id = 1`;
const RUNS = `INSERT INTO export_run (name, kind, mode, position_from, position_to, seq_from, seq_to, epoch, state, asked, finished, archived)
  SELECT name, kind, mode, "from", "to", "seqFrom", "seqTo", epoch, 'finished', at, at, at + n * interval '1 microsecond'
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::integer[], $9::bigint[])
    WITH ORDINALITY AS row(name, kind, mode, "from", "to", "seqFrom", "seqTo", epoch, finished, n)
    CROSS JOIN LATERAL (SELECT to_timestamp(finished / 1000000.0)) AS made(at)
  ON CONFLICT (name) DO NOTHING`;
const FILES = `INSERT INTO export_file (name, n, key, lines, bytes, raw_bytes, sha256, first, last, walked_to, zstd_bytes, zstd_sha256)
  SELECT $1, n, key, lines, bytes, "rawBytes", sha256, first, last, "walkedTo", "zstdBytes", "zstdSha256" FROM json_to_recordset($2) AS row(n integer, key text,
    lines integer, bytes bigint, "rawBytes" bigint, sha256 text, first bigint, last bigint, "walkedTo" bigint,
    "zstdBytes" bigint, "zstdSha256" text)
  ON CONFLICT (name, n) DO NOTHING`;

/** Marks an empty database as one that is being loaded: nothing follows before the load has ended. */
export async function beginLoad(pool: pg.Pool, from: string): Promise<void> {
  await pool.query(BEGIN, [JSON.stringify({ after: 0, upTo: 0, until: 0, archive: from })]);
}

/** Takes a tender out of all lists; its revisions stay. */
export async function removeTender(pool: pg.Pool, id: string): Promise<void> {
  await transact(pool, async (tx) => {
    await removeTerms(tx, [id]);
    await removeContributions(tx, [id]);
    for (const statement of REMOVE) await tx.query(statement, [id]);
  });
}

/** What was loaded, with its exports: they are served again, and the archive goes on after them. */
export interface LoadEnd {
  readonly epoch: number;
  readonly archivedTo: bigint;
  readonly voids: readonly ArchiveVoid[];
  readonly manifests: readonly ArchiveManifest[];
}

/** Ends the load in one transaction: from here on the register follows as after any other pause. */
export async function endLoad(pool: pg.Pool, { epoch, archivedTo, voids, manifests }: LoadEnd): Promise<void> {
  await transact(pool, async (tx) => {
    await tx.query(VOIDS, [
      voids.map((one) => one.epoch),
      voids.map(({ restoredTo }) => restoredTo),
      voids.map(({ began }) => began),
    ]);
    await tx.query(RUNS, [
      manifests.map(({ name }) => name),
      manifests.map(({ kind }) => kind),
      manifests.map(({ mode }) => mode),
      manifests.map(({ from }) => from),
      manifests.map(({ to }) => to),
      manifests.map(({ seqFrom }) => seqFrom),
      manifests.map(({ seqTo }) => seqTo),
      manifests.map((one) => one.epoch),
      manifests.map(({ finished }) => finished),
    ]);
    for (const { name, files } of manifests) await tx.query(FILES, [name, archiveText(files)]);
    await tx.query(END, [epoch, archivedTo]);
  });
}
