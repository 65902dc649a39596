import type { Envelope } from '@procurement/contracts/events/envelope';
import { transact } from '@procurement/kit/database/transaction';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type pg from 'pg';

/** Applies events in one transaction as a consumer does, without the inbox. */
export async function deliver(pool: pg.Pool, { apply }: Subscription, events: readonly Envelope[]): Promise<void> {
  await transact(pool, async (tx) => apply(tx, events));
}
