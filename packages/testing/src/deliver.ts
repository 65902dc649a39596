import type { Envelope } from '@procurement/contracts/events/envelope';
import { transact } from '@procurement/kit/database/transaction';
import { storeFactsAtPosition, storeVerified } from '@procurement/kit/messaging/positions';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type pg from 'pg';

/** How events were applied. */
export type Delivered = 'statement' | 'transaction';

/**
 * Applies events as a consumer does, without the inbox: in one statement where the subscription has one for them, else in a
 * transaction. Resolves with which of them it was.
 */
export async function deliver(
  pool: pg.Pool,
  subscription: Subscription,
  events: readonly Envelope[],
): Promise<Delivered> {
  const statement = subscription.factsStatement?.(events);
  if (statement !== undefined) {
    const row = { durable: subscription.durable, slot: 0 };
    const reached = { streamCreatedAt: 'test', seq: 1 };
    await transact(pool, async (tx) => storeVerified(tx, row, reached));
    if (await storeFactsAtPosition(pool, row, { reached, knownSeq: 0 }, statement)) return 'statement';
  }
  await transact(pool, async (tx) => subscription.apply(tx, events));
  return 'transaction';
}
