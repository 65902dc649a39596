import { DocumentParent } from '@procurement/contracts/events/document.events';
import { z } from 'zod';
import type { DocumentVersion, StoredRecord } from '../domain/document.ts';

// A row is untrusted input like any other (decision 0005).
const Row = z.object({
  id: z.string(),
  tenderId: z.string(),
  parentKind: DocumentParent.shape.kind,
  parentId: z.string(),
  fileId: z.string(),
  sha256: z.string().nullable(),
  record: z.string(),
});

const RecordFrame = z.looseObject({
  id: z.string(),
  title: z.string(),
  format: z.string(),
  datePublished: z.string(),
  dateModified: z.string(),
});

/** Reads a version from its row. Throws when the row does not have the expected shape. */
export function readVersion(row: unknown): DocumentVersion {
  const { parentKind, parentId, record, sha256, ...version } = Row.parse(row);
  const parent: DocumentParent = { kind: parentKind, id: parentId };
  // The record was validated whole before it was written; only the members that the code depends on are checked again.
  const file = sha256 === null ? {} : { sha256 };
  return { ...version, ...file, parent, record: RecordFrame.parse(JSON.parse(record)) as unknown as StoredRecord };
}

/** The columns of a version in SQL, named as `readVersion` expects them. */
export const VERSION_COLUMNS = `id, tender_id AS "tenderId", parent_kind AS "parentKind", parent_id AS "parentId",
  file_id AS "fileId", (SELECT sha256 FROM file WHERE file.id = file_id) AS sha256, record`;
