import type pg from 'pg';

type Db = pg.Pool | pg.PoolClient;

/** A full tile or bundle that the store does not have yet. */
export interface Upload {
  /** As after `/log/`: `tile/0/000`. */
  readonly path: string;
  readonly bytes: Buffer;
}

const INSERT =
  'INSERT INTO upload (path, bytes) VALUES ($1, $2) ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes';
const NEXT = 'SELECT path, bytes FROM upload ORDER BY path LIMIT 1';
const OF_PATH = 'SELECT bytes FROM upload WHERE path = $1';
const DELETE = 'DELETE FROM upload WHERE path = $1';
const COUNT = 'SELECT count(*)::integer AS count FROM upload';

export async function insertUpload(tx: pg.PoolClient, { path, bytes }: Upload): Promise<void> {
  await tx.query(INSERT, [path, bytes]);
}

/** One of those that wait; undefined when none does. */
export async function nextUpload(db: Db): Promise<Upload | undefined> {
  return (await db.query<Upload>(NEXT)).rows[0];
}

/** The bytes of one that waits; undefined when it does not. */
export async function findUpload(db: Db, path: string): Promise<Buffer | undefined> {
  return (await db.query<{ bytes: Buffer }>(OF_PATH, [path])).rows[0]?.bytes;
}

export async function deleteUpload(db: Db, path: string): Promise<void> {
  await db.query(DELETE, [path]);
}

export async function countUploads(db: Db): Promise<number> {
  return (await db.query<{ count: number }>(COUNT)).rows[0]?.count ?? 0;
}
