import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

/** A signed checkpoint with what witnesses have added. */
export interface CosignedNote {
  readonly size: number;
  /** The note of the log and the lines of witnesses, each with its line feed. */
  readonly text: string;
  /** Whole seconds since 1970 at which it was signed. */
  readonly at: number;
}

const INSERT = 'INSERT INTO checkpoint (size, note) VALUES ($1, $2)';
const NOTE = 'SELECT note FROM checkpoint WHERE size = $1';
const COSIGNED = `SELECT size::text, note, extract(epoch FROM at)::float8 AS at,
    coalesce((SELECT string_agg(line || E'\\n', '' ORDER BY witness) FROM cosignature WHERE cosignature.size = checkpoint.size), '') AS lines
  FROM checkpoint`;
const FIRST_AFTER = `${COSIGNED} WHERE size > $1 AND size <= $2 ORDER BY checkpoint.size LIMIT 1`;
const OF_SIZE = `${COSIGNED} WHERE size = $1`;
const COSIGN = `INSERT INTO cosignature (size, witness, line) VALUES ($1, $2, $3)
  ON CONFLICT (size, witness) DO UPDATE SET line = excluded.line`;
const LAST_COSIGNED = 'SELECT max(size)::text AS size FROM cosignature WHERE witness = $1 AND size <= $2';
const THIN = `WITH thinned AS (DELETE FROM checkpoint WHERE size IN (
    SELECT size FROM (SELECT size, row_number() OVER (PARTITION BY date_trunc('minute', at) ORDER BY size) AS place
      FROM checkpoint WHERE at < now() - interval '90 days') AS old WHERE place > 1 AND size < (SELECT published FROM head)) RETURNING size)
  DELETE FROM cosignature USING thinned WHERE cosignature.size = thinned.size`;

export async function insertCheckpoint(tx: pg.PoolClient, size: number, note: string): Promise<void> {
  await tx.query(INSERT, [size, note]);
}

/** The signed note of a size; undefined when the log has not signed it, or it was thinned out. */
export async function noteOfSize(db: Db, size: number): Promise<string | undefined> {
  return (await db.query<{ note: string }>(NOTE, [size])).rows[0]?.note;
}

/** The kept checkpoint of a size, or the smallest that is larger than `after`, not above `published`. */
export async function findCheckpoint(
  db: Db,
  which: { readonly size: number } | { readonly after: number; readonly published: number },
): Promise<CosignedNote | undefined> {
  const query =
    'size' in which
      ? { name: 'checkpoint-of-size', text: OF_SIZE, values: [which.size] }
      : { name: 'checkpoint-after', text: FIRST_AFTER, values: [which.after, which.published] };
  const { rows } = await db.query<{ size: string; note: string; at: number; lines: string }>(query);
  const [row] = rows;
  return row === undefined
    ? undefined
    : { size: Number(row.size), text: `${row.note}${row.lines}`, at: Math.floor(row.at) };
}

/** Stores the line of a witness instead of its former one for this checkpoint. */
export async function saveCosignature(db: Db, size: number, witness: string, line: string): Promise<void> {
  await db.query(COSIGN, [size, witness, line.trimEnd()]);
}

/** Size of the newest checkpoint that a witness has signed; 0 for none. */
export async function lastCosigned(db: Db, witness: string, size: number): Promise<number> {
  return Number((await db.query<{ size: string | null }>(LAST_COSIGNED, [witness, size])).rows[0]?.size ?? 0);
}

/** Keeps of checkpoints that are older than 90 days the first of each minute, and the one that is served. */
export async function thinCheckpoints(db: Db): Promise<void> {
  await db.query(THIN);
}
