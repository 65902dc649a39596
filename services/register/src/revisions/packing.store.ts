import { createHash } from 'node:crypto';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import type { PackedText } from './domain/pack-lines.ts';
import { archivedPosition } from './archived.ts';
import { moveToPacks, type HotTexts, type PackedKind } from './move-to-packs.ts';
import { unpackTexts } from './text-packs.ts';

export interface PackingResult {
  readonly texts: number;
  /** Tenders whose texts stay as they are, because a pack did not give them back. */
  readonly failedTenders: number;
  /** Later texts wait for the archive; undefined when none had to. */
  readonly archivedTo?: bigint;
}

export interface PackingSettings {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Whether texts that are not in the archive stay as they are: where exports of days are made by themselves. */
  readonly waitsForArchive: boolean;
}

/** Moves texts of revisions into packs (register.md 7.3). */
export interface PackingStore {
  /**
   * Packs all texts before a position. Each tender is one transaction: it may end at any point and be called again, also by
   * several processes.
   */
  packBefore(end: bigint): Promise<PackingResult>;
}

/** Numbers advisory locks of tenders, apart from other locks of this database. */
const PACK_LOCK = 1_701_204_843;

/** Keeps others from moving or changing the texts of the tender until the end of the transaction. */
export async function lockTexts(tx: pg.PoolClient, id: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2::uuid::text))', [PACK_LOCK, id]);
}

interface StoredText extends PackedText {
  readonly rev: string;
  readonly digest: Buffer | null;
}

export function packingStore({ pool, log, waitsForArchive }: PackingSettings): PackingStore {
  return {
    async packBefore(asked) {
      const archivedTo = waitsForArchive ? ((await archivedPosition(pool)) ?? 0n) : asked;
      const end = archivedTo < asked ? archivedTo : asked;
      const { rows } = await pool.query<{ id: string }>(
        'SELECT DISTINCT id FROM revision JOIN revision_text USING (position) WHERE position < $1 ORDER BY id',
        [end],
      );
      const kind = textsBefore(end);
      let [texts, failedTenders] = [0, 0];
      for (const { id } of rows) {
        try {
          texts += await moveToPacks(pool, kind, id);
        } catch (error) {
          failedTenders += 1;
          log.error({ err: error, tenderId: id }, 'texts of a tender not packed');
        }
      }
      return { texts, failedTenders, ...(end < asked ? { archivedTo: end } : {}) };
    },
  };
}

const TEXTS: Omit<PackedKind<StoredText>, 'hot'> = {
  lock: PACK_LOCK,
  open: openTexts,
  isSame: ({ digest }, unpacked) => digest === null || hashText(unpacked).equals(digest),
  async write(tx, id, { texts, rawBytes, pack }) {
    const revs = texts.map(({ rev }) => Number(rev));
    await tx.query(
      `INSERT INTO revision_pack (id, first_rev, last_rev, raw_bytes, pack) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (id, first_rev) DO UPDATE SET last_rev = excluded.last_rev, raw_bytes = excluded.raw_bytes, pack = excluded.pack`,
      [id, Math.min(...revs), Math.max(...revs), rawBytes, pack],
    );
  },
  async clear(tx, positions) {
    await tx.query('DELETE FROM revision_text WHERE position = ANY($1::bigint[])', [positions]);
  },
};

/** Texts before a position. */
function textsBefore(end: bigint): PackedKind<StoredText> {
  return { ...TEXTS, hot: async (tx, id) => hotTexts(tx, id, end) };
}

async function hotTexts(tx: pg.PoolClient, id: string, end: bigint): Promise<HotTexts<StoredText>> {
  const { rows } = await tx.query<{
    position: string;
    rev: string;
    text: string;
    digest: Buffer | null;
    isVoid: boolean;
  }>(
    `SELECT position, rev, text, digest, void AS "isVoid" FROM revision JOIN revision_text USING (position)
      WHERE id = $1 AND position < $2 ORDER BY position`,
    [id, end],
  );
  const texts = rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  return { texts: texts.filter(({ isVoid }) => !isVoid), positions: texts.map(({ position }) => position) };
}

/** Leaves out texts that a restore has voided: nobody can read them. */
async function openTexts(tx: pg.PoolClient, id: string): Promise<readonly StoredText[]> {
  const packs = await tx.query<{ pack: Buffer }>(
    'SELECT pack FROM revision_pack WHERE id = $1 ORDER BY last_rev DESC, first_rev DESC LIMIT 1',
    [id],
  );
  if (packs.rows[0] === undefined) return [];
  const texts = await unpackTexts(packs.rows[0].pack);
  const { rows } = await tx.query<{ position: string; rev: string; digest: Buffer | null }>(
    'SELECT position, rev, digest FROM revision WHERE position = ANY($1::bigint[]) AND NOT void',
    [texts.map(({ position }) => position)],
  );
  const revisions = new Map(rows.map((row) => [BigInt(row.position), row]));
  return texts.flatMap(({ position, text }) => {
    const revision = revisions.get(position);
    return revision === undefined ? [] : [{ position, text, rev: revision.rev, digest: revision.digest }];
  });
}

/** Makes the digest in the form of `revision.digest`. */
function hashText(text = ''): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}
