import type { DocumentParent } from '@procurement/contracts/events/document.events';
import type pg from 'pg';
import { parentKindsInQuotaOf } from '../domain/document.budget.ts';
import type { DocumentUsage } from '../domain/document.ts';

// The size of a stored text is known without reading it. The number of versions of a tender is limited (limits.md 7).
const SELECT_USAGE = `SELECT count(*) FILTER (WHERE parent_kind = $3 AND parent_id = $4)::int AS "versionsOfParent",
    count(*)::int AS versions, coalesce(sum(octet_length(record)), 0)::int AS bytes,
    count(*) FILTER (WHERE broker = $5)::int AS "versionsOfBroker",
    coalesce(sum(octet_length(record)) FILTER (WHERE broker = $5), 0)::int AS "bytesOfBroker"
  FROM document_version WHERE tender_id = $1 AND parent_kind = ANY($2::text[])`;

interface UsageRow {
  readonly versionsOfParent: number;
  readonly versions: number;
  readonly bytes: number;
  readonly versionsOfBroker: number;
  readonly bytesOfBroker: number;
}

/** Where a document is added, and by whom. */
export interface DocumentPlace {
  readonly tenderId: string;
  readonly parent: DocumentParent;
  readonly broker: string | undefined;
}

/** The usage of the byte budget. Under the lock of the tender's documents it stays as it is until the commit. */
export async function loadUsage(db: pg.Pool | pg.PoolClient, place: DocumentPlace): Promise<DocumentUsage> {
  const { tenderId, parent, broker } = place;
  const values = [tenderId, parentKindsInQuotaOf(parent.kind), parent.kind, parent.id, broker ?? null];
  const { rows } = await db.query<UsageRow>({ name: 'document-usage', text: SELECT_USAGE, values });
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate without a row');
  return {
    versionsOfParent: row.versionsOfParent,
    ofQuota: { versions: row.versions, bytes: row.bytes },
    ofBroker: { versions: row.versionsOfBroker, bytes: row.bytesOfBroker },
  };
}
