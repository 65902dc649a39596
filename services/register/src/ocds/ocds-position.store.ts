import type { ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import type pg from 'pg';

/** How far revisions were projected to releases, and how far they could be. */
export interface OcdsProgress {
  readonly position: number;
  /** Position up to which publications were applied; undefined while a back-fill runs. */
  readonly applied: number | undefined;
  /** Seconds since the projector last moved its position or found nothing to do. */
  readonly silentSeconds: number;
}

const BEGIN = 'INSERT INTO ocds_position (id, position) VALUES (1, 0) ON CONFLICT (id) DO NOTHING';
const AWAIT = 'SELECT position FROM ocds_position WHERE id = 1 FOR UPDATE';
const LOCK = `${AWAIT} SKIP LOCKED`;
const MOVE = 'UPDATE ocds_position SET position = $1, heard_at = clock_timestamp() WHERE id = 1';
const HEARD_SECONDS = 5;
const HEARD = `UPDATE ocds_position SET heard_at = clock_timestamp()
  WHERE id = 1 AND heard_at <= clock_timestamp() - interval '${HEARD_SECONDS} seconds'`;
const PROGRESS = `SELECT ocds_position.position, (SELECT position FROM follow WHERE backfill IS NULL) AS applied,
  extract(epoch FROM clock_timestamp() - heard_at) AS "silentSeconds" FROM ocds_position WHERE id = 1`;

export async function beginProjection(pool: pg.Pool): Promise<void> {
  await pool.query(BEGIN);
}

/** The process that holds the row projects. Returns undefined while another process holds it. */
export async function lockPosition(tx: pg.PoolClient): Promise<number | undefined> {
  const { rows } = await tx.query<{ position: string }>({ name: 'ocds-lock', text: LOCK });
  return rows[0] === undefined ? undefined : Number(rows[0].position);
}

/** Waits for a process that projects. Call `beginProjection` before. */
export async function awaitPosition(tx: pg.PoolClient): Promise<number> {
  const { rows } = await tx.query<{ position: string }>(AWAIT);
  return Number(rows[0]?.position);
}

export async function movePosition(tx: pg.PoolClient, position: number): Promise<void> {
  await tx.query({ name: 'ocds-move', text: MOVE, values: [position] });
}

/** Stores that there is nothing to project, at most every 5 s. */
export async function recordIdle(pool: pg.Pool, { silentSeconds }: OcdsProgress): Promise<void> {
  if (silentSeconds >= HEARD_SECONDS) await pool.query({ name: 'ocds-heard', text: HEARD });
}

/** Microseconds from what is applied back to what is projected; 0 while a back-fill runs. */
export function unprojectedMicros({ position, applied = position }: OcdsProgress): number {
  return Math.max(0, applied - position);
}

/** Undefined before the first start of a projector. */
export async function readProgress(pool: pg.Pool): Promise<OcdsProgress | undefined> {
  const { rows } = await pool.query<{ position: string; applied: string | null; silentSeconds: string }>({
    name: 'ocds-progress',
    text: PROGRESS,
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    position: Number(row.position),
    applied: row.applied === null ? undefined : Number(row.applied),
    silentSeconds: Number(row.silentSeconds),
  };
}

const SILENT_SECONDS_MAX = 60;

/** Whether releases are made at all, as any replica sees it. */
export async function projectionDetails(pool: pg.Pool): Promise<readonly ReadyDetail[]> {
  const { position = 0, applied = 0, silentSeconds = 0 } = (await readProgress(pool)) ?? {};
  if (applied <= position || silentSeconds < SILENT_SECONDS_MAX) return [];
  const oldestSeconds = Math.round(silentSeconds);
  return [{ kind: 'projector', name: 'releases', count: 1, oldestSeconds, text: 'no releases are made' }];
}
