import { toJsonText } from '@procurement/domain/json-text';
import { isDatabaseUnavailable, transact } from '@procurement/kit/database/transaction';
import { batchWrites } from '@procurement/kit/database/batch-writes';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { statusAfter } from './bid.events.ts';
import { decideBidWrite, type BidWrite, type DecidedBidWrite } from './bid-write.ts';
import { tryLockBiddingsShared } from './bidding-locks.ts';

export interface BatchRegistrationDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

// Bids and what they tell in one statement, in the order in which they were decided: that is the order of registration.
const REGISTER = `WITH told AS (INSERT INTO outbox (id, subject, envelope, reply_to)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]))
  INSERT INTO bid (id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash)
  SELECT * FROM unnest($5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])`;

/**
 * Makes bids that wait at the same time in one transaction, each by its own decision: locks, commit and the round trips to the
 * database are shared by all of them. Every one is committed, with its event, before anybody is answered.
 *
 * Undefined is for whoever has to be written alone: the bidding of the tender is not free at once (one who closes it has it, or
 * waits for it; or it is the first bid), or the transaction failed, and each shall meet its own failure only. No group waits for
 * a lock, so that no tender holds up the bids of another.
 */
export function batchRegistrations({
  pool,
  outbox,
  clock,
}: BatchRegistrationDeps): (write: BidWrite) => Promise<DecidedBidWrite | undefined> {
  return batchWrites(async (writes: readonly BidWrite[]) => {
    try {
      return await transact(pool, async (tx) => {
        const phases = await tryLockBiddingsShared(
          tx,
          writes.map(({ tender }) => tender.id),
        );
        const decided = writes.map((write): DecidedBidWrite | undefined => {
          const phase = phases.get(write.tender.id);
          // The clock is read for each bid, after the locks: no two bids have the same date.
          return phase && decideBidWrite(outbox, write, { phase, bid: undefined, now: clock.now() });
        });
        await storeRegistrations(tx, outbox, decided);
        return decided;
      });
    } catch (error) {
      // Nobody knows whether it is stored, or nothing can be: the same for each alone.
      if (isDatabaseUnavailable(error)) throw error;
      return writes.map(() => undefined);
    }
  });
}

async function storeRegistrations(
  tx: pg.PoolClient,
  outbox: Outbox,
  decided: readonly (DecidedBidWrite | undefined)[],
): Promise<void> {
  const changes = decided.flatMap((write) => write?.change ?? []);
  if (changes.length === 0) return;
  const { ids, subjects, envelopes, replyTos } = outbox.columns(decided.flatMap((write) => write?.outboxRows ?? []));
  const bids = changes.map(({ bid }) => bid);
  const columns = [
    bids.map((bid) => bid.id),
    bids.map((bid) => bid.tenderId),
    bids.map((bid) => bid.version),
    changes.map(({ event, bid }) => statusAfter(event, bid)),
    bids.map((bid) => toJsonText(bid.document)),
    bids.map((bid) => bid.owner),
    bids.map((bid) => bid.ownerTokenHash),
    bids.map((bid) => bid.transferHash),
  ];
  const values = [ids, subjects, envelopes, replyTos, ...columns];
  await tx.query({ name: 'bids-register', text: REGISTER, values });
}
