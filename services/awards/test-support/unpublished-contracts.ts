import type { Awarding } from '../src/domain/awarding.ts';
import { AWARDING_COLUMNS, readRow } from '../src/store/awarding.row.ts';
import { contractDocuments } from '../src/store/contract-feed.publish.ts';
import { contractPublication } from '../src/store/contract-feed.row.ts';
import { tendersInReplica } from '../src/store/newest-in-replica.ts';
import type pg from 'pg';

/** The awardings that can be read, with their tenders as the local copy has them. */
async function awardings(pool: pg.Pool): Promise<readonly Awarding[]> {
  const { rows } = await pool.query<{ id: string }>(`SELECT ${AWARDING_COLUMNS} FROM awarding WHERE document IS JSON`);
  const tx = await pool.connect();
  try {
    const tenders = await tendersInReplica(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.flatMap((row) => {
      const tender = tenders.get(row.id);
      return tender === undefined ? [] : [{ ...readRow(row).state, tender }];
    });
  } finally {
    tx.release();
  }
}

/** The ids of the contracts of which the public does not see what is stored (contracting.md 9.2). */
export async function unpublishedContracts(pool: pg.Pool): Promise<readonly string[]> {
  const [all, published] = await Promise.all([
    awardings(pool),
    pool.query<{
      id: string;
      shown: string;
    }>(`SELECT contract_id AS id, body || view_hash || feed_text(stamp) || fast_fields AS shown
      FROM contract_view JOIN contract_feed USING (contract_id)`),
  ]);
  const shown = new Map(published.rows.map((row) => [row.id, row.shown]));
  const documents = await contractDocuments(
    pool,
    all.map(({ id }) => id),
  );
  const unpublished: string[] = [];
  for (const awarding of all) {
    for (const contract of awarding.contracts) {
      const { head, tail, viewHash, fastFields } = contractPublication(
        awarding,
        contract,
        documents.get(contract.id) ?? [],
      );
      const date = shown.get(contract.id)?.slice(head.length, head.length + DATE_CHARACTERS) ?? '';
      if (shown.get(contract.id) !== head + date + tail + viewHash + date + fastFields) unpublished.push(contract.id);
    }
  }
  return unpublished;
}

const DATE_CHARACTERS = '2026-05-04T10:33:00.000000+03:00'.length;
