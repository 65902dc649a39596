import { unavailable } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type pg from 'pg';
import { unpackTexts } from './text-packs.ts';

/** A public revision of a tender, without its text. */
export interface StoredRevision {
  readonly rev: number;
  readonly position: bigint;
  readonly status: string;
  /** Bit set (`causesIn`). */
  readonly causes: bigint;
  /** Absent for the first. */
  readonly changed?: readonly string[];
  readonly bytes: number;
  /** Bit set (`REVISION_FLAGS`). */
  readonly flags: number;
  /** The first 8 digits of the SHA-256 of the text, in hex. Empty without a text. */
  readonly digest: string;
}

/** Where the text of a revision is. */
export type RevisionPlace = Pick<StoredRevision, 'rev' | 'position'>;

/** The same for revisions of several tenders. */
export interface TextPlace extends RevisionPlace {
  /** Its id. */
  readonly tender: string;
}

export interface RevisionPageQuery {
  /** Exclusive bound in the direction of the page. */
  readonly after?: number;
  readonly descending: boolean;
  readonly limit: number;
}

/** Which revisions of a tender are kept. */
export interface HistoryExtent {
  readonly complete: boolean;
  /** The first listed one; absent when none was. */
  readonly first?: { readonly rev: number; readonly position: bigint };
}

/** Listed revisions that no restore has voided. Ids of tenders are 32 hex characters. */
export interface HistoryStore {
  /** Undefined for a tender that is not here. */
  extent(tenderId: string): Promise<HistoryExtent | undefined>;
  page(tenderId: string, query: RevisionPageQuery): Promise<readonly StoredRevision[]>;
  revision(tenderId: string, rev: number): Promise<StoredRevision | undefined>;
  /** The revision with this position. */
  atPosition(tenderId: string, position: bigint): Promise<StoredRevision | undefined>;
  before(tenderId: string, rev: number): Promise<StoredRevision | undefined>;
  /** The revision in force at an instant; undefined when the tender was not listed then. */
  inForce(tenderId: string, at: bigint): Promise<StoredRevision | undefined>;
  /** Public texts by position, byte for byte as they were published. Throws when one is missing. */
  texts(tenderId: string, revisions: readonly RevisionPlace[]): Promise<ReadonlyMap<bigint, string>>;
  /** The same for revisions of any tenders. */
  textsAt(places: readonly TextPlace[]): Promise<ReadonlyMap<bigint, string>>;
}

interface RevisionRow {
  readonly rev: string;
  readonly position: string;
  readonly status: string | null;
  readonly causes: string;
  readonly changed: readonly string[] | null;
  readonly bytes: number;
  readonly flags: number;
  readonly digest: string | null;
  readonly listed: boolean;
}

const COLUMNS = `rev, position, status, causes, changed, bytes, flags, left(encode(digest, 'hex'), 8) AS digest, listed`;
const SHOWN = 'id = $1 AND listed AND NOT void';

/** One revision of a tender. A tender that was not listed at an instant had no public state then. */
const CONDITIONS = {
  'by-rev': `${SHOWN} AND rev = $2`,
  'by-position': `${SHOWN} AND position = $2`,
  before: `${SHOWN} AND rev < $2 ORDER BY rev DESC`,
  'in-force': 'id = $1 AND NOT void AND position <= $2 ORDER BY rev DESC',
} as const;

type OneRevision = keyof typeof CONDITIONS;

