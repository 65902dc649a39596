import type { DocumentParent } from '@procurement/contracts/events/document.events';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { appendAudit, readStoredText, type AuditAct } from '@procurement/kit/database/audit';
import { transact, tryOut } from '@procurement/kit/database/transaction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import {
  FREEZE_COLUMNS,
  FrozenError,
  allowsDecision,
  readFreeze,
  type DecisionFreeze,
  type FreezeColumns,
} from '@procurement/kit/messaging/request/decision-freeze';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import type { Replica } from '@procurement/kit/messaging/consume/replica';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import { budgetRefusal, withVersion } from '../domain/document.budget.ts';
import { decideDocumentAt } from '../domain/document.decide.ts';
import type {
  AddedVersion,
  DocumentEvent,
  DocumentRequest,
  DocumentUsage,
  DocumentVersion,
  ParentState,
} from '../domain/document.ts';
import { isPublic } from '../domain/document.visibility.ts';
import type { PrismaClient } from '../gen/client.ts';
import { loadUsage, type DocumentPlace } from './document-usage.ts';
import { readVersion, VERSION_COLUMNS } from './document.row.ts';
import { markFileStored, type StoredFile } from './file-records.store.ts';
import { insertVersion } from './insert-version.ts';
import { documentsChangedRow, type PermanentUrl } from './documents-changed.ts';

/** One write of a document: plain data, decided by the store under its lock. */
export interface DocumentWrite {
  readonly parentState: ParentState;
  /** The document that the request names; absent for a new one. */
  readonly documentId?: string | undefined;
  readonly correlationId: string;
  readonly request: DocumentRequest;
  /** The uploaded file, which is in the file storage and not yet recorded as stored. */
  readonly storedFile?: StoredFile | undefined;
  /** Decides under the lock, and rolls everything back (decision 0111). The file of an upload is not in the storage. */
  readonly isDryRun: boolean;
  /** The refusal when the request requires another state of the document (http.md 5.4), or all of its change (rulings R40). */
  readonly precondition?: DocumentPrecondition | undefined;
  /** Recorded with the change (decision 0071). */
  readonly audit?: AuditAct | undefined;
}

/** `isPublic`: the address of the file is the permanent one. `after` is the newest version after the write. */
export type DocumentPrecondition = (
  newest: DocumentVersion,
  isPublic: boolean,
  after: DocumentVersion,
) => Problem | undefined;

export type DocumentWriteResult = { readonly version: DocumentVersion } | { readonly refused: Problem };

/** Documents in this service's database, each with all its versions. The file of a version never changes. */
export interface DocumentsStore {
  /** One version by its id. */
  version(id: string): Promise<DocumentVersion | undefined>;
  /** All versions of all documents of a parent, oldest first. */
  ofParent(parent: DocumentParent): Promise<readonly DocumentVersion[]>;
  /** All versions of all documents of these bids of a tender, oldest first. */
  ofBids(tenderId: string, bids: readonly string[]): Promise<readonly DocumentVersion[]>;
  /** All versions of one document, oldest first; none when it does not exist. */
  history(documentId: string): Promise<readonly DocumentVersion[]>;
  bidsOpened(tenderId: string): Promise<boolean>;
  /**
   * Locks the tender's documents, loads, decides, and stores the change with its event in one transaction. Then waits, within
   * bounds, until the tenders service has applied the event. Returns the version after it. Throws ConflictError when it waits
   * too long for the lock, and 503 while the tender is frozen (decision 0060).
   */
  write(write: DocumentWrite): Promise<DocumentWriteResult>;
  /**
   * Stores the first versions of documents of a bid that is not stored yet: all or none; a repeat changes nothing. No request
   * sees them before the bid. Throws 422 `document.url-invalid` when a file was removed, or when the byte budget is exceeded.
   */
  attach(versions: readonly AddedVersion[]): Promise<void>;
  /** Refuses the same, and stores nothing (decision 0111). */
  tryToAttach(versions: readonly AddedVersion[]): Promise<void>;
  /** Publishes the public documents of a tender again, at a newer version. */
  repeat(change: { readonly tenderId: string; readonly correlationId: string }): Promise<void>;
  /** The usage of the byte budget, without a lock. */
  usage(place: DocumentPlace): Promise<DocumentUsage>;
  /** Makes the documents of the bids of these tenders public, and publishes them. In the caller's transaction. */
  openBids(tx: pg.PoolClient, openings: readonly TenderTrigger[]): Promise<void>;
  /** The same for one tender, in a transaction of its own. */
  openNow(opening: TenderTrigger): Promise<void>;
  /** Hides the documents of the bids of these tenders for good; publishes it if they were public. In the caller's transaction. */
  eraseBids(tx: pg.PoolClient, erasures: readonly TenderTrigger[]): Promise<void>;
  /**
   * Publishes the public documents again of the tenders whose bids are open and have documents, after changes of these bids. Runs
   * in the transaction that stored the changes.
   */
  republishOpened(tx: pg.PoolClient, changes: readonly BidChange[]): Promise<void>;
}

