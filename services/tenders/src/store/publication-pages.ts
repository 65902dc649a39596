import {
  TEXT_BYTES_MAX,
  TEXT_PART_BYTES,
  type CensusAnswer,
  type ListingQuestion,
  type PageHead,
  type PublicationRow,
} from '@procurement/contracts/events/publications';
import { causesIn } from '@procurement/contracts/resources/causes';
import { anyValue } from '@procurement/kit/database/one-plan';
import type pg from 'pg';

/** One line for each row, each followed by its text if that is sent with it. The first line is the head of the page. */
export type PageLines = readonly string[];

export interface PublicationPages {
  /** The publications after a position, oldest first (register.md 2.3). */
  publications(question: PublicationsAfter): Promise<PageLines>;
  /** A part of the text of a publication; undefined when there is none. */
  part(position: string, part: number): Promise<string | undefined>;
  /** The newest views with positions in a range, oldest first. */
  listing(question: ListingQuestion): Promise<PageLines>;
  census(from: string, to: string): Promise<CensusAnswer>;
}

export interface PublicationsAfter {
  readonly after: string;
  readonly epoch: number;
  readonly rowsMax: number;
  readonly bytesMax: number;
  readonly horizon: boolean;
  /** False: with digests instead of texts. */
  readonly texts: boolean;
}

interface StoredRow {
  readonly position: string;
  readonly previous?: string;
  readonly id: string;
  readonly rev: string;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly causes?: string;
  /** Null for an unlisted one. */
  readonly first?: boolean | null;
  readonly bytes: string;
  /** Null when it is not sent with the row, absent when no text is. */
  readonly text?: string | null;
  /** The next two are in rows without texts; null for an unlisted one. */
  readonly sha256?: string | null;
  readonly number?: string | null;
}

/** The largest `bigint`. */
const STAMP_MAX = '9223372036854775807';
/** Texts whose digests are computed for one answer: PostgreSQL takes less than a second for them, and the asker waits for 5. */
const DIGESTED_BYTES_MAX = 64_000_000;
/** `sized` has the rows with the length of their texts. The first row with a text is sent however large it is. */
const paged = (
  bytesMax: string,
): string => `summed AS (SELECT *, sum(bytes) OVER (ORDER BY position) AS total FROM sized),
  page AS (SELECT * FROM summed WHERE total <= ${bytesMax} OR total = bytes)`;
// `LIMIT 1` keeps the planner from a join that reads all texts, which it takes while the table has no statistics.
const joinText = (row: string): string => `LEFT JOIN LATERAL (SELECT head, tail FROM tender_publication_text AS stored
    WHERE stored.tender_id = ${row}.id AND stored.version = ${row}.version LIMIT 1) AS stored ON true`;
// A range with two ends is few rows for the planner while the table has no statistics, so that it takes the index. For an open range it
// presumes a third of the table, and sorts all of it when that is less than a page.
const FOUND = `found AS (
    SELECT stamp AS position, previous, tender_id AS id, version, rev, listed, is_test, causes, revision = 1 AS first, number, sha256
    FROM tender_publication WHERE stamp > ${anyValue('$1', 'bigint')} AND stamp <= ${STAMP_MAX}
    ORDER BY stamp LIMIT ${anyValue('$2', 'bigint')})`;
// The length of a text is read without the text.
const BYTES = 'coalesce(CASE WHEN listed THEN octet_length(head) + octet_length(tail) + 32 END, 0) AS bytes';
const PUBLICATIONS_SQL = `WITH ${FOUND},
  sized AS (SELECT found.*, ${BYTES} FROM found ${joinText('found')}),
  ${paged('$3')}
  SELECT page.position, previous, page.id, rev, listed, is_test AS "isTest", causes, first, bytes,
    CASE WHEN listed AND bytes <= ${TEXT_BYTES_MAX} THEN head || feed_text(page.position) || tail END AS text
  FROM page ${joinText('page')}
  ORDER BY page.position`;
const DIGESTS_SQL = `WITH ${FOUND}
  SELECT position, previous, id, rev, listed, is_test AS "isTest", causes, first, ${BYTES}, encode(sha256, 'hex') AS sha256, number
  FROM found ${joinText('found')}
  ORDER BY position`;
const FOUND_IN_FEED = `found AS (SELECT stamp AS position, tender_id AS id, rev, listed, is_test FROM tender_feed
    WHERE stamp > $1 AND stamp <= $3 ORDER BY stamp LIMIT $2)`;
const SIZED_IN_FEED = `${FOUND_IN_FEED},
  sized AS (SELECT found.*, coalesce(CASE WHEN listed THEN octet_length(body) END, 0) AS bytes
    FROM found LEFT JOIN tender_view ON tender_view.tender_id = found.id)`;
const LISTING_SQL = `WITH ${SIZED_IN_FEED}, ${paged('$4')}
  SELECT page.position, page.id, page.rev, listed, is_test AS "isTest", bytes,
    CASE WHEN listed AND bytes <= ${TEXT_BYTES_MAX} THEN body END AS text
  FROM page LEFT JOIN tender_view ON tender_view.tender_id = page.id ORDER BY page.position`;
// From the text itself: the publication may have left the log.
const LISTING_DIGESTS_SQL = `WITH ${SIZED_IN_FEED}, ${paged(String(DIGESTED_BYTES_MAX))}
  SELECT page.position, page.id, page.rev, listed, is_test AS "isTest", bytes,
    CASE WHEN listed THEN encode(sha256(convert_to(body, 'UTF8')), 'hex') END AS sha256
  FROM page LEFT JOIN tender_view ON tender_view.tender_id = page.id ORDER BY page.position`;
