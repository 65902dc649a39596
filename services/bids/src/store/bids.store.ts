import type { Instant } from '@procurement/contracts/instant';
import { toJsonText } from '@procurement/contracts/json-text';
import type { Problem } from '@procurement/contracts/problems';
import { transact } from '@procurement/kit/database';
import type { Decision } from '@procurement/kit/decision';
import type { Outbox, OutboxRow } from '@procurement/kit/outbox';
import type { Clock } from '@procurement/kit/time';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { BidEvent, BiddingPhase, BidState } from '../domain/bid.ts';
import { foldBid } from '../domain/bid.evolve.ts';
import { PrismaClient, type Bid as BidRow } from '../gen/client.ts';
import { bidEventRow, statusAfter } from './bid.events.ts';
import { DELETED, readPhase, readRow } from './bid.row.ts';
import { holdBidding } from './hold-bidding.ts';

/** What a decision finds under its locks; `now` was read after they were had. */
export interface Found {
  readonly phase: BiddingPhase;
  readonly bid: BidState | undefined;
  readonly now: Instant;
}

export interface BidWrite {
  readonly tenderId: string;
  /** The bid that the request names; absent when it makes one. */
  readonly bidId?: string | undefined;
  readonly requestId: string;
}

export type WriteOutcome = { readonly bid: BidState } | { readonly refused: Problem };

/** Bids in this service's database; nothing else may hold what they offer. Deleted ones are not there for anybody. */
export interface BidsStore {
  find(id: string): Promise<BidState | undefined>;
  /** In the order of registration. */
  list(tenderId: string): Promise<readonly BidState[]>;
  phase(tenderId: string): Promise<BiddingPhase>;
  /**
   * Holds the bidding of the tender open, loads, decides, and stores what happened with its event in one transaction; then
   * waits until the tender knows of it. Gives the bid after it. Throws ConflictError when others hold the locks too long.
   */
  write(write: BidWrite, decide: (found: Found) => Decision<BidEvent>): Promise<WriteOutcome>;
}

export interface BidsStoreDeps {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

const LOAD = `SELECT id, tender_id AS "tenderId", version, owner, owner_token_hash AS "ownerTokenHash",
  transfer_hash AS "transferHash", document FROM bid WHERE id = $1 AND tender_id = $2 AND status <> '${DELETED}' FOR UPDATE`;
const INSERT = `INSERT INTO bid (id, tender_id, version, status, document, owner, owner_token_hash, transfer_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const UPDATE = 'UPDATE bid SET version = $3, status = $4, document = $5 WHERE id = $1 AND tender_id = $2';

export function bidsStore({ pool, outbox, clock }: BidsStoreDeps): BidsStore {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  async function load(tx: pg.PoolClient, { tenderId, bidId }: BidWrite): Promise<BidState | undefined> {
    if (bidId === undefined) return undefined;
    const { rows } = await tx.query({ name: 'bid-load', text: LOAD, values: [bidId, tenderId] });
    return rows[0] === undefined ? undefined : readRow(rows[0]);
  }

  async function save(tx: pg.PoolClient, event: BidEvent, bid: BidState): Promise<void> {
    const values = [bid.id, bid.tenderId, bid.version, statusAfter(event, bid), toJsonText(bid.document)];
    if (event.type === 'BidRegistered') {
      const owner = [bid.owner, bid.ownerTokenHash, bid.transferHash];
      await tx.query({ name: 'bid-insert', text: INSERT, values: [...values, ...owner] });
    } else {
      await tx.query({ name: 'bid-update', text: UPDATE, values });
    }
  }

  return {
    find: async (id) => {
      const row = await prisma.bid.findUnique({ where: { id, NOT: { status: DELETED } } });
      return row === null ? undefined : readRow(row);
    },

    list: async (tenderId) => {
      const where = { tenderId, NOT: { status: DELETED } };
      const rows: BidRow[] = await prisma.bid.findMany({ where, orderBy: { position: 'asc' } });
      return rows.map(readRow);
    },

    phase: async (tenderId) => readPhase(await prisma.bidding.findUnique({ where: { tenderId } })),

    async write(write, decide) {
      const { outcome, told } = await transact(pool, async (tx): Promise<Written> => {
        const phase = await holdBidding(tx, write.tenderId);
        const bid = await load(tx, write);
        // After the locks: a wish that waited here for the closing is as late as it is now.
        const now = clock.now();
        const decision = decide({ phase, bid, now });
        if ('refused' in decision) return { outcome: decision, told: [] };
        const [event] = decision.accepted;
        if (event === undefined) return { outcome: { bid: existing(bid) }, told: [] };
        const after = foldBid(bid, event);
        const rows = [bidEventRow(outbox, event, after, { at: now, requestId: write.requestId })];
        await save(tx, event, after);
        await outbox.append(tx, rows);
        return { outcome: { bid: after }, told: rows };
      });
      await outbox.settled(told);
      return outcome;
    },
  };
}

interface Written {
  readonly outcome: WriteOutcome;
  readonly told: readonly OutboxRow[];
}

function existing(bid: BidState | undefined): BidState {
  if (bid === undefined) throw new Error('nothing happened to no bid');
  return bid;
}
