import type pg from 'pg';
import { z } from 'zod';
import { NO_LOT } from './plans.row.ts';
import type { AuctionKey } from './plans.store.ts';

const NEXT = `INSERT INTO auction_version (tender_id, lot_id, version) SELECT *, 1 FROM unnest($1::text[], $2::text[])
  ON CONFLICT (tender_id, lot_id) DO UPDATE SET version = auction_version.version + 1
  RETURNING tender_id AS "tenderId", lot_id AS "lotId", version`;
const TOTAL = 'SELECT coalesce(sum(version), 0) AS version FROM auction_version WHERE tender_id = $1';

const Version = z.coerce.number().int();
const VersionRow = z.object({ tenderId: z.string(), lotId: z.string(), version: Version });

/**
 * Takes the next version of each of these auctions, all different, in the transaction that publishes the facts. Returns the
 * versions in order of the keys. Consumers ignore a fact that is older than the last one they applied.
 */
export async function nextFactVersions(tx: pg.PoolClient, auctions: readonly AuctionKey[]): Promise<readonly number[]> {
  const values = [auctions.map(({ tenderId }) => tenderId), auctions.map(({ lotId }) => lotId ?? NO_LOT)];
  const { rows } = await tx.query({ name: 'fact-versions-next', text: NEXT, values });
  const versions = new Map(
    rows.map((row) => VersionRow.parse(row)).map((row) => [`${row.tenderId}/${row.lotId}`, row]),
  );
  return auctions.map(({ tenderId, lotId = NO_LOT }) => {
    const row = versions.get(`${tenderId}/${lotId}`);
    if (row === undefined) throw new Error('a version is missing right after its update');
    return row.version;
  });
}

/** A number that grows with each fact of the tender's auctions; 0 before the first. */
export async function totalFactVersion(db: Pick<pg.Pool, 'query'>, tenderId: string): Promise<number> {
  const { rows } = await db.query({ name: 'fact-versions-total', text: TOTAL, values: [tenderId] });
  return z.tuple([z.object({ version: Version })]).parse(rows)[0].version;
}
