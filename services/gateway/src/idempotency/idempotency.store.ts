import type pg from 'pg';

/** A request by what is stored of it. */
export interface IdempotencyLookup {
  readonly keyHash: string;
  readonly bodyHash: string;
  /** An attempt older than this has died with its gateway. */
  readonly staleMs: number;
}

/** One forwarding of a request. Times are seconds with all the digits that PostgreSQL has: text, compared as such. */
export interface IdempotencyAttempt {
  readonly keyHash: string;
  /** When the key was first used. */
  readonly firstUsed: string;
  readonly started: string;
}

/** What there is under a key: nothing that stands (now claimed, or to be), another body, a twin on its way, or its answer. */
export type IdempotencyState =
  | { readonly kind: 'claimed'; readonly attempt: IdempotencyAttempt }
  | { readonly kind: 'free' }
  | { readonly kind: 'other body' }
  | { readonly kind: 'on its way' }
  | { readonly kind: 'answered'; readonly answer: Buffer };

/** Answers kept for repeats, in the gateway's database, shared by all its replicas. */
export interface IdempotencyStore {
  /** Claims the key for this request, or says what stands there. A stale attempt is taken over. */
  claim(lookup: IdempotencyLookup): Promise<IdempotencyState>;
  /** Says what stands there and writes nothing: for those who wait. */
  find(lookup: IdempotencyLookup): Promise<IdempotencyState>;
  /** The first answer stays, also that of an attempt that was taken over: it has been sent to somebody. */
  storeResponse(attempt: IdempotencyAttempt, answer: Buffer): Promise<void>;
  /** Nothing came of it: the next repeat tries again. Nothing happens when another has taken it over. */
  release(attempt: IdempotencyAttempt): Promise<void>;
  /** Removes at most `rowsMax` of what is older than a day; gives how many. */
  purge(rowsMax: number): Promise<number>;
}

const EXPIRED = `idempotency.first_used_at < now() - interval '24 hours'`;
const FREE = `(${EXPIRED} OR (idempotency.answer IS NULL AND idempotency.body_hash = $2
    AND (idempotency.started_at IS NULL OR idempotency.started_at < now() - $3 * interval '1 millisecond')))`;

// In one statement: whoever comes second finds what the first left, whichever replica each has reached. The day goes on
// through failures and take-overs, so that all of them have one seed.
const CLAIM = `INSERT INTO idempotency (key_hash, body_hash) VALUES ($1, $2)
  ON CONFLICT (key_hash) DO UPDATE SET body_hash = excluded.body_hash, started_at = now(), answer = NULL,
    first_used_at = CASE WHEN ${EXPIRED} THEN now() ELSE idempotency.first_used_at END
  WHERE ${FREE}
  RETURNING extract(epoch FROM first_used_at)::text AS "firstUsed", extract(epoch FROM started_at)::text AS started`;
const FIND = `SELECT body_hash AS "bodyHash", answer, ${FREE} AS free FROM idempotency WHERE key_hash = $1`;
const SAME_PERIOD = 'key_hash = $1 AND answer IS NULL AND extract(epoch FROM first_used_at)::text = $2';
const STORE_RESPONSE = `UPDATE idempotency SET answer = $3 WHERE ${SAME_PERIOD}`;
const RELEASE = `UPDATE idempotency SET started_at = NULL WHERE ${SAME_PERIOD} AND extract(epoch FROM started_at)::text = $3`;
// Two replicas that purge at once take other rows each.
const PURGE = `DELETE FROM idempotency WHERE key_hash IN
  (SELECT key_hash FROM idempotency WHERE ${EXPIRED} LIMIT $1 FOR UPDATE SKIP LOCKED)`;

/** The kept answers of a database. Throws what the pool throws when that is away. */
export function idempotencyStore(pool: pg.Pool): IdempotencyStore {
  async function find({ keyHash, bodyHash, staleMs }: IdempotencyLookup): Promise<IdempotencyState> {
    type Row = { readonly bodyHash: string; readonly answer: Buffer | null; readonly free: boolean };
    const values = [keyHash, bodyHash, staleMs];
    const { rows } = await pool.query<Row>({ name: 'idempotency-look', text: FIND, values });
    const [row] = rows;
    if (row === undefined || row.free) return { kind: 'free' };
    if (row.bodyHash !== bodyHash) return { kind: 'other body' };
    return row.answer === null ? { kind: 'on its way' } : { kind: 'answered', answer: row.answer };
  }
  return {
    find,
    async claim(lookup) {
      const { keyHash, bodyHash, staleMs } = lookup;
      const values = [keyHash, bodyHash, staleMs];
      const { rows } = await pool.query<Omit<IdempotencyAttempt, 'keyHash'>>({
        name: 'idempotency-claim',
        text: CLAIM,
        values,
      });
      const [row] = rows;
      return row === undefined ? find(lookup) : { kind: 'claimed', attempt: { keyHash, ...row } };
    },
    async storeResponse({ keyHash, firstUsed }, answer) {
      await pool.query({ name: 'idempotency-keep', text: STORE_RESPONSE, values: [keyHash, firstUsed, answer] });
    },
    async release({ keyHash, firstUsed, started }) {
      await pool.query({ name: 'idempotency-release', text: RELEASE, values: [keyHash, firstUsed, started] });
    },
    purge: async (rowsMax) => (await pool.query(PURGE, [rowsMax])).rowCount ?? 0,
  };
}
