import type { Instant } from '@procurement/contracts/reading/instant';
import { toJsonText } from '@procurement/domain/json-text';
import { isDatabaseUnavailable, transact } from '@procurement/kit/database/transaction';
import { batchWrites } from '@procurement/kit/database/batch-writes';
import { isPassable } from '@procurement/kit/messaging/fence';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { statusAfter } from './bid.events.ts';
import { decideBidWrite, type BidWrite, type DecidedBidWrite } from './bid-write.ts';
import { addBid, loadUsage } from './bid-usage.ts';
import { tryLockBiddings } from './bidding-locks.ts';

export interface BatchRegistrationDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

// Bids and their outbox rows in one statement, in the order of the decisions, which is the order of registration.
const REGISTER = `WITH outbox_rows AS (INSERT INTO outbox (id, subject, envelope, reply_to)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])),
  last_dates AS (UPDATE bidding SET last_date = changed.last_date
    FROM unnest($13::text[], $14::bigint[]) AS changed (tender_id, last_date) WHERE bidding.tender_id = changed.tender_id)
  INSERT INTO bid (id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash)
  SELECT * FROM unnest($5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])`;

/**
 * Registers bids that wait at the same time in one transaction, each by its own decision. Locks, commit and round trips to the
 * database are shared. No caller gets its result before the commit (decision 0030).
 *
 * `undefined`: this bid must be written in its own transaction, because its tender is being closed or about to be, is
 * written to by another process, is frozen, has no bidding row yet, or the batch failed, so that each bid meets its own failure only. A batch never waits for a lock, so no
 * tender holds up the bids of another.
 */
export function batchRegistrations({
  pool,
  outbox,
  clock,
}: BatchRegistrationDeps): (write: BidWrite) => Promise<DecidedBidWrite | undefined> {
  return batchWrites(async (writes: readonly BidWrite[]) => {
    try {
      return await transact(pool, async (tx) => {
        const biddings = await tryLockBiddings(
          tx,
          writes.map(({ tender }) => tender.id),
        );
        const usages = await loadUsage(tx, [...biddings.keys()]);
        const lastDates = new Map<string, Instant>();
        const decided = writes.map((write): DecidedBidWrite | undefined => {
          const { id } = write.tender;
          const bidding = biddings.get(id);
          const usage = usages.get(id);
          if (bidding === undefined || usage === undefined) return undefined;
          if (!isPassable(bidding.fence, write.tender.version)) return undefined;
          const { phase, lastDate } = bidding;
          // The clock is read for each bid, after the locks.
          const state = { phase, lastDate: lastDates.get(id) ?? lastDate, bid: undefined, usage, now: clock.now() };
          const result = decideBidWrite(outbox, write, state);
          if (result.change !== undefined) {
            lastDates.set(id, result.change.lastDate);
            addBid(usage, result.change.bid);
          }
          return result;
        });
        await storeRegistrations(tx, outbox, decided, lastDates);
        return decided;
      });
    } catch (error) {
      // The outcome of the commit is unknown, or the database is away: writing each bid alone would not help.
      if (isDatabaseUnavailable(error)) throw error;
      return writes.map(() => undefined);
    }
  });
}

async function storeRegistrations(
  tx: pg.PoolClient,
  outbox: Outbox,
  decided: readonly (DecidedBidWrite | undefined)[],
  lastDates: ReadonlyMap<string, Instant>,
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
  const values = [ids, subjects, envelopes, replyTos, ...columns, [...lastDates.keys()], [...lastDates.values()]];
  await tx.query({ name: 'bids-register', text: REGISTER, values });
}
