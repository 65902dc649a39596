import { listAudit, type AuditRow } from '@procurement/kit/database/audit';
import type pg from 'pg';

/** The rows of the audit log that name an object, oldest first. */
export async function readAudit(pool: pg.Pool, id: string): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of listAudit(pool, '1970-01-01T00:00:00Z')) if (row.objects.includes(id)) rows.push(row);
  return rows;
}

/** A row in short. */
export interface AuditedHashes {
  readonly what: string;
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
}

/** Outcome, status and hashes of the rows that name an object. */
export async function auditedHashes(pool: pg.Pool, id: string): Promise<readonly AuditedHashes[]> {
  const rows = await readAudit(pool, id);
  return rows.map(({ group, method, outcome, status, beforeHash, afterHash }) => ({
    what: [group, method, outcome, status].join(' '),
    beforeHash,
    afterHash,
  }));
}
