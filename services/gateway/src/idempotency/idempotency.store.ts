import type pg from 'pg';
import type { IdempotencyAttempt } from '../request/idempotency-claim.ts';

/** The stored parts of a request. */
export interface IdempotencyLookup {
  readonly keyHash: string;
  readonly bodyHash: string;
  /** An attempt that was neither begun nor renewed for as long counts as abandoned. */
  readonly staleMs: number;
}

/**
 * State of a key: claimed by this call, free, used with another body, in progress in another request, or completed with a stored
 * response.
 */
export type IdempotencyState =
  | { readonly kind: 'claimed'; readonly attempt: IdempotencyAttempt }
  | { readonly kind: 'free' }
  | { readonly kind: 'body-mismatch' }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'completed'; readonly answer: Buffer };

/** Responses stored for repeats, in the gateway's database, shared by all replicas. */
export interface IdempotencyStore {
  /** Claims the key for this request or returns its state. Takes over a stale attempt. */
  claim(lookup: IdempotencyLookup): Promise<IdempotencyState>;
  /** Returns the state of the key without writing: for polling. */
  find(lookup: IdempotencyLookup): Promise<IdempotencyState>;
  /** Stores a response. The first one stays, also that of an attempt that was taken over, because a client has received it. */
  storeResponse(attempt: IdempotencyAttempt, answer: Buffer): Promise<void>;
  /** Keeps a running attempt from becoming stale. Returns it as it is now; undefined: it was answered or taken over. */
  renew(attempt: IdempotencyAttempt): Promise<IdempotencyAttempt | undefined>;
  /** Frees a failed attempt: the next repeat is forwarded again. No effect when the attempt was taken over. */
  release(attempt: IdempotencyAttempt): Promise<void>;
  /** Deletes at most `rowsMax` rows older than 24 hours; returns how many. */
  purge(rowsMax: number): Promise<number>;
}

const EXPIRED = `idempotency.first_used_at < now() - interval '24 hours'`;
const FREE = `(${EXPIRED} OR (idempotency.answer IS NULL AND idempotency.body_hash = $2
    AND (idempotency.started_at IS NULL OR idempotency.started_at < now() - $3 * interval '1 millisecond')))`;

// One statement, so that of two replicas exactly one claims the key. `first_used_at` survives failures and take-overs, so that all
// attempts of one day have the same seed.
const CLAIM = `INSERT INTO idempotency (key_hash, body_hash) VALUES ($1, $2)
  ON CONFLICT (key_hash) DO UPDATE SET body_hash = excluded.body_hash, started_at = now(), answer = NULL,
    first_used_at = CASE WHEN ${EXPIRED} THEN now() ELSE idempotency.first_used_at END
  WHERE ${FREE}
  RETURNING extract(epoch FROM first_used_at)::text AS "firstUsed", extract(epoch FROM started_at)::text AS started`;
const FIND = `SELECT body_hash AS "bodyHash", answer, ${FREE} AS free FROM idempotency WHERE key_hash = $1`;
const SAME_PERIOD = 'key_hash = $1 AND answer IS NULL AND extract(epoch FROM first_used_at)::text = $2';
const STORE_RESPONSE = `UPDATE idempotency SET answer = $3 WHERE ${SAME_PERIOD}`;
const SAME_ATTEMPT = `${SAME_PERIOD} AND extract(epoch FROM started_at)::text = $3`;
const RELEASE = `UPDATE idempotency SET started_at = NULL WHERE ${SAME_ATTEMPT}`;
const RENEW = `UPDATE idempotency SET started_at = clock_timestamp() WHERE ${SAME_ATTEMPT}
  RETURNING extract(epoch FROM started_at)::text AS started`;
// Replicas that purge at the same time delete different rows.
const PURGE = `DELETE FROM idempotency WHERE key_hash IN
  (SELECT key_hash FROM idempotency WHERE ${EXPIRED} LIMIT $1 FOR UPDATE SKIP LOCKED)`;

/** The store in a database. Its functions reject with the error of the pool when the database is down. */
export function idempotencyStore(pool: pg.Pool): IdempotencyStore {
  async function find({ keyHash, bodyHash, staleMs }: IdempotencyLookup): Promise<IdempotencyState> {
    type Row = { readonly bodyHash: string; readonly answer: Buffer | null; readonly free: boolean };
    const values = [keyHash, bodyHash, staleMs];
    const { rows } = await pool.query<Row>({ name: 'idempotency-find', text: FIND, values });
    const [row] = rows;
    if (row === undefined || row.free) return { kind: 'free' };
    if (row.bodyHash !== bodyHash) return { kind: 'body-mismatch' };
    return row.answer === null ? { kind: 'in-progress' } : { kind: 'completed', answer: row.answer };
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
      await pool.query({ name: 'idempotency-store', text: STORE_RESPONSE, values: [keyHash, firstUsed, answer] });
    },
    async renew(attempt) {
      const { keyHash, firstUsed, started } = attempt;
      const values = [keyHash, firstUsed, started];
      const { rows } = await pool.query<{ started: string }>({ name: 'idempotency-renew', text: RENEW, values });
      return rows[0] && { ...attempt, ...rows[0] };
    },
    async release({ keyHash, firstUsed, started }) {
      await pool.query({ name: 'idempotency-release', text: RELEASE, values: [keyHash, firstUsed, started] });
    },
    purge: async (rowsMax) => (await pool.query(PURGE, [rowsMax])).rowCount ?? 0,
  };
}