/** What is done to the documents of one tender, and the correlation id of the event that causes it. */
export interface TenderTrigger {
  readonly tenderId: string;
  readonly correlationId: string;
}

export interface BidChange {
  readonly bidId: string;
  readonly correlationId: string;
}

export interface DocumentsStoreDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly permanent: PermanentUrl;
  readonly freeze: DecisionFreeze;
  readonly tenders: Replica<TenderFacts>;
}

const INSERT_MISSING = 'INSERT INTO tender_documents (tender_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING';
// One order in all transactions, so that two with overlapping sets cannot deadlock.
const LOCK_TENDERS = `SELECT tender_id AS id, bids_opened AND NOT bids_erased AS "bidsOpened", bids_erased AS "bidsErased", version,
  ${FREEZE_COLUMNS} FROM tender_documents WHERE tender_id = ANY($1::text[]) ORDER BY tender_id FOR UPDATE`;
const BIDS_OPENED = 'SELECT bids_opened AND NOT bids_erased AS "bidsOpened" FROM tender_documents WHERE tender_id = $1';
const SELECT_VERSIONS = `SELECT ${VERSION_COLUMNS} FROM document_version`;
const OF_PARENT = `${SELECT_VERSIONS} WHERE parent_kind = $1 AND parent_id = $2 ORDER BY position`;
const OF_BIDS = `${SELECT_VERSIONS} WHERE tender_id = $1 AND parent_kind = 'bid' AND parent_id = ANY($2::text[])
  ORDER BY position`;
const HISTORY = `${SELECT_VERSIONS} WHERE document_id = $1 ORDER BY position`;
const NEWEST = {
  name: 'document-newest',
  text: `${SELECT_VERSIONS} WHERE document_id = $1 ORDER BY position DESC LIMIT 1`,
} as const;
const VERSION = { name: 'document-version', text: `${SELECT_VERSIONS} WHERE id = $1` } as const;
const UPDATE_RECORD = 'UPDATE document_version SET record = $2 WHERE id = $1';
const RECORD_TEXT = 'SELECT record AS text FROM document_version WHERE id = $1';
const OPEN = 'UPDATE tender_documents SET bids_opened = true WHERE tender_id = ANY($1::text[])';
const ERASE = 'UPDATE tender_documents SET bids_opened = false, bids_erased = true WHERE tender_id = ANY($1::text[])';
// Most tenders have no documents of bids and need no event.
const WITH_BID_DOCUMENTS = `SELECT DISTINCT tender_id AS id FROM document_version
  WHERE tender_id = ANY($1::text[]) AND parent_kind = 'bid'`;
const TENDERS_OF_BIDS = `SELECT DISTINCT parent_id AS "bidId", tender_id AS "tenderId" FROM document_version
  WHERE parent_kind = 'bid' AND parent_id = ANY($1::text[])`;

