import type pg from 'pg';

/** What there is under a key: nothing until now, another request's body, one on its way, or its answer. */
export type Kept =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'other body' }
  | { readonly kind: 'on its way' }
  | { readonly kind: 'answered'; readonly answer: Buffer };

/** Answers kept for repeats, in the gateway's database, shared by all its replicas. */
export interface KeptAnswers {
  /** Claims the key for this request, or says what stands there. A claim older than `staleMs` is taken over. */
  claim(keyHash: string, bodyHash: string, staleMs: number): Promise<Kept>;
  keep(keyHash: string, answer: Buffer): Promise<void>;
  /** Nothing came of it: the next repeat tries again. */
  release(keyHash: string): Promise<void>;
  /** Removes some of what is older than a day; gives how many. */
  purge(): Promise<number>;
}

const DAY = `interval '24 hours'`;
const PURGE_MAX = 1_000;

// In one statement: whoever comes second finds what the first left, whichever replica each has reached. An entry of
// yesterday, or one whose gateway has died over it, is as good as none.
const CLAIM = `INSERT INTO idempotency (key_hash, body_hash) VALUES ($1, $2)
  ON CONFLICT (key_hash) DO UPDATE SET body_hash = excluded.body_hash, started_at = now(), answer = NULL
  WHERE idempotency.started_at < now() - ${DAY}
    OR (idempotency.answer IS NULL AND idempotency.body_hash = excluded.body_hash
      AND idempotency.started_at < now() - $3 * interval '1 millisecond')
  RETURNING key_hash`;
const FIND = 'SELECT body_hash AS "bodyHash", answer FROM idempotency WHERE key_hash = $1';
const KEEP = 'UPDATE idempotency SET answer = $2 WHERE key_hash = $1';
const RELEASE = 'DELETE FROM idempotency WHERE key_hash = $1 AND answer IS NULL';
const PURGE = `DELETE FROM idempotency WHERE key_hash IN
  (SELECT key_hash FROM idempotency WHERE started_at < now() - ${DAY} LIMIT ${PURGE_MAX})`;

export function keptAnswers(pool: pg.Pool): KeptAnswers {
  async function claim(keyHash: string, bodyHash: string, staleMs: number): Promise<Kept> {
    const claimed = await pool.query({ name: 'idempotency-claim', text: CLAIM, values: [keyHash, bodyHash, staleMs] });
    if (claimed.rows.length > 0) return { kind: 'claimed' };
    type Row = { readonly bodyHash: string; readonly answer: Buffer | null };
    const { rows } = await pool.query<Row>({ name: 'idempotency-find', text: FIND, values: [keyHash] });
    const [row] = rows;
    // Released in between: the next look claims it.
    if (row === undefined) return { kind: 'on its way' };
    if (row.bodyHash !== bodyHash) return { kind: 'other body' };
    return row.answer === null ? { kind: 'on its way' } : { kind: 'answered', answer: row.answer };
  }
  return {
    claim,
    async keep(keyHash, answer) {
      await pool.query({ name: 'idempotency-keep', text: KEEP, values: [keyHash, answer] });
    },
    async release(keyHash) {
      await pool.query({ name: 'idempotency-release', text: RELEASE, values: [keyHash] });
    },
    purge: async () => (await pool.query(PURGE)).rowCount ?? 0,
  };
}
