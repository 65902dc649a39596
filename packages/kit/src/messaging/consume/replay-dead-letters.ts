import type { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import { transact } from '../../database/transaction.ts';
import { listDeadLetters } from '../dead-letters.ts';
import { parseEnvelope } from '../parse-envelope.ts';
import { claimEvents } from './inbox.ts';
import type { Subscription } from './subscription.ts';

/**
 * Applies the dead letters of a subscription again, oldest first, each in its own transaction that also marks it as replayed.
 * Goes through the inbox, so an event that was applied meanwhile is only marked. Returns the number. A dead letter that fails
 * again stays; after all have been tried, one AggregateError reports the failures. `fetchData`: requests the data of a large
 * event. `ids`: only these.
 */
export async function replayDeadLetters(
  pool: pg.Pool,
  { durable, apply }: Subscription,
  fetchData: (event: Envelope) => Promise<Envelope | undefined>,
  ids?: readonly string[],
): Promise<number> {
  let appliedCount = 0;
  const failures: Error[] = [];
  for (const { id } of await listDeadLetters(pool, { durable, ids })) {
    try {
      const stored = await readEvent(pool, id);
      if (stored === undefined) throw new Error('not an event envelope');
      const event = stored.dataref === undefined ? stored : await fetchData(stored);
      if (event === undefined) throw new Error('the publisher of the event does not respond with its data');
      await transact(pool, async (tx) => {
        if ((await claimEvents(tx, durable, [event.id])).size > 0) await apply(tx, [event]);
        await tx.query('UPDATE kit.dead_letter SET replayed_at = now() WHERE id = $1', [id]);
      });
      appliedCount += 1;
    } catch (error) {
      failures.push(new Error(`dead letter ${id}: ${String(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return appliedCount;
  const reasons = failures.map(({ message }) => message).join('; ');
  throw new AggregateError(
    failures,
    `${durable}: ${appliedCount} applied, ${failures.length} failed again: ${reasons}`,
  );
}

async function readEvent(pool: pg.Pool, id: string): Promise<Envelope | undefined> {
  const { rows } = await pool.query<{ envelope: string }>('SELECT envelope FROM kit.dead_letter WHERE id = $1', [id]);
  return parseEnvelope(rows[0]?.envelope ?? '');
}
