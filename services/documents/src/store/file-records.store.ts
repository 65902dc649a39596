import type pg from 'pg';
import { z } from 'zod';
import type { Digest } from '@procurement/kit/files/file-storage';
import type { PrismaClient } from '../gen/client.ts';

const FileState = z.enum(['registered', 'uploading', 'stored', 'dropped']);

const FileRow = z.object({
  id: z.string(),
  /** Broker that registered or sent it. */
  owner: z.string(),
  state: FileState,
  expectedMd5: z.string().optional(),
  md5: z.string().optional(),
  sha256: z.string().optional(),
  bytes: z.coerce.number().int().optional(),
  format: z.string().optional(),
  title: z.string().optional(),
});

/** The database record of a file. */
export type FileRecord = Readonly<z.infer<typeof FileRow>>;

/** A file before its upload. */
export interface NewFile {
  readonly id: string;
  /** `api`: sent with a document. `service`: sent to the document service. */
  readonly origin: 'api' | 'service';
  readonly owner: string;
}

/** A file that is in the file storage. */
export interface StoredFile {
  readonly id: string;
  readonly digest: Digest;
  readonly format: string;
  readonly title: string;
}

/** Database records of files; their bytes are in the file storage (`files/`). */
export interface FileRecordsStore {
  find(id: string): Promise<FileRecord | undefined>;
  /** Records the registration of a file by its hash (http.md 2.8). */
  registerUpload(file: NewFile, md5: string): Promise<void>;
  /** Records an upload before its first byte, so that the clean-up finds any file that the storage may hold. */
  beginUpload(file: NewFile): Promise<void>;
  /** Claims the upload of a registered file. False when it is stored or being uploaded. Takes over a stale upload. */
  claimUpload(id: string): Promise<boolean>;
  /** Renews the claim of a running upload. */
  touchUpload(id: string): Promise<void>;
  /**
   * Ends a failed upload. A registered file may be uploaded again. The row of any other file is deleted, unless the storage may
   * hold bytes of it: then the row stays for the clean-up.
   */
  releaseUpload(id: string, storeMayHold: boolean): Promise<void>;
  markStored(file: StoredFile): Promise<void>;
  /** Marks up to `max` unreferenced files of these ages as dropped and returns their ids. */
  dropOrphans(max: number, ages: OrphanAges): Promise<readonly string[]>;
  /** Deletes the row of a dropped file, after the file was removed from the storage. */
  deleteDropped(id: string): Promise<void>;
}

/** Hours after which a file that no document refers to is removed. */
export interface OrphanAges {
  /** Sent with a document that was not created. */
  readonly apiHours: number;
  /** Uploaded to the document service and not used by a document. */
  readonly serviceHours: number;
  /** Registered and never uploaded. */
  readonly registeredHours: number;
}

const FIND = `SELECT id, owner, state, expected_md5 AS "expectedMd5", md5, sha256, bytes, format, title FROM file WHERE id = $1`;
const REGISTER = `INSERT INTO file (id, origin, owner, state, expected_md5) VALUES ($1, $2, $3, 'registered', $4)`;
const BEGIN = `INSERT INTO file (id, origin, owner, state, claimed_at) VALUES ($1, $2, $3, 'uploading', now())`;
const TOUCH = `UPDATE file SET claimed_at = now() WHERE id = $1 AND state = 'uploading'`;
// A running upload touches its row every minute; after 15 minutes without a touch its process has ended (http.md 2.9).
const CLAIM = `UPDATE file SET state = 'uploading', claimed_at = now() WHERE id = $1
  AND (state = 'registered' OR (state = 'uploading' AND claimed_at < now() - interval '15 minutes'))`;
const RELEASE_REGISTERED = `UPDATE file SET state = 'registered', claimed_at = NULL
  WHERE id = $1 AND state = 'uploading' AND expected_md5 IS NOT NULL`;
const RELEASE_UNREGISTERED = `DELETE FROM file WHERE id = $1 AND state = 'uploading' AND expected_md5 IS NULL`;
const MARK_STORED = `UPDATE file SET state = 'stored', stored_at = now(), md5 = $2, sha256 = $3, bytes = $4, format = $5, title = $6
  WHERE id = $1 AND state = 'uploading'`;
// Includes files that an earlier round marked and did not delete.
const DROP = `UPDATE file SET state = 'dropped' WHERE id IN (
  SELECT id FROM file WHERE NOT referenced AND (
    state = 'dropped'
    OR (origin = 'api' AND created_at < now() - make_interval(hours => $2))
    OR (origin = 'service' AND state = 'stored' AND stored_at < now() - make_interval(hours => $3))
    OR (origin = 'service' AND state <> 'stored' AND created_at < now() - make_interval(hours => $4)))
  ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`;

/** Records that a file is in the storage, in the caller's transaction. Throws when its upload was not recorded before. */
export async function markFileStored(
  db: Pick<pg.Pool, 'query'>,
  { id, digest, format, title }: StoredFile,
): Promise<void> {
  const values = [id, digest.md5, digest.sha256, digest.bytes, format, title];
  const { rowCount } = await db.query({ name: 'file-kept', text: MARK_STORED, values });
  if (rowCount !== 1) throw new Error('stored file has no upload record');
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
