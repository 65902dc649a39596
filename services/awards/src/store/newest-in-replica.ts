import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type pg from 'pg';

const SELECT_NEWER = `SELECT facts FROM kit.replica JOIN unnest($1::text[], $2::bigint[]) AS given (id, version) USING (id)
  WHERE kind = 'tender' AND replica.version > given.version`;

/** These facts, each replaced by those of the replica if they are newer: an event may arrive late. */
export async function newestInReplica(
  tx: pg.PoolClient,
  facts: readonly TenderFacts[],
): Promise<readonly TenderFacts[]> {
  const values = [facts.map((tender) => tender.id), facts.map((tender) => tender.version)];
  const { rows } = await tx.query<{ facts: string }>({ name: 'tenders-newer', text: SELECT_NEWER, values });
  const newer = new Map(
    rows.map((row) => {
      const tender = TenderFacts.parse(JSON.parse(row.facts));
      return [tender.id, tender] as const;
    }),
  );
  return facts.map((tender) => newer.get(tender.id) ?? tender);
}
