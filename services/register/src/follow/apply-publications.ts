import { anyValue } from '@procurement/kit/database/one-plan';
import { textArray } from '@procurement/kit/database/text-array';
import { isRefusedContent, transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { redactedPublication, type RedactionRule } from './domain/redacted-publication.ts';
import { readPointer } from '../revisions/domain/redact-text.ts';
import type { KnownTenders, Publication, PublicationSource } from '../revisions/domain/publication.ts';
import { planRevisions, type PlannedRevision, type RevisionPlan } from './domain/revision-plan.ts';
import type { TenderColumns } from '../revisions/domain/tender-columns.ts';
import { readFollow, STEP_SQL, stepValues, type FollowState, type FollowStep } from './follow.store.ts';
import { storedDerived, type StoredDerived } from './save-derived.ts';
import { readTexts, type TextReadings } from './read-texts.ts';
import { saveTenders } from './save-tenders.ts';
import { storableJson } from '../revisions/storable-json.ts';

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
  // Few tenders of a listing are known here: their texts are parsed again, and no parsed text is kept.
  const keepsParsed = !page.source.baseline;
  const readings = await readTexts(deps.pool, page.publications, { keepsParsed });
  const read = { ...page, readings };
  try {
    await applyOnce(deps, before, read, false);
  } catch (error) {
    if (!isRefusedContent(error)) throw error;
    if (page.publications.length > 1) await applyHalves(deps, before, page);
    else await applyOnce(deps, before, read, true);
  }
}

/** A page whose texts were read. */
type ReadPage = Page & { readonly readings: TextReadings };

/**
 * Applies a page in two transactions, each of which may be halved again. Texts are read again, because the newest text of a tender differs
 * in a half.
 */
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
  const rest = { publications: page.publications.slice(middle), source, step: page.step };
  await applyPage(deps, { ...before, ...step }, rest);
}

async function applyOnce(deps: ApplyDeps, before: FollowState, page: ReadPage, unread: boolean): Promise<void> {
  const { publications, source, step } = page;
  const plan = await transact(deps.pool, async (tx) => {
    const stored = await readFollow(tx, 'lockForPage');
    if (stored === undefined || !isSamePlace(stored, before)) throw new FollowMovedError();
    const { known, derived, rules } = await loadKnown(tx, publications);
    const allowed = publications.map((one) => redactedPublication(one, rules.get(one.id) ?? []));
    const readings = await withRedacted(tx, page, allowed);
    const planned = planRevisions(known, allowed, { ...source, unread }, readings);
    await savePlan(tx, planned, step);
    await saveTenders(tx, planned.tenders, derived);
    return planned;
  });
  for (const { publication, error } of plan.unread)
    deps.log.error({ err: error, position: publication.position }, 'publication stored unread');
}

/** Texts from which something was removed are read again. */
async function withRedacted(
  tx: pg.PoolClient,
  { publications, readings }: ReadPage,
  allowed: readonly Publication[],
): Promise<TextReadings> {
  const redacted = allowed.filter((one, n) => one !== publications[n]);
  return redacted.length === 0
    ? readings
    : new Map([...readings, ...(await readTexts(tx, redacted, { keepsParsed: true }))]);
}

function isSamePlace(stored: FollowState, before: FollowState): boolean {
  return (
    stored.position === before.position &&
    stored.epoch === before.epoch &&
    stored.backfill?.after === before.backfill?.after
  );
}

// `LIMIT 1`: a search in the index for each tender, also with a plan from when the tables were empty (decision 0005).
const foundIn = (table: string, columns: string): string =>
  `LEFT JOIN LATERAL (SELECT ${columns} FROM ${table} WHERE id = asked.id LIMIT 1) AS ${table} ON true`;
const KNOWN_SQL = `SELECT replace(asked.id::text, '-', '') AS id, tender.position, tender.rev, created, complete, body,
    encode(text_hash, 'hex') AS hash, contribution,
    (SELECT json_agg(json_build_object('pointer', pointer, 'firstRev', first_rev, 'lastRev', last_rev))
      FROM redaction WHERE redaction.tender = asked.id) AS redactions
  FROM unnest(${anyValue('$1', 'uuid[]')}) AS asked (id) ${foundIn('tender', 'position, rev, created, complete, text_hash')}
    ${foundIn('tender_body', 'body')} ${foundIn('tender_contribution', 'contribution')}`;

