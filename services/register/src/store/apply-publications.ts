import { createHash } from 'node:crypto';
import { isRefusedContent, transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import type { KnownTenders, Publication, PublicationSource } from '../domain/publication.ts';
import { planRevisions, type PlannedRevision, type RevisionPlan } from '../domain/revision-plan.ts';
import type { TenderColumns } from '../domain/tender-columns.ts';
import { readFollow, saveStep, type FollowState, type FollowStep } from './follow.store.ts';
import { saveTenders } from './save-tenders.ts';
import { storableJson } from './storable-json.ts';

/** Publications, and where following stands after them. */
export interface Page {
  readonly publications: readonly Publication[];
  readonly source: Pick<PublicationSource, 'baseline'>;
  readonly step: FollowStep;
}

export interface ApplyDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

/** `follow` is not where the page begins: another process has applied it meanwhile. */
export class FollowMovedError extends Error {
  constructor() {
    super('another process has applied publications');
    this.name = 'FollowMovedError';
  }
}

/**
 * Applies a page in one transaction with `follow`, so that nothing is applied twice or left out. A row that the database refuses
 * for its content is stored unread, so that it stops no other. Throws FollowMovedError, and errors of the database.
 */
export async function applyPage(deps: ApplyDeps, before: FollowState, page: Page): Promise<void> {
  try {
    await applyOnce(deps, before, page, false);
  } catch (error) {
    if (!isRefusedContent(error)) throw error;
    if (page.publications.length > 1) await applyHalves(deps, before, page);
    else await applyOnce(deps, before, page, true);
  }
}

/** In two transactions, each of which may be halved again. */
async function applyHalves(deps: ApplyDeps, before: FollowState, page: Page): Promise<void> {
  const middle = Math.ceil(page.publications.length / 2);
  const first = page.publications.slice(0, middle);
  const reached = first.at(-1)?.position ?? before.position;
  const { source } = page;
  // A listing goes on after its last row, the log after its position.
  const step: FollowStep = {
    ...before,
    ...(source.baseline && before.backfill !== undefined
      ? { backfill: { ...before.backfill, after: reached } }
      : { position: reached }),
  };
  await applyPage(deps, before, { publications: first, source, step });
  await applyPage(deps, { ...before, ...step }, { ...page, publications: page.publications.slice(middle) });
}

async function applyOnce(deps: ApplyDeps, before: FollowState, page: Page, unread: boolean): Promise<void> {
  const { publications, source, step } = page;
  const plan = await transact(deps.pool, async (tx) => {
    // What a crash of the host takes back is read again, at the same positions.
    await tx.query('SET LOCAL synchronous_commit = off');
    const stored = await readFollow(tx, true);
    if (stored === undefined || !isSamePlace(stored, before)) throw new FollowMovedError();
    const known = await loadKnown(tx, publications);
    const planned = planRevisions(known, publications, { ...source, unread });
    await savePlan(tx, planned);
    await saveStep(tx, step);
    return planned;
  });
  for (const { publication, error } of plan.unread)
    deps.log.error({ err: error, position: publication.position }, 'publication stored unread');
}

function isSamePlace(stored: FollowState, before: FollowState): boolean {
  return (
    stored.position === before.position &&
    stored.epoch === before.epoch &&
    stored.backfill?.after === before.backfill?.after
  );
}

const KNOWN_SQL = `SELECT replace(tender.id::text, '-', '') AS id, position, rev, created, complete, body
  FROM tender LEFT JOIN tender_body ON tender_body.id = tender.id WHERE tender.id = ANY($1::uuid[])`;

const DRAFTS_SQL = "SELECT replace(id::text, '-', '') AS id, rev FROM draft WHERE id = ANY($1::uuid[])";

interface DraftRow {
  readonly id: string;
  readonly rev: string;
}

interface KnownRow {
  readonly id: string;
  readonly position: string;
  readonly rev: string;
  readonly created: string;
  readonly complete: boolean;
  readonly body: string | null;
}

async function loadKnown(tx: pg.PoolClient, publications: readonly Publication[]): Promise<KnownTenders> {
  const ids = [...new Set(publications.map(({ id }) => id))];
  if (ids.length === 0) return { tenders: new Map(), drafts: new Map() };
  const stored = await tx.query<KnownRow>({ name: 'tenders-known', text: KNOWN_SQL, values: [ids] });
  const drafts = await tx.query<DraftRow>({ name: 'drafts-known', text: DRAFTS_SQL, values: [ids] });
  const tenders = stored.rows.map(({ id, position, rev, created, complete, body }) => {
    const numbers = { position: Number(position), rev: Number(rev), created: Number(created) };
    return [id, { ...numbers, complete, body: body ?? undefined }] as const;
  });
  return { tenders: new Map(tenders), drafts: new Map(drafts.rows.map(({ id, rev }) => [id, Number(rev)])) };
}

// A listing may repeat a revision that is stored: after a restore of the owner tenders are listed again.
const REVISIONS_SQL = `INSERT INTO revision (position, previous, id, rev, previous_of_tender, listed, is_test, flags, causes,
    changed, status, method, buyer, currency, amount, cpv, regions, bytes, digest)
  SELECT position, previous, id, rev, "previousOfTender", listed, "isTest", flags, causes,
    changed, status, method, buyer, currency, amount, cpv, regions, bytes, decode(digest, 'hex')
  FROM json_to_recordset($1) AS row(position bigint, previous bigint, id uuid, rev bigint, "previousOfTender" bigint,
    listed boolean, "isTest" boolean, flags integer, causes bigint, changed text[], status text, method text, buyer text,
    currency text, amount numeric, cpv integer[], regions text[], bytes integer, digest text)
  ON CONFLICT (position) DO NOTHING`;
const TEXTS_SQL = `INSERT INTO revision_text (position, text) SELECT * FROM unnest($1::bigint[], $2::text[])
  ON CONFLICT (position) DO NOTHING`;
const UNREAD_SQL = `INSERT INTO dead_letter (durable, subject, envelope, error, attempts)
  SELECT 'publications', subject, '', error, 1 FROM unnest($1::text[], $2::text[]) AS row(subject, error)`;

const SAVE_DRAFTS_SQL = `INSERT INTO draft (id, rev, position) SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[])
  ON CONFLICT (id) DO UPDATE SET rev = excluded.rev, position = excluded.position`;
const PUBLISHED_SQL = 'DELETE FROM draft WHERE id = ANY($1::uuid[])';

async function savePlan(tx: pg.PoolClient, { revisions, tenders, drafts, unread }: RevisionPlan): Promise<void> {
  if (drafts.length > 0) {
    const columns = [drafts.map(({ id }) => id), drafts.map(({ rev }) => rev), drafts.map(({ position }) => position)];
    await tx.query({ name: 'drafts-save', text: SAVE_DRAFTS_SQL, values: columns });
  }
  if (revisions.length === 0) return;
  await tx.query({ name: 'drafts-published', text: PUBLISHED_SQL, values: [tenders.map(({ id }) => id)] });
  await tx.query({ name: 'revisions-add', text: REVISIONS_SQL, values: [storableJson(revisions.map(revisionRow))] });
  const withText = revisions.filter(({ publication }) => publication.text !== undefined);
  await tx.query({
    name: 'texts-add',
    text: TEXTS_SQL,
    values: [
      withText.map(({ publication }) => publication.position),
      withText.map(({ publication }) => publication.text),
    ],
  });
  await saveTenders(tx, tenders);
  if (unread.length === 0) return;
  const subjects = unread.map(({ publication }) => `${publication.id} ${publication.position}`);
  await tx.query(UNREAD_SQL, [subjects, unread.map(({ error }) => String(error).slice(0, 4_000))]);
}

function revisionRow({ publication, previousOfTender, flags, causes, changed, columns }: PlannedRevision): object {
  const { text, causes: _own, ...row } = publication;
  return {
    ...row,
    previousOfTender,
    flags,
    changed,
    causes: String(causes),
    ...(columns === undefined ? {} : filterColumns(columns)),
    bytes: text === undefined ? 0 : Buffer.byteLength(text),
    digest: text === undefined ? undefined : createHash('sha256').update(text).digest('hex').slice(0, 32),
  };
}

/** What filters of the stream need of a revision. */
function filterColumns({ status, method, buyer, currency, amount, cpv, regions }: TenderColumns): object {
  return { status, method, buyer, currency, amount, cpv, regions };
}