export function documentsStore(deps: DocumentsStoreDeps): DocumentsStore {
  const { pool, prisma, outbox, clock, permanent, freeze, tenders } = deps;

  async function readAll(statement: pg.QueryConfig): Promise<readonly DocumentVersion[]> {
    const { rows } = await pool.query(statement);
    return rows.map(readVersion);
  }

  async function load(
    tx: pg.PoolClient,
    { name, text }: { readonly name: string; readonly text: string },
    id: string | undefined,
  ): Promise<DocumentVersion | undefined> {
    if (id === undefined) return undefined;
    const { rows } = await tx.query({ name, text, values: [id] });
    return rows[0] === undefined ? undefined : readVersion(rows[0]);
  }

  /** Publishes the public documents of those of these tenders whose bids have documents. The caller has locked them. */
  async function publishChanged(
    tx: pg.PoolClient,
    tenderIds: readonly string[],
    triggers: readonly TenderTrigger[],
  ): Promise<void> {
    if (tenderIds.length === 0) return;
    const correlationIds = new Map(triggers.map((trigger) => [trigger.tenderId, trigger.correlationId]));
    const statement = { name: 'tender-documents-of-bids', text: WITH_BID_DOCUMENTS, values: [tenderIds] };
    const withDocuments = await tx.query<{ id: string }>(statement);
    const rows: OutboxRow[] = [];
    for (const { id: tenderId } of withDocuments.rows) {
      const change = { tenderId, at: clock.now(), correlationId: correlationIds.get(tenderId) ?? '' };
      rows.push(await documentsChangedRow(tx, { outbox, permanent }, change));
    }
    await outbox.append(tx, rows);
  }

  /** Returns false when no version may refer to the file (`insertVersion`). */
  async function save(tx: pg.PoolClient, { type, version }: DocumentEvent): Promise<boolean> {
    if (type === 'VersionAdded') return insertVersion(tx, version);
    const values = [version.id, JSON.stringify(version.record)];
    await tx.query({ name: 'document-change', text: UPDATE_RECORD, values });
    return true;
  }

  async function decideAndSave(tx: pg.PoolClient, write: DocumentWrite): Promise<DecidedDocumentWrite> {
    const { documentId, correlationId, request, storedFile, audit, precondition } = write;
    const { tender } = write.parentState;
    const tenderId = tender.id;
    const [tenderDocuments] = await lockTenders(tx, [tenderId]);
    const isFrozen = tenderDocuments !== undefined && !allowsDecision(readFreeze(tenderDocuments), tender.version);
    if (isFrozen) throw new FrozenError(tenderId);
    const parentState = { ...write.parentState, bidsOpened: tenderDocuments?.bidsOpened ?? false };
    // A repeat of a request that came through finds the version that it made.
    const existing = await load(tx, VERSION, 'versionId' in request ? request.versionId : undefined);
    if (existing !== undefined) return { result: { version: existing }, outboxRows: [] };
    const newest = await load(tx, NEWEST, documentId);
    const place = { tenderId, parent: parentState.parent, broker: request.meta.actor.broker };
    const usage = await loadUsage(tx, place);
    // Read after the lock: a request that waited here is judged by the time after it.
    const now = clock.now();
    const decision = decideDocumentAt({ parentState, newest, usage }, request, now);
    if ('refused' in decision) return { result: decision, outboxRows: [] };
    const [event] = decision.accepted;
    const after = event === undefined ? unchangedVersion(newest) : event.version;
    const unmet = newest === undefined ? undefined : precondition?.(newest, isPublic(parentState), after);
    if (unmet !== undefined) return { result: { refused: unmet }, outboxRows: [] };
    if (event === undefined) return { result: { version: after }, outboxRows: [] };
    if (write.isDryRun && 'file' in request && request.file.kind === 'uploaded') {
      return { result: { version: event.version }, outboxRows: [] };
    }
    if (storedFile !== undefined) await markFileStored(tx, storedFile);
    const before = audit === undefined ? undefined : await readStoredText(tx, RECORD_TEXT, newest?.id ?? '');
    if (!(await save(tx, event))) return { result: { refused: problem('document.url-invalid') }, outboxRows: [] };
    if (audit !== undefined) {
      const { record } = event.version;
      await appendAudit(tx, audit, { id: record.id, before, after: JSON.stringify(record) });
    }
    const outboxRows = isPublic(parentState)
      ? [await documentsChangedRow(tx, { outbox, permanent }, { tenderId, at: now, correlationId })]
      : [];
    await outbox.append(tx, outboxRows);
    return { result: { version: event.version }, outboxRows };
  }

  async function attachAll(tx: pg.PoolClient, versions: readonly AddedVersion[]): Promise<void> {
    const [first] = versions; // All versions are of one bid.
    if (first === undefined) return;
    await lockTenders(tx, [first.tenderId]);
    let usage = await loadUsage(tx, first);
    for (const version of versions) {
      if ((await load(tx, VERSION, version.id)) !== undefined) continue;
      const tooMuch = budgetRefusal(version.parent.kind, undefined, version.record, usage);
      // Thrown, so that the transaction rolls back the versions stored before.
      if (tooMuch !== undefined) throw new ProblemError(tooMuch);
      if (!(await insertVersion(tx, version))) throw new ProblemError(problem('document.url-invalid'));
      usage = withVersion(usage, version.record);
    }
  }

  async function withNewestTender(write: DocumentWrite): Promise<DocumentWrite> {
    const { parentState } = write;
    const tender = (await tenders.refresh(parentState.tender.id)) ?? parentState.tender;
    return { ...write, parentState: { ...parentState, tender } };
  }

  async function openBids(tx: pg.PoolClient, openings: readonly TenderTrigger[]): Promise<void> {
    const locked = await lockTenders(tx, tenderIdsOf(openings));
    const ids = locked.filter(({ bidsOpened, bidsErased }) => !bidsOpened && !bidsErased).map(({ id }) => id);
    await tx.query({ name: 'tender-documents-open', text: OPEN, values: [ids] });
    await publishChanged(tx, ids, openings);
  }

  return {
    async version(id) {
      const file = { select: { sha256: true } } as const;
      const row = await prisma.documentVersion.findUnique({ where: { id }, include: { file } });
      return row === null ? undefined : readVersion({ ...row, sha256: row.file.sha256 });
    },
    ofParent: async ({ kind, id }) => readAll({ name: 'document-of-parent', text: OF_PARENT, values: [kind, id] }),
    ofBids: async (tenderId, bids) => readAll({ name: 'document-of-bids', text: OF_BIDS, values: [tenderId, bids] }),
    history: async (documentId) => readAll({ name: 'document-history', text: HISTORY, values: [documentId] }),
    async bidsOpened(tenderId) {
      const { rows } = await pool.query<{ bidsOpened: boolean }>({
        name: 'tender-documents-bids-opened',
        text: BIDS_OPENED,
        values: [tenderId],
      });
      return rows[0]?.bidsOpened ?? false;
    },

    async write(write) {
      const { result, outboxRows } = await freeze.decide(write.parentState.tender.id, async (again) => {
        const current = again ? await withNewestTender(write) : write;
        return (write.isDryRun ? tryOut : transact)(pool, async (tx) => decideAndSave(tx, current));
      });
      if (!write.isDryRun) await outbox.awaitApplied(outboxRows);
      return result;
    },

    attach: async (versions) => transact(pool, async (tx) => attachAll(tx, versions)),
    tryToAttach: async (versions) => tryOut(pool, async (tx) => attachAll(tx, versions)),
    usage: async (place) => loadUsage(pool, place),

    async repeat({ tenderId, correlationId }) {
      await transact(pool, async (tx) => {
        await lockTenders(tx, [tenderId]);
        const change = { tenderId, at: clock.now(), correlationId };
        await outbox.append(tx, [await documentsChangedRow(tx, { outbox, permanent }, change)]);
      });
      outbox.wake();
    },

    openBids,
    openNow: async (opening) => {
      await transact(pool, async (tx) => openBids(tx, [opening]));
      outbox.wake();
    },

    async eraseBids(tx, erasures) {
      const locked = await lockTenders(tx, tenderIdsOf(erasures));
      await tx.query({ name: 'tender-documents-erase', text: ERASE, values: [locked.map(({ id }) => id)] });
      const opened = locked.filter(({ bidsOpened }) => bidsOpened).map(({ id }) => id);
      await publishChanged(tx, opened, erasures);
    },

    async republishOpened(tx, changes) {
      const correlationIds = new Map(changes.map(({ bidId, correlationId }) => [bidId, correlationId]));
      const { rows } = await tx.query<{ bidId: string; tenderId: string }>({
        name: 'tender-documents-tenders-of-bids',
        text: TENDERS_OF_BIDS,
        values: [[...correlationIds.keys()]],
      });
      if (rows.length === 0) return;
      const triggers = rows.map(({ bidId, tenderId }) => ({
        tenderId,
        correlationId: correlationIds.get(bidId) ?? '',
      }));
      // Locked after the copy of the bids was written: a concurrent opening either waits here and reads the new copy, or is seen.
      const locked = await lockTenders(tx, tenderIdsOf(triggers));
      const opened = locked.filter(({ bidsOpened }) => bidsOpened).map(({ id }) => id);
      await publishChanged(tx, opened, triggers);
    },
  };
}

