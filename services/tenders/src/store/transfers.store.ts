import type { Instant } from '@procurement/contracts/reading/instant';
import { TransferRecord } from '@procurement/contracts/events/ownership';
import type { TransferSource } from '@procurement/kit/http/take-over';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { z } from 'zod';

const StoredTransfer = TransferRecord.extend({
  // Safe cast: written from an `Instant`; pg reads a bigint as text.
  at: z.coerce.number().transform((at) => at as Instant),
});
/** A transfer, and when it was made or used, in microseconds. */
export type StoredTransfer = z.infer<typeof StoredTransfer>;

export interface TransfersStore extends TransferSource {
  find(id: string): Promise<StoredTransfer | undefined>;
  /** Adds a transfer, unless its id exists: a repeat of the request that made it. Returns the stored one. */
  add(transfer: StoredTransfer): Promise<StoredTransfer>;
  /** Deletes the transfers that were made or used before this instant. */
  purge(before: Instant): Promise<void>;
}

export interface TransfersStoreDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

const ADD = `INSERT INTO transfer (id, broker, token_hash, transfer_hash, at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (id) DO NOTHING`;
const FIND = `SELECT id, broker, token_hash AS "tokenHash", transfer_hash AS "transferHash", at, used_for AS "usedFor"
  FROM transfer WHERE id = $1`;
// One statement, so that of two objects one has the transfer.
const CLAIM = 'UPDATE transfer SET used_for = $2, at = $3 WHERE id = $1 AND used_for IS NULL';
const PURGE = 'DELETE FROM transfer WHERE at < $1';

export function transfersStore({ pool, clock }: TransfersStoreDeps): TransfersStore {
  async function find(id: string): Promise<StoredTransfer | undefined> {
    const { rows } = await pool.query({ name: 'transfer-find', text: FIND, values: [id] });
    const [row] = rows;
    return row === undefined ? undefined : StoredTransfer.parse({ ...row, usedFor: row.usedFor ?? undefined });
  }
  return {
    find,
    async add(transfer) {
      const { id, broker, tokenHash, transferHash, at } = transfer;
      await pool.query({ name: 'transfer-add', text: ADD, values: [id, broker, tokenHash, transferHash, at] });
      return (await find(id)) ?? transfer;
    },
    async claim(id, usedFor) {
      const claimed = await pool.query({ name: 'transfer-claim', text: CLAIM, values: [id, usedFor, clock.now()] });
      return claimed.rowCount === 1 || (await find(id))?.usedFor === usedFor;
    },
    async purge(before) {
      await pool.query({ name: 'transfer-purge', text: PURGE, values: [before] });
    },
  };
}
