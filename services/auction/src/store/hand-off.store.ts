import type { AuctionResults, AuctionUrls } from '@procurement/contracts/events/auction.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { appendAudit, type AuditAct } from '@procurement/kit/database/audit';
import { transact, tryOut } from '@procurement/kit/database/transaction';
import type { Decision } from '@procurement/domain/decision';
import {
  FrozenError,
  allowsDecision,
  NOT_FROZEN,
  type DecisionFreeze,
} from '@procurement/kit/messaging/request/decision-freeze';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { Replica } from '@procurement/kit/messaging/consume/replica';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Addresses, AuctionRef, HandOffEvent } from '../domain/hand-off.ts';
import { nextFactVersions, totalFactVersion } from './fact-versions.ts';
import { beginHandOffWait } from './hand-off-waits.ts';
import { handOffRow } from './hand-off.events.ts';
import { NO_BID, readAddresses, readReport } from './hand-off.row.ts';
import { NO_LOT } from './plans.row.ts';

interface StoredHandOff {
  readonly recorded: AuctionResults | undefined;
  readonly addresses: Addresses;
}

/** State of an auction, read under the lock of its tender. */
export interface LockedHandOffState extends StoredHandOff {
  /** The tender as given to the write; read anew after a freeze. */
  readonly tender: TenderFacts;
  /** Real time, read after the lock was acquired. */
  readonly now: Instant;
}

export interface HandOffWrite extends AuctionRef {
  readonly tender: TenderFacts;
  readonly requestId: string;
  /** Decides under the lock, and rolls everything back (decision 0111). */
  readonly isDryRun?: boolean;
  /** Recorded with the change (decision 0071). */
  readonly audit?: AuditAct | undefined;
}

export type HandOffWriteResult =
  | { readonly events: readonly HandOffEvent[]; readonly addresses: Addresses }
  | { readonly refused: Problem };

/** Addresses and results of auctions. */
export interface HandOffStore {
  addresses(tenderId: string): Promise<Addresses>;
  /** Links of the bidders of one tender. They are secrets, for the bids service only. */
  urls(tenderId: string): Promise<AuctionUrls>;
  /** Undefined before the report. */
  results(tenderId: string, of: AuctionRef): Promise<AuctionResults | undefined>;
  /** The same with the time of the report, in tender time. */
  report(tenderId: string, of: AuctionRef): Promise<AuctionReport | undefined>;
  /**
   * Loads, decides and stores the change and its events in one transaction, serialised per tender. After a publication of
   * addresses it waits for the acks of other services, for the timeout of `Outbox.awaitApplied` at most. Throws 503 while the
   * tender is frozen (decision 0060).
   */
  write(
    write: HandOffWrite,
    decide: (found: LockedHandOffState) => Decision<HandOffEvent>,
  ): Promise<HandOffWriteResult>;
  /** Publishes an event again, as a newer fact. Stores nothing else and waits for nothing. */
  repeat(tenderId: string, event: HandOffEvent, requestId: string): Promise<void>;
}

export interface AuctionReport {
  readonly results: AuctionResults;
  readonly at: string;
}

export interface HandOffStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly freeze: DecisionFreeze;
  readonly tenders: Replica<TenderFacts>;
}

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 7270738004))';
const ADDRESSES = `SELECT lot_id AS "lotId", bid_id AS "bidId", url FROM auction_address WHERE tender_id = $1
  ORDER BY lot_id, bid_id`;
const RESULTS = 'SELECT results, reported_at AS at FROM auction_result WHERE tender_id = $1 AND lot_id = $2';
const PUBLISH = `INSERT INTO auction_address (tender_id, lot_id, bid_id, url)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[])
  ON CONFLICT (tender_id, lot_id, bid_id) DO UPDATE SET url = excluded.url, published_at = now()`;
const RECORD = 'INSERT INTO auction_result (tender_id, lot_id, results, reported_at) VALUES ($1, $2, $3, $4)';
const DELETE_TASKS = 'DELETE FROM auction_task WHERE tender_id = $1 AND lot_id = $2';

/** Takes the lock of writes about the auctions of a tender. */
export async function lockHandOff(tx: pg.PoolClient, tenderId: string): Promise<void> {
  await tx.query({ name: 'hand-off-lock', text: LOCK, values: [tenderId] });
}