interface LockedTenderDocuments extends FreezeColumns {
  readonly id: string;
  readonly bidsOpened: boolean;
  readonly bidsErased: boolean;
  /** A bigint, which pg reads as text. */
  readonly version: string;
}

/** Locks the rows of the tenders' documents, and inserts missing ones. */
async function lockTenders(tx: pg.PoolClient, tenderIds: readonly string[]): Promise<readonly LockedTenderDocuments[]> {
  const ids = [...new Set(tenderIds)].sort();
  const lock = async () =>
    (await tx.query<LockedTenderDocuments>({ name: 'tender-documents-hold', text: LOCK_TENDERS, values: [ids] })).rows;
  // The row of a tender with documents exists. Not for several: locks on some before the rows of others could deadlock.
  const existing = ids.length === 1 ? await lock() : [];
  if (existing.length > 0) return existing;
  await tx.query({ name: 'tender-documents-ensure', text: INSERT_MISSING, values: [ids] });
  return lock();
}

/** Takes the lock of writes of a tender's documents. Returns the version of the documents. */
export async function lockTenderDocuments(tx: pg.PoolClient, tenderId: string): Promise<number> {
  const [locked] = await lockTenders(tx, [tenderId]);
  return Number(locked?.version ?? 0);
}

function tenderIdsOf(triggers: readonly TenderTrigger[]): readonly string[] {
  return triggers.map(({ tenderId }) => tenderId);
}

interface DecidedDocumentWrite {
  readonly result: DocumentWriteResult;
  readonly outboxRows: readonly OutboxRow[];
}

function unchangedVersion(version: DocumentVersion | undefined): DocumentVersion {
  if (version === undefined) throw new Error('the decision accepted no event and there is no version to return');
  return version;
}
