import { toJsonText } from '@procurement/domain/json-text';
import { batchWrites } from '@procurement/kit/database/batch-writes';
import { textArray } from '@procurement/kit/database/text-array';
import { isDatabaseUnavailable, transactStatement } from '@procurement/kit/database/transaction';
import { isPassable } from '@procurement/kit/messaging/fence';
import type { Outbox } from '@procurement/kit/messaging/outbox';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { addBid } from './bid-usage.ts';
import { statusAfter } from './bid.events.ts';
import { decideBidWrite, type BidWrite, type DecidedBidWrite } from './bid-write.ts';
import { queueKeySql } from './bidding-locks.ts';
import { biddingsReader, type ReadBidding } from './read-biddings.ts';

export interface BatchRegistrationDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

// Registers the bids of those tenders whose bidding nobody has changed since it was read, and that are neither being written to nor
// closed. The advisory lock is refused while a closing waits in its queue. In the order of the decisions, which is the order of
// registration; tenders in the order of ids, so that two processes with the same new tenders do not deadlock. `LIMIT 1` and
// `ANY`: decision 0149.
const REGISTER = `WITH free AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (id, row_version, last_date)
    WHERE pg_try_advisory_xact_lock_shared(${queueKeySql('id')})),
  unchanged AS MATERIALIZED (SELECT tender_id FROM free CROSS JOIN LATERAL (SELECT tender_id FROM bidding
    WHERE tender_id = free.id AND xmin = free.row_version::xid LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS bidding),
  begun AS (INSERT INTO bidding (tender_id, last_date) SELECT id, last_date FROM free WHERE row_version IS NULL ORDER BY id
    ON CONFLICT DO NOTHING RETURNING tender_id),
  dated AS (UPDATE bidding SET last_date = (SELECT free.last_date FROM free WHERE id = bidding.tender_id)
    WHERE tender_id = ANY(ARRAY(SELECT tender_id FROM unchanged))),
  written AS (SELECT tender_id FROM unchanged UNION ALL SELECT tender_id FROM begun),
  accepted AS (SELECT * FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[],
      $12::text[], $13::text[], $14::text[], $15::text[]) WITH ORDINALITY AS given (event_id, subject, envelope, reply_to,
      id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash, n) JOIN written USING (tender_id)),
  outbox_rows AS (INSERT INTO outbox (id, subject, envelope, reply_to)
    SELECT event_id, subject, envelope, reply_to FROM accepted ORDER BY n),
  bids AS (INSERT INTO bid (id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash)
    SELECT id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash FROM accepted ORDER BY n)
  SELECT tender_id AS id, pg_current_xact_id()::xid::text AS "rowVersion" FROM written`;

/**
 * Registers bids that wait at the same time together, each by its own decision: one statement reads what the decisions need, and one
 * stores the bids of the tenders that have not changed meanwhile. No caller gets its result before the commit (decision 0030).
 *
 * `undefined`: this bid must be written in its own transaction, because its tender is being closed or about to be, is
 * written to by another process, is frozen, or the batch failed, so that each bid meets its own failure only. A batch
 * waits for no lock but that of another first bid of the same tender, so no tender holds up the bids of another.
 */
export function batchRegistrations({
  pool,
  outbox,
  clock,
}: BatchRegistrationDeps): (write: BidWrite) => Promise<DecidedBidWrite | undefined> {
  const reader = biddingsReader(pool);
  return batchWrites(async (writes: readonly BidWrite[]) => {
    try {
      const biddings = await reader.read([...new Set(writes.map(({ tender }) => tender.id))]);
      const decided = writes.map((write): DecidedBidWrite | undefined => {
        const bidding = biddings.get(write.tender.id);
        if (bidding === undefined || !isPassable(bidding.fence, write.tender.version)) return undefined;
        // The clock is read for each bid, after its bidding.
        const result = decideBidWrite(outbox, write, { ...bidding, bid: undefined, now: clock.now() });
        if (result.change !== undefined) {
          bidding.lastDate = result.change.lastDate;
          addBid(bidding.usage, result.change.bid);
        }
        return result;
      });
      const written = await storeRegistrations(pool, outbox, decided, biddings);
      for (const [id, rowVersion] of written) {
        const usage = biddings.get(id)?.usage;
        if (usage !== undefined) reader.keep(id, { rowVersion, usage });
      }
      return decided.map((one) =>
        one?.change === undefined || written.has(one.change.bid.tenderId) ? one : undefined,
      );
    } catch (error) {
      // The outcome of the statement is unknown, or the database is away: writing each bid alone would not help.
      if (isDatabaseUnavailable(error)) throw error;
      return writes.map(() => undefined);
    }
  });
}

/** Returns the new versions of the rows of the tenders whose bids were stored. */
async function storeRegistrations(
  pool: pg.Pool,
  outbox: Outbox,
  decided: readonly (DecidedBidWrite | undefined)[],
  biddings: ReadonlyMap<string, ReadBidding>,
): Promise<ReadonlyMap<string, string>> {
  const changes = decided.flatMap((write) => write?.change ?? []);
  if (changes.length === 0) return new Map();
  const { ids, subjects, envelopes, replyTos } = outbox.columns(decided.flatMap((write) => write?.outboxRows ?? []));
  const bids = changes.map(({ bid }) => bid);
  const tenderIds = [...new Set(bids.map(({ tenderId }) => tenderId))];
  const values = [
    tenderIds,
    tenderIds.map((id) => biddings.get(id)?.rowVersion ?? null),
    tenderIds.map((id) => biddings.get(id)?.lastDate ?? null),
    ids,
    subjects,
    envelopes,
    replyTos,
    bids.map((bid) => bid.id),
    bids.map((bid) => bid.tenderId),
    bids.map((bid) => bid.version),
    changes.map(({ event, bid }) => statusAfter(event, bid)),
    textArray(bids.map((bid) => toJsonText(bid.document))),
    bids.map((bid) => bid.owner),
    bids.map((bid) => bid.ownerTokenHash),
    bids.map((bid) => bid.transferHash),
  ];
  const { rows } = await transactStatement(pool, async (db) =>
    db.query<{ id: string; rowVersion: string }>({ name: 'bids-register', text: REGISTER, values }),
  );
  return new Map(rows.map(({ id, rowVersion }) => [id, rowVersion]));
}
