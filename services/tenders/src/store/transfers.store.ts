import { TransferRecord } from '@procurement/contracts/events/ownership';
import type { TransferSource } from '@procurement/kit/http/take-over';
import type pg from 'pg';
import { z } from 'zod';

const StoredTransfer = TransferRecord.extend({ date: z.string() });
/** A transfer, and when it was made or used. */
export type StoredTransfer = z.infer<typeof StoredTransfer>;

export interface TransfersStore extends TransferSource {
  find(id: string): Promise<StoredTransfer | undefined>;
  /** Adds a transfer, unless its id exists: a repeat of the request that made it. Returns the stored one. */
  add(transfer: StoredTransfer): Promise<StoredTransfer>;
}

export interface TransfersStoreDeps {
  readonly pool: pg.Pool;
  /** The present time as clients see it. */
  readonly date: () => string;
}

const ADD = `INSERT INTO transfer (id, broker, token_hash, transfer_hash, date) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (id) DO NOTHING`;
const FIND = `SELECT id, broker, token_hash AS "tokenHash", transfer_hash AS "transferHash", date, used_for AS "usedFor"
  FROM transfer WHERE id = $1`;
// One statement, so that of two objects one has the transfer.
const CLAIM = 'UPDATE transfer SET used_for = $2, date = $3 WHERE id = $1 AND used_for IS NULL';

export function transfersStore({ pool, date }: TransfersStoreDeps): TransfersStore {
  async function find(id: string): Promise<StoredTransfer | undefined> {
    const { rows } = await pool.query({ name: 'transfer-find', text: FIND, values: [id] });
    const [row] = rows;
    return row === undefined ? undefined : StoredTransfer.parse({ ...row, usedFor: row.usedFor ?? undefined });
  }
  return {
    find,
    async add(transfer) {
      const { id, broker, tokenHash, transferHash } = transfer;
      await pool.query({
        name: 'transfer-add',
        text: ADD,
        values: [id, broker, tokenHash, transferHash, transfer.date],
      });
      return (await find(id)) ?? transfer;
    },
    async claim(id, usedFor) {
      const claimed = await pool.query({ name: 'transfer-claim', text: CLAIM, values: [id, usedFor, date()] });
      return claimed.rowCount === 1 || (await find(id))?.usedFor === usedFor;
    },
  };
}
