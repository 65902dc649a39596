import { setImmediate as nextTurn } from 'node:timers/promises';
import { isRefusedContent, transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type { PublishedState } from '@procurement/ocds/release';
import type { OcdsSettings } from '@procurement/ocds/settings';
import type pg from 'pg';
import { planRelease, type ProjectedRevision } from './domain/release-plan.ts';
import { countWithin } from './byte-chunks.ts';
import { historyStore } from '../revisions/history.store.ts';
import { awaitPosition, lockPosition, movePosition } from './ocds-position.store.ts';
import { loadStates, keepFailures, saveReleases, type FailedRevision, type TenderRelease } from './save-releases.ts';

export interface ProjectionDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly settings: OcdsSettings;
}

export interface ProjectedBatch {
  /** Whether there may be more. */
  readonly isMore: boolean;
  readonly releases: number;
}

const ROWS_MAX = 200;
/** Texts of a batch; at least one is read. Mapping them takes about a second, in which the transaction is idle. */
const BYTES_MAX = 4_000_000;
const NOTHING: ProjectedBatch = { isMore: false, releases: 0 };

const APPLIED_SQL = 'SELECT position FROM follow WHERE backfill IS NULL';
const REVISIONS_SQL = `SELECT position, replace(id::text, '-', '') AS id, rev, bytes FROM revision
  WHERE position > $1 AND position <= $2 AND NOT void ORDER BY position LIMIT $3`;
const TEXTS_SQL = 'SELECT position, text FROM revision_text WHERE position = ANY($1::bigint[])';
const BODIES_SQL = `SELECT tender.position, replace(tender.id::text, '-', '') AS id, body
  FROM tender JOIN tender_body USING (id)
  WHERE listed AND tender.position <= $1 AND tender.id > $2 ORDER BY tender.id LIMIT $3`;

interface RevisionRow {
  readonly position: string;
  readonly id: string;
  readonly rev: string;
  readonly bytes: number;
}

/**
 * Makes the releases of the next revisions, in one transaction with the position (ocds.md 1.3): one process projects at a time, and
 * one that is killed anywhere leaves nothing out. What the database refuses for its content is put aside.
 */
export async function projectBatch(deps: ProjectionDeps, rowsMax = ROWS_MAX): Promise<ProjectedBatch> {
  try {
    return await projectNext(deps, rowsMax, false);
  } catch (error) {
    if (!isRefusedContent(error)) throw error;
    if (rowsMax > 1) return projectBatch(deps, 1);
    deps.log.error({ err: error }, 'release refused by the database');
    return projectNext(deps, 1, true);
  }
}

async function projectNext(deps: ProjectionDeps, rowsMax: number, isRefused: boolean): Promise<ProjectedBatch> {
  return transact(deps.pool, async (tx) => {
    const position = await lockPosition(tx);
    if (position === undefined) return NOTHING;
    const applied = await appliedPosition(tx);
    if (applied === undefined || applied <= position) return NOTHING;
    const { rows } = await tx.query<RevisionRow>({
      name: 'ocds-revisions',
      text: REVISIONS_SQL,
      values: [position, applied, rowsMax],
    });
    const batch = rows.slice(0, countWithin(rows, BYTES_MAX));
    const isMore = rows.length === rowsMax || batch.length < rows.length;
    const releases = isRefused
      ? await keepFailures(tx, batch.map(refused)).then(() => 0)
      : await projectRevisions(tx, deps, await withTexts(tx, deps, batch));
    await movePosition(tx, isMore ? Number(batch.at(-1)?.position) : applied);
    return { isMore, releases };
  });
}

/** Everything up to it was applied; undefined while a back-fill runs, which may still add earlier positions. */
async function appliedPosition(tx: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await tx.query<{ position: string }>({ name: 'ocds-applied', text: APPLIED_SQL });
  return rows[0] === undefined ? undefined : Number(rows[0].position);
}

function refused({ id, position }: RevisionRow): FailedRevision {
  return { tenderId: id, position: Number(position), error: 'the database refuses the release' };
}

/** Texts of recent revisions are rows, those of older ones are in packs. */
async function withTexts(
  tx: pg.PoolClient,
  { pool }: ProjectionDeps,
  rows: readonly RevisionRow[],
): Promise<readonly ProjectedRevision[]> {
  const positions = rows.map(({ position }) => position);
  const hot = await tx.query<{ position: string; text: string }>({
    name: 'ocds-texts',
    text: TEXTS_SQL,
    values: [positions],
  });
  const texts = new Map(hot.rows.map(({ position, text }) => [position, text]));
  const cold = rows.filter(({ position, bytes }) => bytes > 0 && !texts.has(position));
  for (const tenderId of new Set(cold.map(({ id }) => id))) {
    const revisions = cold.filter(({ id }) => id === tenderId);
    const found = await historyStore(pool).texts(
      tenderId,
      revisions.map(({ rev, position }) => ({ rev: Number(rev), position: BigInt(position) })),
    );
    for (const [position, text] of found) texts.set(String(position), text);
  }
  return rows.map(({ id, position }) => ({
    tenderId: id,
    position: Number(position),
    text: texts.get(position),
  }));
}

/** Returns the number of releases. `place`: of all of them, instead of that of each revision. */
async function projectRevisions(
  tx: pg.PoolClient,
  { settings, log }: ProjectionDeps,
  revisions: readonly ProjectedRevision[],
  place?: number,
): Promise<number> {
  const states: Map<string, PublishedState> = await loadStates(
    tx,
    revisions.map(({ tenderId }) => tenderId),
  );
  const releases: TenderRelease[] = [];
  const failed: FailedRevision[] = [];
  for (const revision of revisions) {
    const { tenderId, position } = revision;
    const planned = planRelease(revision, states.get(tenderId), settings);
    // Between two large tenders the process answers requests.
    await nextTurn();
    if (planned === undefined) continue;
    if ('failed' in planned) {
      failed.push({ tenderId, position, error: planned.failed });
      continue;
    }
    states.set(tenderId, planned.state);
    releases.push({ ...planned, tenderId, position, place: place ?? position });
  }
  failed.push(...(await saveReleases(tx, releases)));
  await keepFailures(tx, failed);
  for (const { error, ...where } of failed) log.error({ ...where, error }, 'revision without a release');
  return releases.length;
}

export interface RebuiltBatch {
  readonly releases: number;
  /** The last tender of the batch; undefined when none is left. */
  readonly last: string | undefined;
}

/**
 * Makes releases of tenders as they are now, where the mapping gives something else than it did: after a change of the mapping. Tenders
 * with revisions that are still to be projected are left to the projector.
 */
export async function rebuildBatch(deps: ProjectionDeps, after: string): Promise<RebuiltBatch> {
  return transact(deps.pool, async (tx) => {
    const position = await awaitPosition(tx);
    const { rows } = await tx.query<{ position: string; id: string; body: string }>(BODIES_SQL, [
      position,
      after,
      REBUILD_ROWS,
    ]);
    const revisions = rows.map(({ id, position: own, body }) => ({
      tenderId: id,
      position: Number(own),
      text: body,
    }));
    const releases = await projectRevisions(tx, deps, revisions, position);
    return { releases, last: rows.at(-1)?.id };
  });
}

/** Texts of tenders may have 4 MB each. */
const REBUILD_ROWS = 20;
