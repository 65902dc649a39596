import type pg from 'pg';
import { PACK_BYTES_MAX, PACK_TEXTS_MAX, type PackedText } from '../revisions/domain/pack-lines.ts';
import { archivedReleases } from '../revisions/archived.ts';
import { moveToPacks, type PackedKind } from '../revisions/move-to-packs.ts';
import type { PackingSettings } from '../revisions/packing.store.ts';
import { unpackTexts } from '../revisions/text-packs.ts';

export interface ReleasePackingResult {
  readonly releases: number;
  /** Processes whose bodies stay as they are, because a pack did not give them back. */
  readonly failedProcesses: number;
}

/** Moves bodies of releases into packs (register.md 9). */
export interface ReleasePackingStore {
  /**
   * Packs bodies that were stored before an instant. A process is a transaction for each 4 MB: it may end at any point and be called again,
   * also by several processes of the service.
   */
  packBefore(end: bigint): Promise<ReleasePackingResult>;
}

/** Numbers advisory locks of processes, apart from other locks of this database. */
const PACK_LOCK = 1_701_204_844;
/** Rows that are listed at once. */
const LIST_ROWS = 1_000;

const DUE = `body IS NOT NULL AND inserted_at < to_timestamp($1 / 1000000.0) AND ($2::bigint IS NULL OR seq <= $2)`;
const LIST = `SELECT ocid, seq, inserted_at::text AS "insertedAt" FROM ocds_release
  WHERE ${DUE} AND (inserted_at, seq) > ($3::timestamptz, $4::bigint) ORDER BY inserted_at, seq LIMIT ${LIST_ROWS}`;
// With all before the last one that is due, so that what is packed of a process is always its first releases: packs do not overlap.
const HOT = `SELECT seq, body FROM (
    SELECT seq, body, sum(octet_length(body)) OVER oldest AS total, row_number() OVER oldest AS n FROM ocds_release
    WHERE ocid = $3 AND body IS NOT NULL AND seq <= (SELECT max(seq) FROM ocds_release WHERE ocid = $3 AND ${DUE})
    WINDOW oldest AS (ORDER BY seq)) AS sized
  WHERE n = 1 OR n <= ${PACK_TEXTS_MAX} AND total <= ${PACK_BYTES_MAX} ORDER BY seq`;
const NEWEST = 'SELECT pack FROM ocds_pack WHERE ocid = $1 ORDER BY first_seq DESC LIMIT 1';
const WRITE = `INSERT INTO ocds_pack (ocid, first_seq, last_seq, raw_bytes, pack) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (ocid, first_seq) DO UPDATE SET last_seq = excluded.last_seq, raw_bytes = excluded.raw_bytes, pack = excluded.pack`;
const CLEAR = 'UPDATE ocds_release SET body = NULL, bytes = octet_length(body) WHERE seq = ANY($1::bigint[])';

export function releasePackingStore({ pool, log, waitsForArchive }: PackingSettings): ReleasePackingStore {
  return {
    async packBefore(end) {
      const archivedTo = waitsForArchive ? ((await archivedReleases(pool)) ?? 0n) : null;
      const kind = releasesBefore(end, archivedTo);
      const failed = new Set<string>();
      let releases = 0;
      for await (const ocid of dueProcesses(pool, end, archivedTo)) {
        if (failed.has(ocid)) continue;
        try {
          releases += await packProcess(pool, kind, ocid);
        } catch (error) {
          failed.add(ocid);
          log.error({ err: error, ocid }, 'releases of a process not packed');
        }
      }
      return { releases, failedProcesses: failed.size };
    },
  };
}

/** Yields processes in the order of their oldest body. A process may come again. */
async function* dueProcesses(pool: pg.Pool, end: bigint, archivedTo: bigint | null): AsyncGenerator<string> {
  let place: readonly [insertedAt: string, seq: string] = ['-infinity', '0'];
  for (;;) {
    const values = [end, archivedTo, ...place];
    const { rows } = await pool.query<{ ocid: string; seq: string; insertedAt: string }>(LIST, values);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* new Set(rows.map(({ ocid }) => ocid));
    place = [last.insertedAt, last.seq];
  }
}

async function packProcess(pool: pg.Pool, kind: PackedKind<PackedText>, ocid: string): Promise<number> {
  let releases = 0;
  for (;;) {
    const moved = await moveToPacks(pool, kind, ocid);
    if (moved === 0) return releases;
    releases += moved;
  }
}

function releasesBefore(end: bigint, archivedTo: bigint | null): PackedKind<PackedText> {
  return {
    lock: PACK_LOCK,
    async hot(tx, ocid) {
      const { rows } = await tx.query<{ seq: string; body: string }>(HOT, [end, archivedTo, ocid]);
      const texts = rows.map(({ seq, body }) => ({ position: BigInt(seq), text: body }));
      return { texts, positions: texts.map(({ position }) => position) };
    },
    async open(tx, ocid) {
      const { rows } = await tx.query<{ pack: Buffer }>(NEWEST, [ocid]);
      return rows[0] === undefined ? [] : unpackTexts(rows[0].pack);
    },
    isSame: ({ text }, unpacked) => text === unpacked,
    async write(tx, ocid, { texts, rawBytes, pack }) {
      await tx.query(WRITE, [ocid, texts[0]?.position, texts.at(-1)?.position, rawBytes, pack]);
    },
    async clear(tx, positions) {
      await tx.query(CLEAR, [positions]);
    },
  };
}