interface KnownRow {
  readonly id: string;
  /** Null for an unknown tender, and the next three. */
  readonly position: string | null;
  readonly rev: string;
  readonly created: string;
  readonly complete: boolean;
  readonly body: string | null;
  readonly hash: string | null;
  readonly contribution: string | null;
  /** Null for almost every tender. */
  readonly redactions:
    | readonly { readonly pointer: string; readonly firstRev: number; readonly lastRev: number }[]
    | null;
}

interface LoadedTenders {
  readonly known: KnownTenders;
  readonly derived: StoredDerived;
  /** What texts of a tender must not have. */
  readonly rules: ReadonlyMap<string, readonly RedactionRule[]>;
}

async function loadKnown(tx: pg.PoolClient, publications: readonly Publication[]): Promise<LoadedTenders> {
  const ids = [...new Set(publications.map(({ id }) => id))];
  if (ids.length === 0) return { known: new Map(), derived: new Map(), rules: new Map() };
  const { rows } = await tx.query<KnownRow>({ name: 'tenders-known', text: KNOWN_SQL, values: [ids] });
  const tenders = rows.flatMap(({ id, position, rev, created, complete, body }) => {
    if (position === null) return [];
    const numbers = { position: Number(position), rev: Number(rev), created: Number(created) };
    return [[id, { ...numbers, complete, body: body ?? undefined }] as const];
  });
  const rules = rows.flatMap(({ id, redactions }) =>
    redactions === null ? [] : [[id, redactions.map(readRule)] as const],
  );
  return {
    known: new Map(tenders),
    derived: storedDerived(rows.filter(({ position }) => position !== null)),
    rules: new Map(rules),
  };
}

function readRule({ pointer, ...revs }: NonNullable<KnownRow['redactions']>[number]): RedactionRule {
  return { ...revs, path: readPointer(pointer) ?? [] };
}

// A listing may repeat a revision that is stored: after a restore of the owner tenders are listed again.
const PAGE_SQL = `WITH step AS (${STEP_SQL}),
  texts AS (INSERT INTO revision_text (position, text) SELECT * FROM unnest($6::bigint[], $7::text[])
    ON CONFLICT (position) DO NOTHING)
  INSERT INTO revision (position, previous, id, rev, previous_of_tender, listed, is_test, flags, causes,
    changed, status, method, buyer, currency, amount, cpv, regions, bytes, digest)
  SELECT position, previous, id, rev, "previousOfTender", listed, "isTest", flags, causes,
    changed, status, method, buyer, currency, amount, cpv, regions, bytes, decode(digest, 'hex')
  FROM json_to_recordset($8) AS row(position bigint, previous bigint, id uuid, rev bigint, "previousOfTender" bigint,
    listed boolean, "isTest" boolean, flags integer, causes bigint, changed text[], status text, method text, buyer text,
    currency text, amount numeric, cpv integer[], regions text[], bytes integer, digest text)
  ON CONFLICT (position) DO NOTHING`;
const UNREAD_SQL = `INSERT INTO kit.dead_letter (durable, subject, envelope, error, attempts)
  SELECT 'publications', subject, '', error, 1 FROM unnest($1::text[], $2::text[]) AS row(subject, error)`;

/** Everything but the tenders, which follow: one statement for a page without unread texts. */
async function savePlan(tx: pg.PoolClient, { revisions, unread }: RevisionPlan, step: FollowStep): Promise<void> {
  const withText = revisions.flatMap(({ publication: { position, text } }) =>
    text === undefined ? [] : [{ position, text }],
  );
  const positions = withText.map(({ position }) => position);
  const texts = textArray(withText.map(({ text }) => text));
  const values = [...stepValues(step), positions, texts, storableJson(revisions.map(revisionRow))];
  await tx.query({ name: 'page-save', text: PAGE_SQL, values });
  if (unread.length === 0) return;
  const subjects = unread.map(({ publication }) => `${publication.id} ${publication.position}`);
  await tx.query(UNREAD_SQL, [subjects, unread.map(({ error }) => String(error).slice(0, 4_000))]);
}

function revisionRow(revision: PlannedRevision): object {
  const { previousOfTender, flags, causes, changed, columns, size } = revision;
  const { position, previous, id, rev, listed, isTest } = revision.publication;
  const numbers = { position, previous, id, rev, previousOfTender, listed, isTest, flags, causes: String(causes) };
  return { ...numbers, changed, ...filterColumns(columns), bytes: size?.bytes ?? 0, digest: size?.digest };
}

/** What filters of the stream need of a revision. */
function filterColumns(all: TenderColumns | undefined): object {
  const { status, method, buyer, currency, amount, cpv, regions } = all ?? {};
  return { status, method, buyer, currency, amount, cpv, regions };
}
