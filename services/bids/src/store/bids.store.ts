import { bidEvents, type BidRegistered as BidRegisteredData } from '@procurement/contracts/events/bid.events';
import { toJsonText } from '@procurement/contracts/json-text';
import { transact } from '@procurement/kit/database';
import type { Outbox, OutboxRow } from '@procurement/kit/outbox';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { BidEvent, BidState } from '../domain/bid.ts';
import { PrismaClient, type Bid as BidRow } from '../gen/client.ts';
import { readRow } from './bid.row.ts';

/** Bids in this service's database; nothing else may hold what they offer. */
export interface BidsStore {
  find(id: string): Promise<BidState | undefined>;
  /** In the order of registration. */
  list(tenderId: string): Promise<readonly BidState[]>;
  /** Stores what happened and its events in one transaction, then waits until the tender knows of it. */
  save(events: readonly BidEvent[], requestId: string): Promise<BidState>;
}

const INSERT = `INSERT INTO bid (id, tender_id, version, status, owner, owner_token_hash, transfer_hash, document)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

export function bidsStore({ pool, outbox }: { readonly pool: pg.Pool; readonly outbox: Outbox }): BidsStore {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  async function insert(tx: pg.PoolClient, { document, ...bid }: BidState): Promise<void> {
    const owner = [bid.owner, bid.ownerTokenHash, bid.transferHash];
    const values = [bid.id, bid.tenderId, bid.version, document.status, ...owner, toJsonText(document)];
    await tx.query({ name: 'bid-insert', text: INSERT, values });
  }

  return {
    find: async (id) => {
      const row = await prisma.bid.findUnique({ where: { id } });
      return row === null ? undefined : readRow(row);
    },

    list: async (tenderId) => {
      const rows: BidRow[] = await prisma.bid.findMany({ where: { tenderId }, orderBy: { position: 'asc' } });
      return rows.map(readRow);
    },

    async save(events, requestId) {
      const [event] = events;
      if (event === undefined) throw new Error('a bid was saved though nothing happened to it');
      const { bid } = event;
      const rows = [outboxRow(outbox, bid, requestId)];
      await transact(pool, async (tx) => {
        await insert(tx, bid);
        await outbox.append(tx, rows);
      });
      await outbox.settled(rows);
      return bid;
    },
  };
}

/** What others may know while bids are sealed: that it exists, and whose it is. */
function outboxRow(outbox: Outbox, bid: BidState, requestId: string): OutboxRow {
  const { id, tenderId, version, owner, ownerTokenHash, document } = bid;
  const lots = (document.lotValues ?? []).map((lotValue) => lotValue.relatedLot);
  const data: BidRegisteredData = { id, tenderId, version, status: document.status, owner, ownerTokenHash, lots };
  return outbox.row(
    {
      type: 'bid.registered',
      schema: bidEvents['bid.registered'].schema,
      subjectId: tenderId,
      version,
      time: document.date,
      data,
      correlationId: requestId,
    },
    { settles: true },
  );
}
