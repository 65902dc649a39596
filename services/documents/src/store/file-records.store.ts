import type pg from 'pg';
import { z } from 'zod';
import type { Digest } from '../files/file-storage.ts';
import type { PrismaClient } from '../gen/client.ts';

const FileState = z.enum(['registered', 'uploading', 'stored', 'dropped']);

const FileRow = z.object({
  id: z.string(),
  state: FileState,
  expectedMd5: z.string().optional(),
  md5: z.string().optional(),
  bytes: z.coerce.number().int().optional(),
  format: z.string().optional(),
  title: z.string().optional(),
});

/** What is known of a file. */
export type FileRecord = Readonly<z.infer<typeof FileRow>>;

/** A file that is about to arrive. */
export interface NewFile {
  readonly id: string;
  /** With a document, or by the document service. */
  readonly origin: 'api' | 'service';
  readonly owner: string;
}

/** What is said of a file that is in the store. */
export interface StoredFile {
  readonly id: string;
  readonly digest: Digest;
  readonly format: string;
  readonly title: string;
}

/** What is on record of files; the bytes are in the store of `files/`. */
export interface FileRecordsStore {
  find(id: string): Promise<FileRecord | undefined>;
  /** A promise of a file with that hash (http.md 2.8). */
  registerUpload(file: NewFile, md5: string): Promise<void>;
  /** On record before the first byte, so that whatever the store may hold can be found again. */
  beginUpload(file: NewFile): Promise<void>;
  /** One upload at a time: false when the file is there, or on its way. What has not moved for long is taken over. */
  claimUpload(id: string): Promise<boolean>;
  /** It still moves. */
  touchUpload(id: string): Promise<void>;
  /**
   * It did not come: a registered one may be tried again. Any other is as if it had never begun, but where the store cannot tell
   * what it kept: its row stays then, for the clean-up to find.
   */
  releaseUpload(id: string, storeMayHold: boolean): Promise<void>;
  markStored(file: StoredFile): Promise<void>;
  /** Marks at most so many files that nothing refers to, and has not for long, as dropped, and gives them. */
  dropOrphans(max: number, ages: OrphanAges): Promise<readonly string[]>;
  /** A dropped file is gone from the store. */
  deleteDropped(id: string): Promise<void>;
}

/** Hours after which a file that no document refers to is removed. */
export interface OrphanAges {
  /** Came with a document that then was not made: nobody has its address. */
  readonly apiHours: number;
  /** Uploaded at the document service, and not registered since. */
  readonly serviceHours: number;
  /** Promised, and never uploaded. */
  readonly registeredHours: number;
}

const FIND = `SELECT id, state, expected_md5 AS "expectedMd5", md5, bytes, format, title FROM file WHERE id = $1`;
const REGISTER = `INSERT INTO file (id, origin, owner, state, expected_md5) VALUES ($1, $2, $3, 'registered', $4)`;
const BEGIN = `INSERT INTO file (id, origin, owner, state, claimed_at) VALUES ($1, $2, $3, 'uploading', now())`;
const TOUCH = `UPDATE file SET claimed_at = now() WHERE id = $1 AND state = 'uploading'`;
// Uploads touch their row every minute; after so long without a sign their process has ended.
const CLAIM = `UPDATE file SET state = 'uploading', claimed_at = now() WHERE id = $1
  AND (state = 'registered' OR (state = 'uploading' AND claimed_at < now() - interval '15 minutes'))`;
const RELEASE_REGISTERED = `UPDATE file SET state = 'registered', claimed_at = NULL
  WHERE id = $1 AND state = 'uploading' AND expected_md5 IS NOT NULL`;
const RELEASE_UNREGISTERED = `DELETE FROM file WHERE id = $1 AND state = 'uploading' AND expected_md5 IS NULL`;
const MARK_STORED = `UPDATE file SET state = 'stored', stored_at = now(), md5 = $2, sha256 = $3, bytes = $4, format = $5, title = $6
  WHERE id = $1 AND state = 'uploading'`;
// Repeats what an earlier round dropped and did not live to forget.
const DROP = `UPDATE file SET state = 'dropped' WHERE id IN (
  SELECT id FROM file WHERE NOT referenced AND (
    state = 'dropped'
    OR (origin = 'api' AND created_at < now() - make_interval(hours => $2))
    OR (origin = 'service' AND state = 'stored' AND stored_at < now() - make_interval(hours => $3))
    OR (origin = 'service' AND state <> 'stored' AND created_at < now() - make_interval(hours => $4)))
  ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`;

/** Puts on record that a file is in the store, in the caller's transaction. Throws when nobody had announced it. */
export async function markFileStored(
  db: Pick<pg.Pool, 'query'>,
  { id, digest, format, title }: StoredFile,
): Promise<void> {
  const values = [id, digest.md5, digest.sha256, digest.bytes, format, title];
  const { rowCount } = await db.query({ name: 'file-kept', text: MARK_STORED, values });
  if (rowCount !== 1) throw new Error('a file was stored that nobody had announced');
}

export function fileRecordsStore(pool: pg.Pool, prisma: PrismaClient): FileRecordsStore {
  return {
    async find(id) {
      const { rows } = await pool.query<Record<string, unknown>>({ name: 'file-find', text: FIND, values: [id] });
      if (rows[0] === undefined) return undefined;
      const present = Object.entries(rows[0]).filter(([, value]) => value !== null);
      return FileRow.parse(Object.fromEntries(present));
    },
    async registerUpload({ id, origin, owner }, md5) {
      await pool.query({ name: 'file-register', text: REGISTER, values: [id, origin, owner, md5] });
    },
    async beginUpload({ id, origin, owner }) {
      await pool.query({ name: 'file-begin', text: BEGIN, values: [id, origin, owner] });
    },
    async claimUpload(id) {
      const { rowCount } = await pool.query({ name: 'file-claim', text: CLAIM, values: [id] });
      return rowCount === 1;
    },
    async touchUpload(id) {
      await pool.query(TOUCH, [id]);
    },
    async releaseUpload(id, storeMayHold) {
      await pool.query(RELEASE_REGISTERED, [id]);
      if (!storeMayHold) await pool.query(RELEASE_UNREGISTERED, [id]);
    },
    markStored: async (file) => markFileStored(pool, file),
    async dropOrphans(max, { apiHours, serviceHours, registeredHours }) {
      const values = [max, apiHours, serviceHours, registeredHours];
      const { rows } = await pool.query<{ id: string }>({ name: 'file-drop', text: DROP, values });
      return rows.map(({ id }) => id);
    },
    async deleteDropped(id) {
      await prisma.file.deleteMany({ where: { id, state: 'dropped' } });
    },
  };
}