export function handOffStore({ pool, outbox, clock, freeze, tenders }: HandOffStoreDeps): HandOffStore {
  type Queryable = Pick<pg.Pool, 'query'>;

  async function addresses(db: Queryable, tenderId: string): Promise<Addresses> {
    const { rows } = await db.query({ name: 'hand-off-addresses', text: ADDRESSES, values: [tenderId] });
    return readAddresses(rows);
  }

  async function report(db: Queryable, tenderId: string, of: AuctionRef): Promise<AuctionReport | undefined> {
    const { rows } = await db.query({ name: 'hand-off-results', text: RESULTS, values: [tenderId, of.lot ?? NO_LOT] });
    return rows[0] === undefined ? undefined : readReport(tenderId, of, rows[0]);
  }

  /** The outbox row of an event as the newest fact of its auction. */
  async function factRow(
    tx: pg.PoolClient,
    tenderId: string,
    event: HandOffEvent,
    context: { readonly now: Instant; readonly requestId: string },
  ): Promise<OutboxRow> {
    const lotId = event.type === 'AddressesPublished' ? event.lot : event.results.lot;
    const [version = 0] = await nextFactVersions(tx, [{ tenderId, lotId }]);
    return handOffRow(outbox, event, { tenderId, version, ...context });
  }

  async function save(tx: pg.PoolClient, tenderId: string, event: HandOffEvent): Promise<void> {
    if (event.type === 'AddressesPublished') {
      const publicAddress = event.auctionUrl === undefined ? [] : [{ id: NO_BID, participationUrl: event.auctionUrl }];
      const all = [...publicAddress, ...event.bids];
      const lists = [all.map(({ id }) => id), all.map(({ participationUrl }) => participationUrl)];
      const values = [tenderId, event.lot ?? NO_LOT, ...lists];
      await tx.query({ name: 'hand-off-publish', text: PUBLISH, values });
      return;
    }
    const key = [tenderId, event.results.lot ?? NO_LOT];
    const values = [...key, JSON.stringify(event.results.results), event.at];
    await tx.query({ name: 'hand-off-record', text: RECORD, values });
    await tx.query({ name: 'hand-off-nothing-left', text: DELETE_TASKS, values: key });
  }

  async function readState(tx: pg.PoolClient, tenderId: string, lot: string | undefined): Promise<StoredHandOff> {
    const recorded = (await report(tx, tenderId, { lot }))?.results;
    return { recorded, addresses: await addresses(tx, tenderId) };
  }

  async function decideAndSave(
    tx: pg.PoolClient,
    { tender, lot, requestId, audit }: HandOffWrite,
    decide: (found: LockedHandOffState) => Decision<HandOffEvent>,
  ): Promise<DecidedHandOffWrite> {
    await lockHandOff(tx, tender.id);
    const frozen = (await freeze.read(tx, [tender.id])).get(tender.id) ?? NOT_FROZEN;
    if (!allowsDecision(frozen, tender.version)) throw new FrozenError(tender.id);
    const state = await readState(tx, tender.id, lot);
    const now = clock.now();
    const decision = decide({ ...state, tender, now });
    if ('refused' in decision) return { result: decision, outboxRows: [] };
    const rows: OutboxRow[] = [];
    for (const event of decision.accepted) {
      await save(tx, tender.id, event);
      rows.push(await factRow(tx, tender.id, event, { now, requestId }));
      await beginHandOffWait(tx, tender.id, event);
    }
    await outbox.append(tx, rows);
    if (audit !== undefined && rows.length > 0) {
      const before = JSON.stringify(state);
      await appendAudit(tx, audit, {
        id: tender.id,
        before,
        after: JSON.stringify(await readState(tx, tender.id, lot)),
      });
    }
    const result = { events: decision.accepted, addresses: await addresses(tx, tender.id) };
    return { result, outboxRows: rows };
  }

  return {
    addresses: async (tenderId) => addresses(pool, tenderId),

    async urls(tenderId) {
      // Read before the addresses: these may be newer than the version says, never older.
      const version = await totalFactVersion(pool, tenderId);
      return { id: tenderId, version, bids: [...(await addresses(pool, tenderId)).bids] };
    },

    results: async (tenderId, of) => (await report(pool, tenderId, of))?.results,
    report: async (tenderId, of) => report(pool, tenderId, of),

    async write({ tender: given, lot, requestId, isDryRun = false, audit }, decide) {
      const { result, outboxRows } = await freeze.decide(given.id, async (again) => {
        const tender = again ? ((await tenders.refresh(given.id)) ?? given) : given;
        const write = { tender, lot, requestId, isDryRun, audit };
        return (isDryRun ? tryOut : transact)(pool, async (tx) => decideAndSave(tx, write, decide));
      });
      if (outboxRows.length > 0 && !isDryRun) await outbox.awaitApplied(outboxRows);
      return result;
    },

    async repeat(tenderId, event, requestId) {
      await transact(pool, async (tx) => {
        await lockHandOff(tx, tenderId);
        const row = await factRow(tx, tenderId, event, { now: clock.now(), requestId });
        await outbox.append(tx, [row]);
      });
      outbox.wake();
    },
  };
}

interface DecidedHandOffWrite {
  readonly result: HandOffWriteResult;
  readonly outboxRows: readonly OutboxRow[];
}
