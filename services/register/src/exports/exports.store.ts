import type { Instant } from '@procurement/contracts/reading/instant';
import type { ExportKind } from '@procurement/contracts/resources/export';
import type { ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import type pg from 'pg';
import type { FinishedExport, FinishedFile, ManifestParts } from './domain/export-manifest.ts';

export interface ExportListQuery {
  readonly kind: ExportKind | undefined;
  /** Exports after this one. */
  readonly after: FinishedExport | undefined;
  readonly limit: number;
}

/** Finished exports, as readers see them. */
export interface ExportsStore {
  /** Newest first. */
  list(query: ExportListQuery): Promise<readonly FinishedExport[]>;
  find(name: string): Promise<FinishedExport | undefined>;
  latest(kind: ExportKind): Promise<FinishedExport | undefined>;
  parts(run: FinishedExport): Promise<ManifestParts>;
  file(name: string, n: number): Promise<FinishedFile | undefined>;
}

interface RunRow {
  readonly name: string;
  readonly kind: ExportKind;
  readonly mode: FinishedExport['mode'];
  readonly from: string | null;
  readonly to: string;
  readonly seqTo: string | null;
  readonly epoch: number;
  readonly finishedAt: string;
  readonly lines: string;
  readonly bytes: string;
  readonly rawBytes: string;
}

export type ExportFileRow = Pick<FinishedFile, 'n' | 'key' | 'lines' | 'sha256'> &
  Readonly<Record<'bytes' | 'rawBytes' | 'first' | 'last', string>> &
  Readonly<Record<'zstdBytes' | 'zstdSha256', string | null>>;

const RUNS = `SELECT run.name, kind, mode, position_from AS "from", position_to AS "to", seq_to AS "seqTo", epoch,
    floor(extract(epoch FROM finished) * 1000000)::text AS "finishedAt", lines, bytes, "rawBytes"
  FROM export_run AS run CROSS JOIN LATERAL (SELECT coalesce(sum(lines), 0) AS lines, coalesce(sum(bytes), 0) AS bytes,
    coalesce(sum(raw_bytes), 0) AS "rawBytes" FROM export_file WHERE export_file.name = run.name) AS files
  WHERE state = 'finished'`;
const LIST = `${RUNS} AND ($1::text IS NULL OR kind = $1) AND ($2::bigint IS NULL OR (position_to, run.name) < ($2, $3))
  ORDER BY position_to DESC, run.name DESC LIMIT $4`;
const FIND = `${RUNS} AND run.name = $1`;
const FILES = `SELECT n, key, lines, bytes, raw_bytes AS "rawBytes", sha256, first, last, zstd_bytes AS "zstdBytes",
    zstd_sha256 AS "zstdSha256" FROM export_file
  JOIN export_run USING (name) WHERE state = 'finished' AND name = $1`;
const VOIDS = `SELECT restored_to AS "restoredTo", began FROM epoch_void WHERE epoch > $1 AND restored_to < $2 ORDER BY epoch`;
const REDACTIONS = `SELECT count(DISTINCT redaction)::integer AS count FROM redaction_file
  WHERE name = $1 AND former_key IS NOT NULL`;
const FAILING = `(SELECT 'export' AS kind, name, 1 AS count, extract(epoch FROM now() - asked)::integer AS "oldestSeconds", error AS text
    FROM export_run WHERE state <> 'removing' AND error IS NOT NULL ORDER BY asked LIMIT 10)
  UNION ALL (SELECT 'redaction', id::text, 1, extract(epoch FROM now() - at)::integer, error
    FROM redaction WHERE files_at IS NULL AND error IS NOT NULL ORDER BY id LIMIT 10)`;

export function exportsStore(pool: pg.Pool): ExportsStore {
  const list: ExportsStore['list'] = async ({ kind, after, limit }) => {
    const values = [kind ?? null, after?.to ?? null, after?.name ?? null, limit];
    const { rows } = await pool.query<RunRow>({ name: 'exports-list', text: LIST, values });
    return rows.map(readRun);
  };
  return {
    list,
    async find(name) {
      const { rows } = await pool.query<RunRow>({ name: 'export-find', text: FIND, values: [name] });
      return rows[0] === undefined ? undefined : readRun(rows[0]);
    },
    latest: async (kind) => (await list({ kind, after: undefined, limit: 1 }))[0],
    async parts(run) {
      const [files, voids, before, redactions] = await Promise.all([
        pool.query<ExportFileRow>({ name: 'export-files', text: `${FILES} ORDER BY n`, values: [run.name] }),
        pool.query<{ restoredTo: string; began: string }>({
          name: 'export-voids',
          text: VOIDS,
          values: [run.epoch, run.to],
        }),
        list({ kind: run.kind, after: run, limit: 1 }),
        pool.query<{ count: number }>({ name: 'export-redactions', text: REDACTIONS, values: [run.name] }),
      ]);
      return {
        run,
        files: files.rows.map(finishedFile),
        voids: voids.rows.map(({ restoredTo, began }) => ({ restoredTo: BigInt(restoredTo), began: BigInt(began) })),
        previous: before[0]?.name,
        redactions: redactions.rows[0]?.count ?? 0,
      };
    },
    async file(name, n) {
      const { rows } = await pool.query<ExportFileRow>({
        name: 'export-file',
        text: `${FILES} AND n = $2`,
        values: [name, n],
      });
      return rows[0] === undefined ? undefined : finishedFile(rows[0]);
    },
  };
}

/** Exports whose last attempt has failed, or that cannot be archived, and redactions of files: they are tried again for ever. */
export async function exportDetails(pool: pg.Pool): Promise<readonly ReadyDetail[]> {
  const { rows } = await pool.query<ReadyDetail>(FAILING);
  return rows;
}

function readRun({ from, to, seqTo, finishedAt, lines, bytes, rawBytes, ...row }: RunRow): FinishedExport {
  return {
    ...row,
    from: from === null ? undefined : BigInt(from),
    to: BigInt(to),
    seqTo: seqTo === null ? undefined : BigInt(seqTo),
    // Safe cast: microseconds since 1970 are exact until 2255.
    finishedAt: Number(finishedAt) as Instant,
    lines: Number(lines),
    bytes: Number(bytes),
    rawBytes: Number(rawBytes),
  };
}

export function finishedFile({ n, key, lines, sha256, ...row }: ExportFileRow): FinishedFile {
  const { bytes, rawBytes, first, last, zstdBytes, zstdSha256 } = row;
  const zstd = zstdBytes === null || zstdSha256 === null ? undefined : { bytes: Number(zstdBytes), sha256: zstdSha256 };
  const sizes = { bytes: Number(bytes), rawBytes: Number(rawBytes), first: BigInt(first), last: BigInt(last) };
  return { n, key, lines, sha256, ...sizes, zstd };
}
