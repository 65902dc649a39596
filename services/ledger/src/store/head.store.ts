import { asEdge, type Edge } from '@procurement/proof/tree';
import type pg from 'pg';
import { z } from 'zod';
import type { Phase, Progress } from '../domain/page-plan.ts';

/** The row of `head`. */
export interface Head extends Progress {
  readonly size: number;
  readonly root: Buffer;
  readonly edge: Edge;
  /** The signed checkpoint of `size`; empty while the log is empty. */
  readonly note: string;
  readonly published: number;
  /** Why nothing is signed any more. */
  readonly halted: string | undefined;
}

const HeadRow = z.object({
  size: z.coerce.number(),
  root: z.instanceof(Buffer),
  edge: z.array(z.instanceof(Buffer)),
  note: z.string(),
  published: z.coerce.number(),
  position: z.coerce.number(),
  number: z.coerce.number().nullable(),
  epoch: z.coerce.number().nullable(),
  redaction: z.coerce.number(),
  phase: z.enum(['listing', 'begins', 'follows'] satisfies readonly Phase[]),
  halted: z.string().nullable(),
});

const COLUMNS = `size::text, root, edge, note, published::text, position::text, number::text, epoch::text, redaction::text, phase, halted`;
const READS = {
  read: `SELECT ${COLUMNS} FROM head WHERE id = 1`,
  lock: `SELECT ${COLUMNS} FROM head WHERE id = 1 FOR UPDATE`,
} as const;
const BEGIN = `INSERT INTO head (id, root, edge, blind_check) VALUES (1, sha256(''), '{}', $1) ON CONFLICT (id) DO NOTHING`;
const BLIND_CHECK = 'SELECT blind_check AS digest FROM head WHERE id = 1';
const PROGRESS = `UPDATE head SET position = $1, number = $2, epoch = $3, redaction = $4, phase = $5 WHERE id = 1 AND size = $6`;
const PUBLISHED = 'UPDATE head SET published = $1 WHERE id = 1 AND published < $1 AND size >= $1';
const HALT = 'UPDATE head SET halted = $1 WHERE id = 1 AND halted IS NULL';
const RESUME = 'UPDATE head SET halted = NULL WHERE id = 1';

/** The row of the head does not say a tree: somebody has changed it. */
export class HeadDamagedError extends Error {
  constructor() {
    super('the edge in the database does not fit the size of the log');
    this.name = 'HeadDamagedError';
  }
}

/** Reads the head, which `beginHead` has made. */
export async function readHead(db: pg.Pool | pg.PoolClient, how: keyof typeof READS = 'read'): Promise<Head> {
  const { rows } = await db.query({ name: `head-${how}`, text: READS[how] });
  const { edge: hashes, halted, number, epoch, ...row } = HeadRow.parse(rows[0]);
  const edge = asEdge(row.size, hashes);
  if (edge === undefined) throw new HeadDamagedError();
  return { ...row, edge, number: number ?? undefined, epoch: epoch ?? undefined, halted: halted ?? undefined };
}

/** Makes the head of an empty log, and answers the digest of the blind key with which the log began. */
export async function beginHead(pool: pg.Pool, blindCheck: Buffer): Promise<Buffer> {
  await pool.query(BEGIN, [blindCheck]);
  const { rows } = await pool.query<{ digest: Buffer }>(BLIND_CHECK);
  return rows[0]?.digest ?? blindCheck;
}

/** Stores how far sources were read, where that adds no leaf. False when the log has grown meanwhile. */
export async function saveProgress(pool: pg.Pool, size: number, progress: Progress): Promise<boolean> {
  const { rowCount } = await pool.query(PROGRESS, [...progressValues(progress), size]);
  return rowCount === 1;
}

/** The columns `position`, `number`, `epoch`, `redaction`, `phase`. */
export function progressValues({ position, number, epoch, redaction, phase }: Progress): readonly unknown[] {
  return [position, number ?? null, epoch ?? null, redaction, phase];
}

/** Stores that the uploads of a checkpoint are finished: it is served from now on. */
export async function savePublished(pool: pg.Pool, size: number): Promise<void> {
  await pool.query(PUBLISHED, [size]);
}

/** Stops the log until `ledger resume`. The first reason stays. */
export async function haltLog(pool: pg.Pool, why: string): Promise<void> {
  await pool.query(HALT, [why]);
}

export async function resumeLog(pool: pg.Pool): Promise<void> {
  await pool.query(RESUME);
}
