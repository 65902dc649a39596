import type pg from 'pg';
import type { DocumentVersion } from '../domain/document.ts';

const INSERT = `INSERT INTO document_version (id, document_id, tender_id, parent_kind, parent_id, file_id, record)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
// The row lock is held until the commit, so the clean-up cannot remove the file in between.
const MARK_REFERENCED = `UPDATE file SET referenced = true WHERE id = $1 AND state <> 'dropped'`;

/** Stores a new version and marks its file as referenced. Returns false, and stores nothing, when the file was removed. */
export async function insertVersion(tx: pg.PoolClient, version: DocumentVersion): Promise<boolean> {
  const { id, tenderId, parent, fileId, record } = version;
  const { rowCount } = await tx.query({ name: 'file-refer', text: MARK_REFERENCED, values: [fileId] });
  if (rowCount !== 1) return false;
  const values = [id, record.id, tenderId, parent.kind, parent.id, fileId, JSON.stringify(record)];
  await tx.query({ name: 'document-insert', text: INSERT, values });
  return true;
}
