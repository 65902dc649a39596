import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { OcdsExportKind } from '@procurement/contracts/resources/export';
import { mergeRelease, type Dated } from '@procurement/ocds/merge';
import { linkedRelease } from '@procurement/ocds/packages';
import type pg from 'pg';
import { PAGE_BYTES_MAX } from './export-pages.ts';
import { walkPages, type ExportPages, type WalkHead } from './export-walk.ts';
import { releaseTexts } from '../ocds/ocds-texts.ts';
import type { OcdsHead, OcdsStore } from '../ocds/ocds.store.ts';
import { RELEASE_BYTES } from '../ocds/release-bodies.ts';

/** Releases of an export by their place. */
export interface OcdsExportSet {
  readonly kind: OcdsExportKind;
  /** Exclusive. */
  readonly after: bigint;
  /** Inclusive. */
  readonly upTo: bigint;
  /** The base of links in records. */
  readonly publicBaseUrl: string;
}

interface Line extends WalkHead {
  readonly seq: string;
  readonly ocid: string;
  readonly position: string;
  /** Null where the record has moved on, and where the release is packed. */
  readonly text: string | null;
}

type Row = Line | (WalkHead & { readonly seq: null });

/**
 * Lines of a kind. A record is at the place of its last release of the export; the links of its releases are read beside, so that a page of
 * records is shorter.
 */
const LINES: Readonly<
  Record<OcdsExportKind, { readonly rowsMax: number; readonly chosen: string; readonly text: string }>
> = {
  releases: {
    rowsMax: 250,
    chosen: 'true',
    text: 'SELECT body FROM ocds_release AS release WHERE release.seq = sized.seq',
  },
  records: {
    rowsMax: 50,
    chosen: `NOT EXISTS (SELECT FROM ocds_release AS next
      WHERE next.ocid = walked.ocid AND next.date > walked.date AND next.seq <= $2)`,
    text: 'SELECT compiled FROM ocds_record AS record WHERE record.ocid = sized.ocid AND record.last_seq = sized.seq',
  },
};

// Sizes are read without the texts, which are read for the rows that fit. Releases that were loaded from the archive have a date only.
function buildStatement(kind: OcdsExportKind): string {
  const { rowsMax, chosen, text } = LINES[kind];
  return `WITH walked AS MATERIALIZED (
      SELECT seq, ocid, date, ${RELEASE_BYTES} AS bytes, coalesce(position, (extract(epoch FROM date) * 1000000)::bigint) AS position
      FROM ocds_release WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT ${rowsMax}),
    chosen AS MATERIALIZED (SELECT * FROM walked WHERE ${chosen}),
    sized AS (SELECT *, sum(bytes) OVER (ORDER BY seq) AS total, row_number() OVER (ORDER BY seq) AS n FROM chosen)
    SELECT head.*, sized.seq, ocid, position, (${text}) AS text
    FROM (SELECT (SELECT max(seq) FROM walked) AS "walkedTo", (SELECT count(*) FROM chosen) AS chosen) AS head
      LEFT JOIN sized ON n = 1 OR total <= ${PAGE_BYTES_MAX}
    ORDER BY sized.seq`;
}

/** Reads the lines of an export of releases or records in the order of `seq`. Releases are permanent, so nothing changes them. */
export function ocdsExportPages(pool: pg.Pool, store: OcdsStore, set: OcdsExportSet): ExportPages {
  const query = { name: `export-${set.kind}`, text: buildStatement(set.kind) };
  return walkPages<Row, Line>({
    after: set.after,
    read: async (after) => (await pool.query<Row>({ ...query, values: [after, set.upTo] })).rows,
    isLine: (row): row is Line => row.seq !== null,
    placeOf: ({ seq }) => seq,
    textsOf: async (rows) => (set.kind === 'releases' ? releaseLines(store, rows) : recordLines(store, rows, set)),
  });
}

/** Bodies of rows, and of packs for those that have none. */
async function releaseLines(store: OcdsStore, rows: readonly Line[]): Promise<readonly string[]> {
  const packed = rows.filter(({ text }) => text === null).map(({ seq }) => BigInt(seq));
  const bodies = packed.length === 0 ? new Map<bigint, string>() : await store.texts(packed);
  return rows.map(({ seq, text }) => text ?? bodies.get(BigInt(seq)) ?? '');
}

/** Records with links to their releases, as they were at the end of the export. */
async function recordLines(
  store: OcdsStore,
  rows: readonly Line[],
  { upTo, publicBaseUrl }: OcdsExportSet,
): Promise<readonly string[]> {
  const heads = (await store.releasesOf(rows.map(({ ocid }) => ocid))).filter(({ seq }) => seq <= upTo);
  const lines: string[] = [];
  for (const { ocid, text } of rows) {
    const own = heads.filter((head) => head.ocid === ocid);
    const links = JSON.stringify(own.map((head) => linkedRelease(head, { publicBaseUrl })));
    lines.push(`{"ocid":"${ocid}","releases":${links},"compiledRelease":${text ?? (await merged(store, own))}}`);
  }
  return lines;
}

/** The compiled release of these releases, which come in the order of their dates. */
async function merged(store: OcdsStore, heads: readonly OcdsHead[]): Promise<string> {
  let compiled: JsonObject | undefined;
  for await (const text of releaseTexts(store, heads)) {
    // Safe cast: written by `saveReleases` only.
    compiled = mergeRelease(compiled, JSON.parse(text) as Dated);
  }
  return JSON.stringify(compiled);
}
