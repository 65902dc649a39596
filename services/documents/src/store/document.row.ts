import { DocumentParent } from '@procurement/contracts/events/document.events';
import { z } from 'zod';
import type { DocumentVersion, StoredRecord } from '../domain/document.ts';

// A row is untrusted input like any other.
const Row = z.object({
  id: z.string(),
  tenderId: z.string(),
  parentKind: DocumentParent.shape.kind,
  parentId: z.string(),
  fileId: z.string(),
  record: z.string(),
});

const RecordFrame = z.looseObject({
  id: z.string(),
  title: z.string(),
  format: z.string(),
  datePublished: z.string(),
  dateModified: z.string(),
});

/** A version from its row. Throws when the row is not one of ours. */
export function readVersion(given: unknown): DocumentVersion {
  const { parentKind, parentId, record, ...version } = Row.parse(given);
  const parent: DocumentParent = { kind: parentKind, id: parentId };
  // Written from a record that had been read whole; its frame is checked, its parts are only shown.
  return { ...version, parent, record: RecordFrame.parse(JSON.parse(record)) as unknown as StoredRecord };
}

/** The columns of a version in SQL, named as its reader wants them. */
export const VERSION_COLUMNS = `id, tender_id AS "tenderId", parent_kind AS "parentKind", parent_id AS "parentId",
  file_id AS "fileId", record`;
