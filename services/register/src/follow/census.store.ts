import type pg from 'pg';
import { z } from 'zod';

/** Count of the listed tenders in a range of positions, and a sum over them, as the owner computes them. */
export interface Census {
  readonly count: number;
  readonly sum: string;
}

const CensusRow = z.object({ count: z.number(), sum: z.string() });

// Tenders that have moved after $3 count with their revision before it.
const CENSUS_SQL = `WITH found AS (
    SELECT id, rev, position FROM tender WHERE listed AND position > $1 AND position <= least($2::bigint, $3::bigint)
    UNION ALL
    SELECT moved.id, last.rev, last.position FROM tender AS moved
    JOIN LATERAL (SELECT rev, position, listed FROM revision WHERE revision.id = moved.id AND NOT void AND position <= $3
      ORDER BY rev DESC LIMIT 1) AS last ON last.listed AND last.position > $1 AND last.position <= $2
    WHERE moved.position > $3)
  SELECT count(*)::integer AS count, coalesce(sum(('x' || left(md5(replace(id::text, '-', '') || ':' || rev || ':' || position),
    16))::bit(64)::bigint), 0)::text AS sum FROM found`;

/** The census of the positions in (from, to], as of the position `asOf`. */
export async function readCensus(pool: pg.Pool, from: number, to: number, asOf: number): Promise<Census> {
  const { rows } = await pool.query({ name: 'census', text: CENSUS_SQL, values: [from, to, asOf] });
  return CensusRow.parse(rows[0]);
}

/** The position of the first tender; undefined when there is none. */
export async function firstPosition(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ position: string | null }>('SELECT min(position) AS position FROM tender');
  const position = rows[0]?.position ?? undefined;
  return position === undefined ? undefined : Number(position);
}