// Read after the rows of a horizon and before those of a page: `head` may be greater than the last row, never smaller.
const HEAD_SQL = `SELECT coalesce((SELECT max(stamp) FROM tender_feed), 0)::text AS head,
  (SELECT min(stamp) FROM tender_publication)::text AS oldest,
  coalesce((SELECT json_agg(json_build_object('epoch', epoch, 'restoredTo', restored_to::text, 'began', began::text) ORDER BY epoch)
    FROM feed_epoch WHERE epoch > $1), '[]') AS epochs,
  coalesce((SELECT max(epoch) FROM feed_epoch), 0)::integer AS epoch`;
// A listing has no publication to take it from when it has left the log.
const TEXT_SQL = `SELECT coalesce(
  (SELECT head || feed_text(stamp) || tail FROM tender_publication JOIN tender_publication_text USING (tender_id, version)
    WHERE stamp = $1 AND listed),
  (SELECT body FROM tender_view JOIN tender_feed USING (tender_id) WHERE stamp = $1 AND listed)) AS text`;
const CENSUS_SQL = `SELECT count(*)::integer AS count,
  coalesce(sum(('x' || left(md5(tender_id || ':' || rev || ':' || stamp), 16))::bit(64)::bigint), 0)::text AS sum,
  (SELECT coalesce(max(stamp), 0)::text FROM tender_feed) AS head
  FROM tender_feed WHERE listed AND stamp > $1 AND stamp <= $2`;

/** The publication log as the register and the ledger read it, from the database that this service writes to. */
export function publicationPages(pool: pg.Pool): PublicationPages {
  async function head(epoch: number, horizon: string | null): Promise<Omit<PageHead, 'rows'>> {
    const { rows } = await pool.query<Omit<PageHead, 'rows' | 'horizon'>>({
      name: 'publications-head',
      text: HEAD_SQL,
      values: [epoch],
    });
    const [found] = rows;
    if (found === undefined) throw new Error('the head of the log has no row');
    return { ...found, horizon };
  }

  /** Waits for every transaction that has a position already, because it takes the lock of the feed. */
  async function tick(): Promise<string> {
    const { rows } = await pool.query<{ stamp: string }>('SELECT feed_tick()::text AS stamp');
    return rows[0]?.stamp ?? '0';
  }

  return {
    async publications({ after, epoch, rowsMax, bytesMax, horizon, texts }) {
      const horizonStamp = horizon ? await tick() : null;
      // After the horizon, before the rows: an epoch that begins meanwhile is in the next answer.
      const pageHead = await head(epoch, horizonStamp);
      const { rows } = await pool.query<StoredRow>(
        texts
          ? { name: 'publications-page', text: PUBLICATIONS_SQL, values: [after, rowsMax, bytesMax] }
          : { name: 'publications-digests', text: DIGESTS_SQL, values: [after, rowsMax] },
      );
      const last = rows.at(-1)?.position ?? '0';
      return pageLines(BigInt(last) > BigInt(pageHead.head) ? { ...pageHead, head: last } : pageHead, rows);
    },

    async part(position, part) {
      const { rows } = await pool.query<{ text: string | null }>({
        name: 'publications-text',
        text: TEXT_SQL,
        values: [position],
      });
      const text = rows[0]?.text ?? undefined;
      if (text === undefined) return undefined;
      // As base64: a part may end within a character.
      return Buffer.from(text)
        .subarray(part * TEXT_PART_BYTES, (part + 1) * TEXT_PART_BYTES)
        .toString('base64');
    },

    async listing({ after, upTo, rowsMax, bytesMax, texts }) {
      const pageHead = await head(0, null);
      const { rows } = await pool.query<StoredRow>(
        texts
          ? { name: 'publications-listing', text: LISTING_SQL, values: [after, rowsMax, upTo, bytesMax] }
          : { name: 'publications-listing-digests', text: LISTING_DIGESTS_SQL, values: [after, rowsMax, upTo] },
      );
      return pageLines(pageHead, rows);
    },

    async census(from, to) {
      const { rows } = await pool.query<CensusAnswer>({
        name: 'publications-census',
        text: CENSUS_SQL,
        values: [from, to],
      });
      const [found] = rows;
      if (found === undefined) throw new Error('the census has no row');
      return found;
    },
  };
}

function pageLines(head: Omit<PageHead, 'rows'>, rows: readonly StoredRow[]): PageLines {
  return [JSON.stringify({ ...head, rows: rows.length } satisfies PageHead), ...rows.flatMap(rowLines)];
}

function rowLines(row: StoredRow): readonly string[] {
  const { position, previous, id, rev, first, listed, isTest, causes, bytes, text, sha256, number } = row;
  // 0 for a publication whose text was not found: an error, because the log would have a hole.
  if (listed && Number(bytes) === 0) throw new Error(`publication ${position} has no text`);
  const line: PublicationRow = {
    position,
    ...(previous === undefined ? {} : { previous }),
    id,
    rev: Number(rev),
    ...(first === true ? { first } : {}),
    listed,
    test: isTest,
    causes: causes === undefined ? [] : [...causesIn(BigInt(causes))],
    bytes: Number(bytes),
    ...(listed && text === null ? { parts: Math.ceil(Number(bytes) / TEXT_PART_BYTES) } : {}),
    ...(sha256 == null ? {} : { sha256 }),
    ...(number == null ? {} : { number: Number(number) }),
  };
  return text == null ? [JSON.stringify(line)] : [JSON.stringify(line), text];
}
