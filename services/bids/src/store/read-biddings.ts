import type { Instant } from '@procurement/contracts/reading/instant';
import { FENCE_COLUMNS, readFence, type FenceColumns, type FenceState } from '@procurement/kit/messaging/fence';
import type pg from 'pg';
import { z } from 'zod';
import type { BiddingPhase } from '../domain/bid.ts';
import { OWNER_USAGE, type UsageByBroker } from './bid-usage.ts';
import { readPhase } from './bid.row.ts';

/** The bidding of a tender as one statement saw it, without a lock. */
export interface ReadBidding {
  /** Of the row: every write of a bid, every change of phase and every fence stores another. Undefined: there is no row. */
  readonly rowVersion: string | undefined;
  readonly phase: BiddingPhase;
  lastDate: Instant | undefined;
  readonly fence: FenceState;
  readonly usage: UsageByBroker;
}

// The bids in the same statement, hence of the same moment as the version of the row. Counted only when that version is not the
// known one: the count reads every bid of the tender. `LIMIT 1`: decision 0149.
const READ = `SELECT given.id, bidding.xmin::text AS "rowVersion", phase, last_date AS "lastDate", ${FENCE_COLUMNS},
    CASE WHEN bidding.xmin::text = given.known THEN NULL ELSE
      (SELECT coalesce(json_agg(own), '[]') FROM (SELECT ${OWNER_USAGE} FROM bid WHERE tender_id = given.id GROUP BY owner) AS own)
    END AS usage
  FROM unnest($1::text[], $2::text[]) AS given (id, known)
    LEFT JOIN LATERAL (SELECT xmin, * FROM bidding WHERE tender_id = given.id LIMIT 1) AS bidding ON true`;

const Usage = z.array(z.object({ owner: z.string(), bids: z.int(), bytes: z.int() }));

interface Row extends FenceColumns {
  readonly id: string;
  readonly rowVersion: string | null;
  readonly phase: string | null;
  /** A bigint, which pg reads as text. */
  readonly lastDate: string | null;
  readonly usage: unknown;
}

/** The usage of a tender at a version of its row. */
interface KnownUsage {
  readonly rowVersion: string;
  readonly usage: UsageByBroker;
}

/** Reads biddings. Keeps the usages that this process has stored itself, which are right while the row has the same version. */
export interface BiddingsReader {
  /** The biddings of these tenders, also of those that have no row yet. The caller owns the usages. */
  read(tenderIds: readonly string[]): Promise<ReadonlyMap<string, ReadBidding>>;
  /** Keeps the usage that is stored with this version of the row. */
  keep(tenderId: string, known: KnownUsage): void;
}

/** Some hundred bytes each. */
const KEPT_TENDERS_MAX = 1_000;

export function biddingsReader(pool: pg.Pool): BiddingsReader {
  const kept = new Map<string, KnownUsage>();
  return {
    async read(tenderIds) {
      const known = new Map(tenderIds.map((id) => [id, kept.get(id)]));
      // The caller changes them, and may fail.
      for (const id of tenderIds) kept.delete(id);
      const values = [tenderIds, tenderIds.map((id) => known.get(id)?.rowVersion ?? null)];
      const { rows } = await pool.query<Row>({ name: 'biddings-read', text: READ, values });
      return new Map(rows.map((row) => [row.id, readRow(row, known.get(row.id)?.usage)]));
    },

    keep(tenderId, usage) {
      kept.set(tenderId, usage);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_TENDERS_MAX && oldest !== undefined) kept.delete(oldest);
    },
  };
}

function readRow({ rowVersion, phase, lastDate, usage, ...fence }: Row, known: UsageByBroker = new Map()): ReadBidding {
  return {
    rowVersion: rowVersion ?? undefined,
    phase: readPhase(phase === null ? undefined : { phase }),
    // Safe cast: the column holds instants, which a double holds exactly.
    lastDate: lastDate === null ? undefined : (Number(lastDate) as Instant),
    fence: readFence(fence),
    usage: usage === null ? known : new Map(Usage.parse(usage).map(({ owner, ...own }) => [owner, own])),
  };
}
