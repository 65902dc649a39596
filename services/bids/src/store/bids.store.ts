import { toJsonText } from '@procurement/contracts/json-text';
import { transact } from '@procurement/kit/database';
import type { Outbox } from '@procurement/kit/outbox';
import type { Clock } from '@procurement/kit/time';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { BidEvent, BiddingPhase, BidState } from '../domain/bid.ts';
import { PrismaClient, type Bid as BidRow } from '../gen/client.ts';
import { statusAfter } from './bid.events.ts';
import { DELETED, readPhase, readRow } from './bid.row.ts';
import { decided, type BidDecision, type BidWrite, type WriteOutcome, type Written } from './bid-write.ts';
import { holdBidding } from './hold-bidding.ts';
import { registerTogether } from './register-together.ts';

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
  write(write: BidWrite, decide: BidDecision): Promise<WriteOutcome>;
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

  const register = registerTogether({ pool, outbox, clock });

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

  async function writeAlone(write: BidWrite, decide: BidDecision): Promise<Written> {
    return transact(pool, async (tx) => {
      const phase = await holdBidding(tx, write.tenderId);
      const bid = await load(tx, write);
      // After the locks: a wish that waited here for the closing is as late as it is now.
      const written = decided(outbox, write, { phase, bid, now: clock.now() }, decide);
      if (written.change !== undefined) {
        await save(tx, written.change.event, written.change.bid);
        await outbox.append(tx, written.told);
      }
      return written;
    });
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
      const together = write.bidId === undefined ? await register({ write, decide }) : undefined;
      const { outcome, told } = together ?? (await writeAlone(write, decide));
      await outbox.settled(told);
      return outcome;
    },
  };
}
