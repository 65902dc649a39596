import type pg from 'pg';

/** One page of the feed: the rows as JSON text, in order, and its first and last position. */
export interface FeedPage {
  /** JSON objects joined by commas. */
  readonly rows: string;
  readonly bounds?: { readonly first: bigint; readonly last: bigint };
}

export interface FeedPageQuery {
  readonly descending: boolean;
  readonly mode: FeedMode;
  readonly after?: bigint;
  readonly limit: number;
}

export type FeedMode = 'real' | 'test' | 'all';

/** A row for `opt_fields`. `body` is the public view, present when requested. */
export interface FeedRow {
  readonly id: string;
  readonly stamp: bigint;
  readonly dateModified: string;
  readonly fastFields: string;
  readonly body?: string;
}

export interface FeedStore {
  page(query: FeedPageQuery): Promise<FeedPage>;
  /** The rows in order; fewer than `limit` when they are large (`PAGE_BYTES_MAX`), but always the first one. */
  rows(query: FeedPageQuery, withBody: boolean): Promise<readonly FeedRow[]>;
  /** Whole objects in order; fewer than `limit` when they are large (`EXPANDED_BYTES_MAX`), but always the first one. */
  objects(query: FeedPageQuery): Promise<readonly ExpandedRow[]>;
}

/** An object of the feed: the text of its public view, with its envelope. */
export interface ExpandedRow {
  readonly stamp: bigint;
  readonly body: string;
}

/**
 * The tables of one feed. `feed` has the columns `stamp`, `is_test`, `entry` and `fast_fields`, `view` has `body`, and both have
 * `id`, the column with the id of the object. The database has the function `feed_text`.
 */
export interface FeedTables {
  readonly feed: string;
  readonly view: string;
  readonly id: string;
  /** The column of `feed` that says whether a row is shown. Absent: every row is. */
  readonly listed?: string;
}

/** A page with members of the objects ends with the row that reaches this, so that a page of large objects stays bounded. */
export const PAGE_BYTES_MAX = 8 * 1024 * 1024;

/** Texts of a page of whole objects, of which one text may have more (register.md 8.6). */
export const EXPANDED_BYTES_MAX = 4 * 1024 * 1024;

/** Each condition matches one partial index of the feed, so a page costs the same at any depth. */
function modeConditions(listed: string): Readonly<Record<FeedMode, string>> {
  return { real: `${listed} AND NOT is_test`, test: `${listed} AND is_test`, all: listed };
}

/**
 * The feed, read by position. A page is one statement, so it is one snapshot of the database. Stamps are in commit order, so
 * a reader that continues after the last stamp skips nothing (http.md 1.8).
 */
export function feedStore(pool: pg.Pool, { feed, view, id, listed = 'TRUE' }: FeedTables): FeedStore {
  const conditions = modeConditions(listed);

  function condition(query: FeedPageQuery): string {
    const bound = query.after === undefined ? '' : ` AND stamp ${query.descending ? '<' : '>'} $2`;
    return `WHERE ${conditions[query.mode]}${bound}`;
  }

  function statementName(kind: string, query: FeedPageQuery): string {
    return `${feed}-${kind}-${query.mode}-${orderOf(query)}-${query.after === undefined ? 'start' : 'after'}`;
  }

  return {
    async page(query) {
      const order = orderOf(query);
      const { rows } = await pool.query<{ rows: string | null; low: string | null; high: string | null }>({
        name: statementName('page', query),
        text: `SELECT string_agg(entry, ',' ORDER BY stamp ${order}) AS rows, min(stamp) AS low, max(stamp) AS high
          FROM (SELECT stamp, entry FROM ${feed} ${condition(query)} ORDER BY stamp ${order} LIMIT $1) AS page`,
        values: parameters(query),
      });
      const row = rows[0];
      if (row?.rows == null || row.low === null || row.high === null) return { rows: '' };
      const [low, high] = [BigInt(row.low), BigInt(row.high)];
      return { rows: row.rows, bounds: query.descending ? { first: high, last: low } : { first: low, last: high } };
    },

    async rows(query, withBody) {
      const order = orderOf(query);
      const body = withBody ? 'body' : 'NULL';
      const join = withBody ? `LEFT JOIN ${view} USING (${id})` : '';
      const bytes = `octet_length(fast_fields)${withBody ? ' + coalesce(octet_length(body), 0)' : ''}`;
      // Sizes are read without the texts, which are read for the rows that fit.
      const { rows } = await pool.query<Readonly<Record<'id' | 'stamp' | 'modified' | 'fast' | 'body', string>>>({
        name: `${statementName('rows', query)}-${withBody}`,
        text: `SELECT ${id} AS id, stamp, feed_text(stamp) AS modified, fast_fields AS fast, ${body} AS body
          FROM (SELECT *, sum(${bytes}) OVER (ORDER BY stamp ${order}) - (${bytes}) AS bytes_before FROM
            (SELECT ${id}, stamp, fast_fields FROM ${feed} ${condition(query)} ORDER BY stamp ${order} LIMIT $1) AS page
            ${join}) AS sized
          WHERE bytes_before < ${PAGE_BYTES_MAX} ORDER BY stamp ${order}`,
        values: parameters(query),
      });
      return rows.map((row) => ({
        id: row.id,
        stamp: BigInt(row.stamp),
        dateModified: row.modified,
        fastFields: row.fast,
        ...(withBody ? { body: row.body } : {}),
      }));
    },

    async objects(query) {
      const order = orderOf(query);
      // Sizes are read without the texts, which are read for the rows that fit.
      const { rows } = await pool.query<{ stamp: string; body: string }>({
        name: statementName('objects', query),
        text: `SELECT stamp, body FROM
            (SELECT stamp, body, sum(octet_length(body)) OVER (ORDER BY stamp ${order}) AS bytes, row_number() OVER (ORDER BY stamp ${order}) AS n
              FROM (SELECT stamp, ${id} FROM ${feed} ${condition(query)} ORDER BY stamp ${order} LIMIT $1) AS page
              JOIN ${view} USING (${id})) AS sized
          WHERE n = 1 OR bytes <= ${EXPANDED_BYTES_MAX} ORDER BY stamp ${order}`,
        values: parameters(query),
      });
      return rows.map(({ stamp, body }) => ({ stamp: BigInt(stamp), body }));
    },
  };
}

function orderOf({ descending }: FeedPageQuery): 'ASC' | 'DESC' {
  return descending ? 'DESC' : 'ASC';
}

function parameters(query: FeedPageQuery): string[] {
  return query.after === undefined ? [String(query.limit)] : [String(query.limit), String(query.after)];
}
