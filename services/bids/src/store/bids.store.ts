import { toJsonText } from '@procurement/domain/json-text';
import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import { appendAudit, readStoredText, type AuditAct } from '@procurement/kit/database/audit';
import { namedStatement } from '@procurement/kit/database/named-statement';
import { transact } from '@procurement/kit/database/transaction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { FrozenError, allowsDecision, type DecisionFreeze } from '@procurement/kit/messaging/request/decision-freeze';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { Replica } from '@procurement/kit/messaging/consume/replica';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { BiddingPhase, BidState } from '../domain/bid.ts';
import { lotsOf, statusAfter } from './bid.events.ts';
import type { AcknowledgedBid } from './bid-receipts.ts';
import { BID_COLUMNS, DELETED, FACT_COLUMNS, readFacts, readPhase, readRow, TextRow } from './bid.row.ts';
import type { BidTexts, StoredText } from './bid-texts.ts';
import { decideBidWrite, type BidChange, type BidWrite, type BidWriteResult } from './bid-write.ts';
import { loadUsage } from './bid-usage.ts';
import { lockBidding } from './bidding-locks.ts';

/** Bids in this service's database, the only place that holds their offers. Deleted bids are never returned. */
export interface BidsStore {
  find(id: string): Promise<BidState | undefined>;
  /** The bid as its row has it. The row does not say when it was written: `at` is the date of the bid. */
  acknowledged(id: string): Promise<AcknowledgedBid | undefined>;
  /** What events tell of a bid. */
  facts(id: string): Promise<BidRegistered | undefined>;
  /** The bids of a tender in the order of registration. */
  list(tenderId: string): Promise<readonly BidState[]>;
  phase(tenderId: string): Promise<BiddingPhase>;
  /**
   * Locks the bidding of the tender, loads, decides, and stores the change with its event in one transaction. Returns the bid after
   * it. Waits for no other service: none shows a bid before it is opened. Throws ConflictError when it waits too long for a lock,
   * QueueFullError when it waits too long behind others of its tender, and 503 when it is accepted while the tender is frozen
   * (decision 0060). After a freeze it decides by the tender as it is then.
   */
  write(write: BidWrite): Promise<BidWriteResult>;
  /** Decides the same by what is stored now. Takes no lock and stores nothing (decision 0111). */
  preview(write: BidWrite): Promise<BidWriteResult>;
}

export interface BidsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly freeze: DecisionFreeze;
  readonly tenders: Replica<TenderFacts>;
  readonly texts: BidTexts;
}

const FIND = `SELECT ${BID_COLUMNS} FROM bid WHERE id = $1 AND status <> '${DELETED}'`;
const LIST = `SELECT ${BID_COLUMNS} FROM bid WHERE tender_id = $1 AND status <> '${DELETED}' ORDER BY position`;
const FACTS = `SELECT ${FACT_COLUMNS} FROM bid WHERE id = $1 AND status <> '${DELETED}'`;
// The bytes that the row has: a hash of clear text would tell whether a guess of a sealed amount is right.
const STORED_TEXT = `SELECT coalesce(sealed, convert_to(document, 'UTF8')) AS text FROM bid WHERE id = $1`;
const PHASE = 'SELECT phase FROM bidding WHERE tender_id = $1';
const BIDDING = 'SELECT phase, last_date AS "lastDate" FROM bidding WHERE tender_id = $1';
const LOAD = `SELECT ${BID_COLUMNS} FROM bid WHERE id = $1 AND tender_id = $2 AND status <> '${DELETED}' FOR UPDATE`;
const WITH_EVENTS = `WITH last_dates AS (UPDATE bidding SET last_date = :lastDate::bigint WHERE tender_id = :tenderId),
  outbox_rows AS (INSERT INTO kit.outbox (id, subject, envelope, reply_to)
    SELECT * FROM unnest(:ids::uuid[], :subjects::text[], :envelopes::text[], :replyTos::text[]))`;
const INSERT = namedStatement(`${WITH_EVENTS}
  INSERT INTO bid (id, tender_id, version, status, document, sealed, lots, owner, owner_token_hash, transfer_hash)
  VALUES (:id, :tenderId, :version, :status, :document, :sealed, :lots, :owner, :ownerTokenHash, :transferHash)`);
const UPDATE = namedStatement(`${WITH_EVENTS}
  UPDATE bid SET version = :version, status = :status, document = :document, sealed = :sealed, lots = :lots,
    owner = :owner, owner_token_hash = :ownerTokenHash, transfer_hash = :transferHash,
    withdrawn_version = CASE WHEN :status = '${DELETED}' AND status = 'active' THEN :version::bigint END,
    closed = CASE WHEN :status <> '${DELETED}' THEN closed END
  WHERE id = :id AND tender_id = :tenderId`);