export function historyStore(pool: pg.Pool): HistoryStore {
  const one = async (name: OneRevision, ...values: readonly unknown[]): Promise<RevisionRow | undefined> => {
    const text = `SELECT ${COLUMNS} FROM revision WHERE ${CONDITIONS[name]} LIMIT 1`;
    const { rows } = await pool.query<RevisionRow>({ name: `revision-${name}`, text, values: [...values] });
    return rows[0];
  };
  const shown = async (name: OneRevision, ...values: readonly unknown[]): Promise<StoredRevision | undefined> => {
    const row = await one(name, ...values);
    return row?.listed === true ? readRow(row) : undefined;
  };
  return {
    async extent(tenderId) {
      const { rows } = await pool.query<{ complete: boolean; rev: string | null; position: string | null }>({
        name: 'history-extent',
        text: `SELECT complete, first.rev, first.position FROM tender LEFT JOIN LATERAL
            (SELECT rev, position FROM revision WHERE ${SHOWN} ORDER BY rev LIMIT 1) AS first ON TRUE
          WHERE tender.id = $1`,
        values: [tenderId],
      });
      const row = rows[0];
      if (row === undefined) return undefined;
      const { complete, rev, position } = row;
      if (rev === null || position === null) return { complete };
      return { complete, first: { rev: Number(rev), position: BigInt(position) } };
    },
    async page(tenderId, { after, descending, limit }) {
      const [order, sign] = descending ? ['DESC', '<'] : ['ASC', '>'];
      const { rows } = await pool.query<RevisionRow>({
        name: `history-page-${order}-${after === undefined ? 'start' : 'after'}`,
        text: `SELECT ${COLUMNS} FROM revision WHERE ${SHOWN} ${after === undefined ? '' : `AND rev ${sign} $3`}
          ORDER BY rev ${order} LIMIT $2`,
        values: [tenderId, limit, ...(after === undefined ? [] : [after])],
      });
      return rows.map(readRow);
    },
    revision: async (tenderId, rev) => shown('by-rev', tenderId, rev),
    atPosition: async (tenderId, position) => shown('by-position', tenderId, position),
    before: async (tenderId, rev) => shown('before', tenderId, rev),
    inForce: async (tenderId, at) => shown('in-force', tenderId, at),
    texts: async (tender, revisions) =>
      textsAt(
        pool,
        revisions.map((place) => ({ ...place, tender })),
      ),
    textsAt: async (places) => textsAt(pool, places),
  };
}

/** A text that was published is not stored any more: somebody removed it, or a disk lost it. Clients see a 503. */
export class LostTextError extends ProblemError {
  constructor({ rev, tender }: TextPlace) {
    super(unavailable(RETRY_SECONDS));
    this.message = `revision ${rev} of ${tender} has no text`;
  }
}

/** Seconds after which a client may try again. An operator has to act first. */
const RETRY_SECONDS = 60;

async function textsAt(pool: pg.Pool, places: readonly TextPlace[]): Promise<ReadonlyMap<bigint, string>> {
  const texts = await hotTexts(pool, places);
  const cold = places.filter(({ position }) => !texts.has(position));
  for (const tender of new Set(cold.map((place) => place.tender))) {
    const revisions = cold.filter((place) => place.tender === tender);
    await addPackedTexts(pool, tender, revisions, texts);
  }
  const missing = places.find(({ position }) => !texts.has(position));
  if (missing !== undefined) throw new LostTextError(missing);
  return texts;
}

function readRow({ rev, position, status, causes, changed, bytes, flags, digest }: RevisionRow): StoredRevision {
  return {
    rev: Number(rev),
    position: BigInt(position),
    status: status ?? '',
    causes: BigInt(causes),
    ...(changed === null ? {} : { changed }),
    bytes,
    flags,
    digest: digest ?? '',
  };
}

async function hotTexts(pool: pg.Pool, revisions: readonly RevisionPlace[]): Promise<Map<bigint, string>> {
  const { rows } = await pool.query<{ position: string; text: string }>({
    name: 'hot-texts',
    text: 'SELECT position, text FROM revision_text WHERE position = ANY($1::bigint[])',
    values: [revisions.map(({ position }) => position)],
  });
  return new Map(rows.map(({ position, text }) => [BigInt(position), text]));
}

/** Reads packs one by one, because each is up to 4 MB without its compression. */
async function addPackedTexts(
  pool: pg.Pool,
  tenderId: string,
  revisions: readonly RevisionPlace[],
  texts: Map<bigint, string>,
): Promise<void> {
  const positions = new Set(revisions.map(({ position }) => position));
  const revs = revisions.map(({ rev }) => rev);
  const { rows } = await pool.query<{ pack: Buffer }>({
    name: 'packs',
    text: 'SELECT pack FROM revision_pack WHERE id = $1 AND first_rev <= $3 AND last_rev >= $2',
    values: [tenderId, Math.min(...revs), Math.max(...revs)],
  });
  for (const { pack } of rows) {
    for (const { position, text } of await unpackTexts(pack)) if (positions.has(position)) texts.set(position, text);
  }
}
