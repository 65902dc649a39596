import { documentEvents, type DocumentFacts } from '@procurement/contracts/events/document.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { beginWaits } from '@procurement/kit/messaging/request/flow-waits';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type pg from 'pg';
import { z } from 'zod';
import { bidsAreOpen } from '../domain/document.visibility.ts';
import type { DocumentVersion } from '../domain/document.ts';
import { readVersion, VERSION_COLUMNS } from './document.row.ts';

/** Makes the permanent address of a public file. */
export type PermanentUrl = (fileId: string) => string;

/** One version as events publish it. */
export function publicRecord({ record, fileId, sha256 }: DocumentVersion, permanent: PermanentUrl) {
  return { ...record, ...(sha256 === undefined ? {} : { sha256 }), url: permanent(fileId) };
}

// Every version, oldest first: of each document the last one is the newest (http.md 2.4).
const VERSIONS = `SELECT ${VERSION_COLUMNS} FROM document_version WHERE tender_id = $1 ORDER BY position`;
const INCREMENT_VERSION =
  'UPDATE tender_documents SET version = version + 1 WHERE tender_id = $1 RETURNING version, bids_opened AND NOT bids_erased AS "bidsOpened", bids_erased AS "bidsErased"';
const TENDER = `SELECT facts FROM kit.replica WHERE kind = 'tender' AND id = $1`;
const BIDS = `SELECT facts FROM kit.replica WHERE kind = 'bid' AND id = ANY($1::text[])`;

export const TenderDocumentsRow = z.object({
  version: z.coerce.number().int(),
  bidsOpened: z.boolean(),
  bidsErased: z.boolean(),
});
const Bid = z.object({ id: z.string(), status: z.string() });

/** The flow in which this service waits until the tenders service has applied `document.changed`. */
export const DOCUMENTS_FLOW = 'documents';

export interface DocumentsChange {
  readonly tenderId: string;
  readonly at: Instant;
  readonly correlationId: string;
}

/**
 * The event with all public documents of a tender, made in the transaction that changed one. That transaction holds the lock of
 * the tender's row in `tender_documents`, so the versions of events are consecutive.
 */
export async function documentsChangedRow(
  tx: pg.PoolClient,
  { outbox, permanent }: { readonly outbox: Outbox; readonly permanent: PermanentUrl },
  { tenderId, at, correlationId }: DocumentsChange,
): Promise<OutboxRow> {
  const incremented = await tx.query({ name: 'tender-documents-move', text: INCREMENT_VERSION, values: [tenderId] });
  const data = await documentFacts(tx, permanent, { tenderId, ...TenderDocumentsRow.parse(incremented.rows[0]) });
  await beginWaits(tx, [{ flow: DOCUMENTS_FLOW, id: tenderId, version: data.version }]);
  const { schema } = documentEvents['document.changed'];
  const newEvent = { type: 'document.changed', schema, subjectId: tenderId, version: data.version, data };
  return outbox.row({ ...newEvent, time: formatServerDate(at), correlationId }, { awaitsApplied: true });
}

/** A row of `tender_documents`. */
export interface TenderDocuments extends z.infer<typeof TenderDocumentsRow> {
  readonly tenderId: string;
}

/** All public documents of a tender. Leaves out documents of sealed and deleted bids. */
export async function documentFacts(
  db: Pick<pg.Pool, 'query'>,
  permanent: PermanentUrl,
  { tenderId, version, bidsOpened, bidsErased }: TenderDocuments,
): Promise<DocumentFacts> {
  const { rows } = await db.query({ name: 'document-versions', text: VERSIONS, values: [tenderId] });
  const versions = rows.map(readVersion);
  const shownBids = bidsErased ? new Set<string>() : await openBidIds(db, tenderId, bidsOpened, versions);
  return {
    id: tenderId,
    version,
    documents: versions
      .filter(({ parent }) => parent.kind !== 'bid' || shownBids.has(parent.id))
      .map((one) => ({ parent: one.parent, document: publicRecord(one, permanent) })),
  };
}

/** Ids of the bids among the parents whose documents are public. */
async function openBidIds(
  db: Pick<pg.Pool, 'query'>,
  tenderId: string,
  bidsOpened: boolean,
  versions: readonly DocumentVersion[],
): Promise<ReadonlySet<string>> {
  const parents = new Set(versions.filter(({ parent }) => parent.kind === 'bid').map(({ parent }) => parent.id));
  if (parents.size === 0) return parents;
  const tender = await db.query<{ facts: string }>({
    name: 'tender-documents-tender',
    text: TENDER,
    values: [tenderId],
  });
  const facts = tender.rows[0]?.facts;
  const status = facts === undefined ? '' : TenderFacts.parse(JSON.parse(facts)).status;
  if (!bidsAreOpen(status, bidsOpened)) return new Set();
  const bids = await db.query<{ facts: string }>({ name: 'tender-documents-bids', text: BIDS, values: [[...parents]] });
  const known = bids.rows.map((row) => Bid.parse(JSON.parse(row.facts)));
  return new Set(known.filter((bid) => bid.status === 'active').map(({ id }) => id));
}