export function bidsStore({ pool, outbox, clock, freeze, tenders, texts }: BidsStoreDeps): BidsStore {
  async function load(tx: pg.PoolClient, { tender, bidId }: BidWrite): Promise<BidState | undefined> {
    if (bidId === undefined) return undefined;
    const { rows } = await tx.query({ name: 'bid-load', text: LOAD, values: [bidId, tender.id] });
    return rows[0] === undefined ? undefined : readRow(rows[0], texts);
  }

  async function save(
    tx: pg.PoolClient,
    { event, bid, lastDate }: BidChange,
    text: StoredText,
    outboxRows: readonly OutboxRow[],
  ): Promise<void> {
    const columns = {
      ...bid,
      ...text,
      status: statusAfter(event, bid),
      lots: lotsOf(bid),
      lastDate,
      ...outbox.columns(outboxRows),
    };
    const isNew = event.type === 'BidRegistered';
    await tx.query({ name: isNew ? 'bid-insert' : 'bid-update', ...(isNew ? INSERT : UPDATE)(columns) });
  }

  async function decideAndStore(write: BidWrite): Promise<BidWriteResult> {
    return transact(pool, async (tx) => {
      const { phase, lastDate, freeze: frozen } = await lockBidding(tx, write.tender.id);
      const bid = await load(tx, write);
      const usage = await loadUsage(tx, write.tender.id);
      // The time is read after the locks: a request that waited here for the closing is judged by the time after it.
      const decided = decideBidWrite(outbox, write, { phase, lastDate, bid, usage, now: clock.now() });
      if (decided.change === undefined) return decided.result;
      if (!allowsDecision(frozen, write.tender.version)) throw new FrozenError(write.tender.id);
      const { bid: after } = decided.change;
      const text = texts.toColumns(after, toJsonText(after.document), phase);
      if (write.audit !== undefined) await recordChange(tx, write.audit, decided.change, text);
      await save(tx, decided.change, text, decided.outboxRows);
      return { bid: after, event: decided.change.event, stored: acknowledge(decided.change, text) };
    });
  }

  async function find(id: string): Promise<BidState | undefined> {
    const { rows } = await pool.query({ name: 'bid-find', text: FIND, values: [id] });
    return rows[0] === undefined ? undefined : readRow(rows[0], texts);
  }

  async function withNewestTender(write: BidWrite): Promise<BidWrite> {
    return { ...write, tender: (await tenders.refresh(write.tender.id)) ?? write.tender };
  }

  return {
    find,

    async acknowledged(id) {
      const { rows } = await pool.query({ name: 'bid-find', text: FIND, values: [id] });
      if (rows[0] === undefined) return undefined;
      const { status: state, document } = readRow(rows[0], texts);
      return { ...TextRow.parse(rows[0]), state, at: parseInstant(document.date) };
    },

    async facts(id) {
      const { rows } = await pool.query({ name: 'bid-facts', text: FACTS, values: [id] });
      return rows[0] === undefined ? undefined : readFacts(rows[0]);
    },

    list: async (tenderId) => {
      const { rows } = await pool.query({ name: 'bid-list', text: LIST, values: [tenderId] });
      return rows.map((row) => readRow(row, texts));
    },

    phase: async (tenderId) => {
      const { rows } = await pool.query<{ phase: string }>({ name: 'bidding-phase', text: PHASE, values: [tenderId] });
      return readPhase(rows[0]);
    },

    async preview(write) {
      const tenderId = write.tender.id;
      const { rows } = await pool.query<BiddingRow>({ name: 'bidding-preview', text: BIDDING, values: [tenderId] });
      const bid = write.bidId === undefined ? undefined : await find(write.bidId);
      const usage = await loadUsage(pool, tenderId);
      const last = rows[0]?.lastDate ?? undefined;
      // Safe cast: the column holds instants.
      const lastDate = last === undefined ? undefined : (Number(last) as Instant);
      return decideBidWrite(outbox, write, { phase: readPhase(rows[0]), lastDate, bid, usage, now: clock.now() })
        .result;
    },

    async write(write) {
      const result = await freeze.decide(write.tender.id, async (again) =>
        decideAndStore(again ? await withNewestTender(write) : write),
      );
      outbox.wake();
      return result;
    },
  };
}

interface BiddingRow {
  readonly phase: string;
  /** A bigint, which pg reads as text. */
  readonly lastDate: string | null;
}

/** What a receipt says of a change. */
function acknowledge({ event, bid, at }: BidChange, text: StoredText): AcknowledgedBid {
  const { id, tenderId, version, status } = bid;
  return { ...text, id, tenderId, version, at, state: event.type === 'BidWithdrawn' ? 'withdrawn' : status };
}

/** Runs before the change is stored. A withdrawn bid counts as removed: its text stays as it was. */
async function recordChange(
  tx: pg.PoolClient,
  audit: AuditAct,
  { event, bid }: BidChange,
  { document, sealed }: StoredText,
): Promise<void> {
  const before = await readStoredText<Buffer>(tx, STORED_TEXT, bid.id);
  const after = event.type === 'BidWithdrawn' ? undefined : (sealed ?? document ?? undefined);
  await appendAudit(tx, audit, { id: bid.id, before, after });
}
