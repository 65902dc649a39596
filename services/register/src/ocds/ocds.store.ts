import type pg from 'pg';
import type { OcdsKind } from './domain/ocds-parameters.ts';
import { RELEASE_BYTES, releaseBodies } from './release-bodies.ts';

/** A stored release or record without its text. */
export interface OcdsHead {
  readonly seq: bigint;
  readonly ocid: string;
  /** Id of the release; for a record, the id of its newest release. */
  readonly id: string;
  readonly date: string;
  readonly tag: readonly string[];
  /** Bytes of its text. */
  readonly bytes: number;
}

export interface OcdsRange {
  /** Exclusive. */
  readonly after?: bigint;
  /** Exclusive; the page then has the entries nearest to it. */
  readonly before?: bigint;
  /** Exclusive. */
  readonly since?: Date;
  /** Inclusive. */
  readonly until?: Date;
  readonly limit: number;
}

export interface OcdsStore {
  /** Entries of a range in ascending order of `seq`. */
  page(kind: OcdsKind, range: OcdsRange): Promise<readonly OcdsHead[]>;
  /** Whether the range has an entry. */
  hasEntry(kind: OcdsKind, range: Omit<OcdsRange, 'limit'>): Promise<boolean>;
  /** All releases of processes, oldest first. */
  releasesOf(ocids: readonly string[]): Promise<readonly OcdsHead[]>;
  release(ocid: string, id: string): Promise<OcdsHead | undefined>;
  newestOfTender(tenderId: string): Promise<OcdsHead | undefined>;
  /** Releases by `seq`, in the order that was asked for. Throws when one is missing. */
  texts(seqs: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
  /** Compiled releases by ocid, with the `seq` of the last release in each. */
  compiled(ocids: readonly string[]): Promise<ReadonlyMap<string, { readonly seq: bigint; readonly text: string }>>;
  record(ocid: string): Promise<OcdsHead | undefined>;
  /** Date of the newest release. */
  newestDate(): Promise<string | undefined>;
  newestSeq(kind: OcdsKind): Promise<bigint>;
  /** Whether a tender with this number may still be projected. */
  isExpected(number: string, includeTest: boolean): Promise<boolean>;
  /** Everything up to it was projected. */
  position(): Promise<bigint>;
}

interface HeadRow {
  readonly seq: string;
  readonly ocid: string;
  readonly id: string;
  readonly date: Date;
  readonly tag: readonly string[];
  readonly bytes: number;
}

const BYTES = `${RELEASE_BYTES} AS bytes`;
const RELEASE_COLUMNS = `seq, ocid, id, date, tag, ${BYTES}`;
const TABLES = {
  releases: { from: 'ocds_release', seq: 'seq', columns: RELEASE_COLUMNS },
  records: {
    from: 'ocds_record',
    seq: 'last_seq',
    columns: `last_seq AS seq, ocid, '' AS id, date, '{}'::text[] AS tag, octet_length(compiled) AS bytes`,
  },
} as const satisfies Readonly<Record<OcdsKind, object>>;

const EXPECTED_SQL = `SELECT NOT EXISTS (SELECT 1 FROM follow WHERE backfill IS NULL) OR EXISTS (
    SELECT 1 FROM tender WHERE lower(number) = lower($1) AND listed AND (NOT is_test OR $2)
      AND position > coalesce((SELECT position FROM ocds_position WHERE id = 1), 0)) AS expected`;

export function ocdsStore(pool: pg.Pool): OcdsStore {
  const heads = async (name: string, text: string, values: readonly unknown[]): Promise<readonly OcdsHead[]> => {
    const { rows } = await pool.query<HeadRow>({ name, text, values: [...values] });
    return rows.map(({ seq, date, ...row }) => ({ ...row, seq: BigInt(seq), date: date.toISOString() }));
  };
  return {
    async page(kind, { limit, ...range }) {
      const { from, seq, columns } = TABLES[kind];
      const { where, values, key } = conditions(kind, range);
      const isBackwards = range.before !== undefined;
      const text = `SELECT ${columns} FROM ${from} WHERE ${where}
        ORDER BY ${seq} ${isBackwards ? 'DESC' : 'ASC'} LIMIT $${values.length + 1}`;
      const found = await heads(`ocds-page-${kind}-${key}`, text, [...values, limit]);
      return isBackwards ? found.toReversed() : found;
    },
    async hasEntry(kind, range) {
      const { where, values, key } = conditions(kind, range);
      const { rows } = await pool.query<{ found: boolean }>({
        name: `ocds-has-${kind}-${key}`,
        text: `SELECT EXISTS (SELECT 1 FROM ${TABLES[kind].from} WHERE ${where}) AS found`,
        values: [...values],
      });
      return rows[0]?.found === true;
    },
    releasesOf: async (ocids) =>
      heads('ocds-of', `SELECT ${RELEASE_COLUMNS} FROM ocds_release WHERE ocid = ANY($1::text[]) ORDER BY ocid, date`, [
        ocids,
      ]),
    release: async (ocid, id) =>
      (
        await heads('ocds-one', `SELECT ${RELEASE_COLUMNS} FROM ocds_release WHERE ocid = $1 AND id = $2`, [ocid, id])
      )[0],
    newestOfTender: async (tenderId) => {
      const columns = `seq, ocds_release.ocid, id, ocds_release.date, tag, ${BYTES}`;
      const text = `SELECT ${columns} FROM ocds_record JOIN ocds_release ON seq = last_seq WHERE tender_id = $1`;
      return (await heads('ocds-newest', text, [tenderId]))[0];
    },
    texts: async (seqs) => releaseBodies(pool, seqs),
    async compiled(ocids) {
      const { rows } = await pool.query<{ ocid: string; seq: string; text: string }>({
        name: 'ocds-compiled',
        text: 'SELECT ocid, last_seq AS seq, compiled AS text FROM ocds_record WHERE ocid = ANY($1::text[])',
        values: [ocids],
      });
      return new Map(rows.map(({ ocid, seq, text }) => [ocid, { seq: BigInt(seq), text }]));
    },
    record: async (ocid) =>
      (await heads('ocds-record', `SELECT ${TABLES.records.columns} FROM ocds_record WHERE ocid = $1`, [ocid]))[0],
    async newestDate() {
      const { rows } = await pool.query<{ date: Date | null }>({
        name: 'ocds-newest-date',
        text: 'SELECT max(date) AS date FROM ocds_release',
      });
      return rows[0]?.date?.toISOString();
    },
    async newestSeq(kind) {
      const { from, seq } = TABLES[kind];
      const { rows } = await pool.query<{ seq: string | null }>(`SELECT max(${seq}) AS seq FROM ${from}`);
      return BigInt(rows[0]?.seq ?? 0);
    },
    async isExpected(number, includeTest) {
      const { rows } = await pool.query<{ expected: boolean }>({
        name: 'ocds-expected',
        text: EXPECTED_SQL,
        values: [number, includeTest],
      });
      return rows[0]?.expected === true;
    },
    async position() {
      const { rows } = await pool.query<{ position: string }>({
        name: 'ocds-position',
        text: 'SELECT position FROM ocds_position WHERE id = 1',
      });
      return BigInt(rows[0]?.position ?? 0);
    },
  };
}

/** A condition for each bound that is given. `key` names the combination, for the name of the statement. */
function conditions(
  kind: OcdsKind,
  { after, before, since, until }: Omit<OcdsRange, 'limit'>,
): { readonly where: string; readonly values: readonly unknown[]; readonly key: string } {
  const { seq } = TABLES[kind];
  const bounds = [
    ['after', `${seq} >`, after],
    ['before', `${seq} <`, before],
    ['since', 'date >', since],
    ['until', 'date <=', until],
  ] as const;
  const given = bounds.filter(([, , value]) => value !== undefined);
  return {
    where: given.length === 0 ? 'TRUE' : given.map(([, start], n) => `${start} $${n + 1}`).join(' AND '),
    values: given.map(([, , value]) => value),
    key: given.map(([name]) => name).join('-'),
  };
}
