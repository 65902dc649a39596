import type pg from 'pg';
import type { AddedVersion } from '../domain/document.ts';

// The row lock is held until the commit, so the clean-up cannot remove the file in between, and two objects cannot take it at once.
const MARK_REFERENCED = `UPDATE file SET referenced = true WHERE id = $1 AND state <> 'dropped'`;
// After that lock, so that it sees the versions of every object that took the file before.
const INSERT = `INSERT INTO document_version (id, document_id, tender_id, parent_kind, parent_id, file_id, record, broker)
  SELECT $1, $2, $3, $4::text, $5::text, $6::text, $7, $8
  WHERE NOT EXISTS (SELECT FROM document_version WHERE file_id = $6::text AND (parent_kind, parent_id) IS DISTINCT FROM ($4::text, $5::text))`;

/**
 * Stores a new version and marks its file as referenced. Returns false, and stores nothing, when the file was removed, or belongs to
 * another object: documents of one object may share a file (http.md 2.6).
 */
export async function insertVersion(tx: pg.PoolClient, version: AddedVersion): Promise<boolean> {
  const { id, tenderId, parent, fileId, record, broker } = version;
  const { rowCount } = await tx.query({ name: 'file-refer', text: MARK_REFERENCED, values: [fileId] });
  if (rowCount !== 1) return false;
  const values = [id, record.id, tenderId, parent.kind, parent.id, fileId, JSON.stringify(record), broker];
  const inserted = await tx.query({ name: 'document-insert', text: INSERT, values });
  return inserted.rowCount === 1;
}
