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

// The bids in the same statement, hence of the same moment as the version of the row.
const READ = `SELECT given.id, bidding.xmin::text AS "rowVersion", phase, last_date AS "lastDate", ${FENCE_COLUMNS},
    (SELECT coalesce(json_agg(own), '[]') FROM (SELECT ${OWNER_USAGE} FROM bid WHERE tender_id = given.id GROUP BY owner) AS own) AS usage
  FROM unnest($1::text[]) AS given (id) LEFT JOIN bidding ON tender_id = given.id`;

const Usage = z.array(z.object({ owner: z.string(), bids: z.int(), bytes: z.int() }));

interface Row extends FenceColumns {
  readonly id: string;
  readonly rowVersion: string | null;
  readonly phase: string | null;
  /** A bigint, which pg reads as text. */
  readonly lastDate: string | null;
  readonly usage: unknown;
}

/** The biddings of these tenders, also of those that have no row yet. */
export async function readBiddings(
  pool: pg.Pool,
  tenderIds: readonly string[],
): Promise<ReadonlyMap<string, ReadBidding>> {
  const { rows } = await pool.query<Row>({ name: 'biddings-read', text: READ, values: [tenderIds] });
  return new Map(rows.map((row) => [row.id, readRow(row)]));
}

function readRow({ rowVersion, phase, lastDate, usage, ...fence }: Row): ReadBidding {
  return {
    rowVersion: rowVersion ?? undefined,
    phase: readPhase(phase === null ? undefined : { phase }),
    // Safe cast: the column holds instants, which a double holds exactly.
    lastDate: lastDate === null ? undefined : (Number(lastDate) as Instant),
    fence: readFence(fence),
    usage: new Map(Usage.parse(usage).map(({ owner, ...own }) => [owner, own])),
  };
}
