import type pg from 'pg';
import { transact } from '../../database/transaction.ts';
import type { Relay } from './relay.ts';

/** A service that tells others what it has. */
export interface Publisher {
  readonly relay: Pick<Relay, 'lost' | 'lookForLoss' | 'renewStream'>;
  /** Its tables with a column `version` that events carry. */
  readonly versioned: readonly string[];
  /** Skips what else the service has given out in its order, and must not give out again. */
  readonly skipNumbers?: ((tx: pg.PoolClient) => Promise<void>) | undefined;
}

/** More than the changes of one object that a restore can lose. */
export const VERSIONS_SKIPPED = 1_000_000;
/** The statement rewrites every row of a table. */
const STATEMENT_MS_MAX = 3_600_000;

/**
 * Makes the database of this service the truth again, after it was restored alone. Versions go on above all that were ever told, so that
 * followers take the state as it is now. Then the stream goes, with the lost events that nobody has applied yet; followers of the new one
 * rebuild. When it ends in the middle, what is lost is still found, and the command can be repeated.
 */
export async function acceptLoss(pool: pg.Pool, { relay, versioned, skipNumbers }: Publisher): Promise<void> {
  await transact(pool, async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = ${STATEMENT_MS_MAX}`);
    for (const table of versioned) {
      const text = `UPDATE ${table} SET version = version + ${VERSIONS_SKIPPED} WHERE version > 0`;
      // The types of `pg` lack the limit of one query; without it the 20 s of the pool hold.
      const statement: pg.QueryConfig & { readonly query_timeout: number } = { text, query_timeout: STATEMENT_MS_MAX };
      await tx.query(statement);
    }
    await skipNumbers?.(tx);
  });
  await relay.renewStream();
}
