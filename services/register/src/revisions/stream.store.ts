import type pg from 'pg';
import type { StreamedRevision } from './domain/change-notice.ts';
import type { FilteredAttributes } from '../requests/domain/filters.ts';

/** How far revisions are here. */
export interface StreamHead {
  /** No revision at or before it comes any more. */
  readonly position: bigint;
  /** Restores of the owner so far. */
  readonly restores: number;
}

/** Publications after `restoredTo` and before `began` are void (register.md 2.7). */
export interface VoidRange {
  readonly restoredTo: bigint;
  readonly began: bigint;
}

export interface StreamStore {
  /** Undefined while a back-fill runs. */
  head(): Promise<StreamHead | undefined>;
  /** Revisions after a position up to another, in order. */
  revisions(after: bigint, upTo: bigint, limit: number): Promise<readonly StreamedRevision[]>;
  /** The newest revision of each tender, where it lies after a position and up to another, in order. */
  newest(after: bigint, upTo: bigint, limit: number): Promise<readonly StreamedRevision[]>;
  voidRanges(): Promise<readonly VoidRange[]>;
}

interface AttributeRow {
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly status: string | null;
  readonly method: string | null;
  readonly buyer: string | null;
  readonly currency: string | null;
  readonly amount: number | null;
  readonly cpv: readonly number[] | null;
  readonly regions: readonly string[] | null;
}

interface Row {
  readonly position: string;
  readonly rev: string;
  readonly id: string;
  readonly number: string | null;
  readonly causes: string;
  readonly flags: number;
  readonly changed: readonly string[] | null;
  readonly bytes: number;
  readonly now: AttributeRow;
  readonly before: AttributeRow | null;
}

const attributes = (table: string): string => `json_build_object('listed', ${table}.listed, 'isTest', ${table}.is_test,
  'status', ${table}.status, 'method', ${table}.method, 'buyer', ${table}.buyer, 'currency', ${table}.currency,
  'amount', ${table}.amount, 'cpv', ${table}.cpv, 'regions', ${table}.regions)`;

const SELECT = `SELECT r.position, r.rev, replace(r.id::text, '-', '') AS id, tender.number, r.causes, r.flags, r.changed, r.bytes,
    ${attributes('r')} AS now, CASE WHEN p.position IS NOT NULL THEN ${attributes('p')} END AS before
  FROM revision r JOIN tender ON tender.id = r.id LEFT JOIN revision p ON p.position = r.previous_of_tender`;
const PAGE = 'NOT r.void AND r.position > $1 AND r.position <= $2 ORDER BY r.position LIMIT $3';

export function streamStore(pool: pg.Pool): StreamStore {
  const page = async (name: string, text: string, values: readonly unknown[]): Promise<readonly StreamedRevision[]> => {
    const { rows } = await pool.query<Row>({ name, text, values: [...values] });
    return rows.map(readRow);
  };
  return {
    async head() {
      const { rows } = await pool.query<{ position: string; restores: number }>({
        name: 'stream-head',
        text: `SELECT greatest(position, horizon) AS position, (SELECT count(*)::int FROM epoch_void) AS restores
          FROM follow WHERE backfill IS NULL`,
      });
      const row = rows[0];
      if (row === undefined) return undefined;
      return { ...row, position: BigInt(row.position) };
    },
    revisions: async (...values) => page('stream-page', `${SELECT} WHERE ${PAGE}`, values),
    newest: async (...values) =>
      page('stream-newest', `${SELECT} WHERE tender.position = r.position AND ${PAGE}`, values),
    async voidRanges() {
      const { rows } = await pool.query<{ restored_to: string; began: string }>({
        name: 'stream-voids',
        text: 'SELECT restored_to, began FROM epoch_void ORDER BY epoch',
      });
      return rows.map((row) => ({ restoredTo: BigInt(row.restored_to), began: BigInt(row.began) }));
    },
  };
}

function readRow({ position, rev, id, number, causes, flags, changed, bytes, now, before }: Row): StreamedRevision {
  const earlier = before === null ? undefined : readAttributes(id, before);
  return {
    position: BigInt(position),
    rev: Number(rev),
    number: number ?? '',
    causes: BigInt(causes),
    flags,
    ...(changed === null ? {} : { changed }),
    bytes,
    // A revision that is no longer listed has no text, and so no columns: the status is that of the one before.
    tender: { ...readAttributes(id, now), status: now.status ?? earlier?.status ?? '' },
    ...(earlier === undefined ? {} : { before: earlier }),
  };
}

function readAttributes(id: string, row: AttributeRow): FilteredAttributes {
  const { listed, isTest, status, method, buyer, currency, amount, cpv, regions } = row;
  return {
    id,
    listed,
    isTest,
    status: status ?? '',
    cpv: cpv ?? [],
    regions: regions ?? [],
    ...(method === null ? {} : { method }),
    ...(buyer === null ? {} : { buyer }),
    ...(currency === null ? {} : { currency }),
    ...(amount === null ? {} : { amount }),
  };
}
