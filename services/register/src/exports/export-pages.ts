import type { ExportKind, OcdsExportKind } from '@procurement/contracts/resources/export';
import type pg from 'pg';
import { exportLine } from './domain/export-lines.ts';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import { walkPages, type ExportPages, type WalkHead } from './export-walk.ts';
import type { HistoryStore } from '../revisions/history.store.ts';

/** Kinds whose lines are texts of tenders. */
type TextKind = Exclude<ExportKind, OcdsExportKind>;

/** What an export of texts consists of. */
export interface ExportSet {
  readonly kind: TextKind;
  /** Exclusive. */
  readonly after: bigint;
  /** Inclusive. */
  readonly to: bigint;
  readonly withTests: boolean;
}

/** Revisions that one statement looks at. */
export const PAGE_LINES_MAX = 250;
/** Texts of a page, of which the first may be larger. */
export const PAGE_BYTES_MAX = 1024 * 1024;

interface Row extends WalkHead {
  readonly position: string | null;
  readonly id: string;
  readonly rev: string;
  readonly causes: string;
  readonly flags: number;
  readonly bytes: number;
  readonly status: string | null;
  readonly shown: boolean;
  readonly listed: boolean;
  readonly isFirst: boolean;
  readonly text: string | null;
}

type RevisionRow = Row & { readonly position: string };

const SHOWN = 'listed AND (NOT is_test OR $3)';
// The newest revision of the tender up to the end. Mostly the tender's own row decides.
const NEWEST = `(is_current OR (tender_position IS NULL OR tender_position > $2) AND NOT EXISTS (SELECT FROM revision AS next
  WHERE next.id = marked.id AND next.rev > marked.rev AND next.position <= $2 AND NOT next.void))`;
const CHOSEN: Readonly<Record<TextKind, string>> = {
  tenders: `shown AND ${NEWEST}`,
  changes: `${NEWEST} AND (shown OR EXISTS (SELECT FROM revision AS earlier
    WHERE earlier.id = marked.id AND earlier.rev < marked.rev AND NOT earlier.void AND earlier.${SHOWN.replace('is_test', 'earlier.is_test')}))`,
  revisions: `(shown OR EXISTS (SELECT FROM revision AS earlier
    WHERE earlier.position = marked.previous_of_tender AND earlier.${SHOWN.replace('is_test', 'earlier.is_test')}))`,
};

// Revision 1 is the first without a word. Only the kind `revisions` shows it.
const FIRST = `rev > 1 AND previous_of_tender IS NULL
  AND coalesce((SELECT complete FROM tender WHERE tender.id = sized.id), FALSE)`;

/**
 * Sizes are read without the texts, which are read for the rows that fit. A text that is packed is null. Subqueries instead of joins:
 * a join may read a whole table for each page.
 */
function buildStatement(kind: TextKind): string {
  return `WITH walked AS MATERIALIZED (
      SELECT position, id, rev, causes, flags, bytes, status, previous_of_tender, listed, ${SHOWN} AS shown
      FROM revision WHERE position > $1 AND position <= $2 AND NOT void ORDER BY position LIMIT ${PAGE_LINES_MAX}),
    placed AS MATERIALIZED (SELECT *, (SELECT tender.position FROM tender WHERE tender.id = walked.id) AS tender_position FROM walked),
    marked AS (SELECT *, tender_position IS NOT DISTINCT FROM position AS is_current FROM placed),
    chosen AS MATERIALIZED (SELECT * FROM marked WHERE ${CHOSEN[kind]}),
    sized AS (SELECT *, sum(bytes) OVER (ORDER BY position) AS total, row_number() OVER (ORDER BY position) AS n FROM chosen)
    SELECT head.*, sized.position, replace(sized.id::text, '-', '') AS id, rev, causes, flags, bytes, status, shown, listed, ${FIRST} AS "isFirst",
      CASE WHEN shown THEN coalesce((SELECT body FROM tender_body WHERE is_current AND tender_body.id = sized.id),
        (SELECT text FROM revision_text WHERE revision_text.position = sized.position)) END AS text
    FROM (SELECT (SELECT max(position) FROM walked) AS "walkedTo", (SELECT count(*) FROM chosen) AS chosen) AS head
      LEFT JOIN sized ON n = 1 OR total <= ${PAGE_BYTES_MAX}
    ORDER BY sized.position`;
}

export function exportPages(pool: pg.Pool, history: HistoryStore, set: ExportSet): ExportPages {
  const query = { name: `export-${set.kind}`, text: buildStatement(set.kind) };

  async function readText(row: RevisionRow): Promise<string | undefined> {
    if (!row.shown) return undefined;
    const text = row.text ?? (await packedText(history, row));
    // The follower could not read it. It must not break the file; the attempt fails, and is shown to operators.
    if ((row.flags & REVISION_FLAGS.unread) !== 0) JSON.parse(text);
    return text;
  }

  return walkPages<Row, RevisionRow>({
    after: set.after,
    read: async (after) => (await pool.query<Row>({ ...query, values: [after, set.to, set.withTests] })).rows,
    isLine: isRevision,
    placeOf: ({ position }) => position,
    textsOf: async (rows) => {
      const lines: string[] = [];
      for (const row of rows) {
        const { isFirst, shown, listed, flags } = row;
        const isHiddenTest = !shown && listed;
        const isRedacted = (flags & REVISION_FLAGS.redacted) !== 0;
        const line = { ...readRow(row), text: await readText(row), isFirst, isRedacted, isHiddenTest };
        lines.push(exportLine(set.kind, line));
      }
      return lines;
    },
  });
}

function isRevision(row: Row): row is RevisionRow {
  return row.position !== null;
}

function readRow({ position, id, rev, causes }: RevisionRow) {
  return { position: BigInt(position), id, rev: Number(rev), causes: BigInt(causes) };
}

async function packedText(history: HistoryStore, row: RevisionRow): Promise<string> {
  const { flags, bytes, status } = row;
  const revision = { ...readRow(row), flags, bytes, status: status ?? '' };
  const text = (await history.texts(row.id, [revision])).get(revision.position);
  if (text === undefined) throw new Error(`revision ${row.rev} of ${row.id} has no text`);
  return text;
}
