import type { AuctionedBid } from '@procurement/contracts/events/bid.events';
import type { AuctionResults, AuctionUrls } from '@procurement/contracts/events/auction.events';
import { bidEvents } from '@procurement/contracts/events/bid.events';
import { toJsonText } from '@procurement/domain/json-text';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import type pg from 'pg';
import { auctionedView, withLinks, withResults } from '../domain/auctioned-bid.ts';
import type { BiddingPhase, BidState } from '../domain/bid.ts';
import type { TriggeringEvent } from './bidding.store.ts';
import { BID_COLUMNS, readRow } from './bid.row.ts';
import type { BidTexts } from './bid-texts.ts';
import { lockBiddingsExclusive, type LockedBidding } from './bidding-locks.ts';

/** Reads and changes of bids by the auction, while they are sealed. */
export interface AuctionStore {
  /** The sealed set with its offers, for the auction service only. */
  sealedSet(tenderId: string): Promise<readonly AuctionedBid[]>;
  /** Gives bids their final values and publishes that it was done. In the caller's transaction. */
  applyResults(
    tx: pg.PoolClient,
    trigger: TriggeringEvent & { readonly at: string },
    results: AuctionResults,
  ): Promise<void>;
  /** The version of the links that the bids of a tender have; null before the first. */
  linksVersion(tenderId: string): Promise<number | null>;
  /** Gives bids the links of their bidders, unless they have newer ones. In the caller's transaction; publishes nothing. */
  applyLinks(tx: pg.PoolClient, links: AuctionUrls): Promise<void>;
}

const SET = `SELECT ${BID_COLUMNS} FROM bid WHERE tender_id = $1 AND status = 'active' ORDER BY position`;
const UPDATE = `UPDATE bid SET version = version + 1, document = changed.document, sealed = changed.sealed
  FROM unnest($1::text[], $2::text[], $3::bytea[]) AS changed (id, document, sealed) WHERE bid.id = changed.id`;
const RAISE_LINKS_VERSION = `UPDATE bidding SET links_version = $2
  WHERE tender_id = $1 AND coalesce(links_version, 0) < $2::bigint`;

// From these rows the fact can be told again. Empty: a tender without lots.
const KEEP_RESULT = `INSERT INTO bidding_result (tender_id, lot_id, at) VALUES ($1, coalesce($2, ''), $3)
  ON CONFLICT (tender_id, lot_id) DO UPDATE SET at = excluded.at`;

const RESULT = 'SELECT FROM bidding_result WHERE tender_id = $1 AND lot_id = $2';
const LINKS_VERSION = 'SELECT links_version AS version FROM bidding WHERE tender_id = $1';

export function auctionStore(pool: pg.Pool, outbox: Outbox, texts: BidTexts): AuctionStore {
  async function load(db: pg.Pool | pg.PoolClient, tenderId: string): Promise<readonly BidState[]> {
    const { rows } = await db.query({ name: 'auction-set', text: SET, values: [tenderId] });
    return rows.map((row) => readRow(row, texts));
  }

  async function save(
    tx: pg.PoolClient,
    { id: tenderId, phase }: { readonly id: string; readonly phase: BiddingPhase },
    change: (document: StoredBid) => StoredBid,
  ): Promise<void> {
    const changed = (await load(tx, tenderId)).map(({ id, version, document }) => ({
      id,
      ...texts.toColumns({ id, tenderId, version: version + 1 }, toJsonText(change(document)), phase),
    }));
    const columns = (['id', 'document', 'sealed'] as const).map((name) => changed.map((row) => row[name]));
    await tx.query({ name: 'auction-update', text: UPDATE, values: columns });
  }

  /**
   * Results that arrive after the erasure are ignored, and after the opening too, unless this database was restored to a moment before them:
   * the opening, which another durable replays, may then overtake them.
   */
  async function takesResults(
    tx: pg.PoolClient,
    { id, phase }: LockedBidding,
    lot: string | undefined,
  ): Promise<boolean> {
    if (phase !== 'opened') return phase === 'sealed';
    return (await tx.query({ name: 'auction-result-kept', text: RESULT, values: [id, lot ?? ''] })).rowCount === 0;
  }

  return {
    async linksVersion(tenderId) {
      const statement = { name: 'auction-links-read', text: LINKS_VERSION, values: [tenderId] };
      const version = (await pool.query<{ version: string | null }>(statement)).rows[0]?.version ?? null;
      return version === null ? null : Number(version);
    },

    sealedSet: async (tenderId) => (await load(pool, tenderId)).map(({ document }) => auctionedView(document)),

    async applyResults(tx, { tenderId, time, correlationId, at }, results) {
      const [bidding] = await lockBiddingsExclusive(tx, [tenderId]);
      const { lot } = results;
      if (bidding === undefined || !(await takesResults(tx, bidding, lot))) return;
      await save(tx, bidding, (document) => withResults(document, results));
      await tx.query({ name: 'auction-result', text: KEEP_RESULT, values: [tenderId, lot ?? null, at] });
      const type = 'bid.results-applied';
      const row = outbox.row({
        type,
        schema: bidEvents[type].schema,
        subjectId: tenderId,
        version: bidding.version,
        time,
        correlationId,
        data: { id: tenderId, at, ...(lot === undefined ? {} : { lot }) },
      });
      await outbox.append(tx, [row]);
    },

    async applyLinks(tx, links) {
      const [bidding] = await lockBiddingsExclusive(tx, [links.id]);
      if (bidding === undefined || bidding.phase === 'erased') return;
      const values = [links.id, links.version];
      const { rowCount } = await tx.query({ name: 'auction-links-version', text: RAISE_LINKS_VERSION, values });
      if (rowCount === 0) return;
      // Opened bids were published as they were: links that come later, when an event was lost, would make others' copies differ.
      if (bidding.phase === 'opened') return;
      await save(tx, bidding, (document) => withLinks(document, links));
    },
  };
}
