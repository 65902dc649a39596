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

const SELECT = `SELECT facts FROM kit.replica WHERE kind = 'tender' AND id = ANY($1::text[])`;

/** The facts of these tenders in the replica, by id. */
export async function tendersInReplica(
  tx: pg.PoolClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TenderFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<{ facts: string }>({ name: 'tenders-in-replica', text: SELECT, values: [ids] });
  return new Map(rows.map(({ facts }) => TenderFacts.parse(JSON.parse(facts))).map((tender) => [tender.id, tender]));
}
