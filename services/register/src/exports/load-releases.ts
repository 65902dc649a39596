import { transact } from '@procurement/kit/database/transaction';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { contentHash } from '@procurement/ocds/canonical-json';
import { mergeRelease } from '@procurement/ocds/merge';
import type { PublishedState, Release } from '@procurement/ocds/release';
import type pg from 'pg';
import { z } from 'zod';
import { saveRecords } from '../ocds/save-releases.ts';

/** A release of the archive, with its place. */
export interface ArchivedRelease {
  readonly seq: bigint;
  readonly text: string;
}

const COMPILED = 'SELECT ocid, compiled FROM ocds_record WHERE ocid = ANY($1::text[])';
const INSERT = `INSERT INTO ocds_release (seq, ocid, id, date, tag, hash, body)
  SELECT seq, ocid, id, date, string_to_array(tag, ','), hash, body FROM unnest($1::bigint[], $2::text[], $3::text[],
    $4::timestamptz[], $5::text[], $6::text[], $7::text[]) AS row(seq, ocid, id, date, tag, hash, body)`;
const STORED = `SELECT ocid || ' ' || id AS release FROM ocds_release
  JOIN unnest($1::text[], $2::text[]) AS asked (ocid, id) USING (ocid, id)`;
const LAST = 'SELECT max(seq) AS last FROM ocds_release';
// New releases come after all that were ever published.
const NEXT_SEQ = `SELECT setval(pg_get_serial_sequence('ocds_release', 'seq'), $1)`;
const POSITION = `INSERT INTO ocds_position (id, position) SELECT 1, least(position, $1) FROM follow
  ON CONFLICT (id) DO UPDATE SET position = excluded.position`;

/** The last place that is loaded; 0 without any. */
export async function lastReleaseLoaded(pool: pg.Pool): Promise<bigint> {
  const { rows } = await pool.query<{ last: string | null }>(LAST);
  return BigInt(rows[0]?.last ?? 0);
}

/**
 * Stores releases of the archive as they were published, and the records that they make, in one transaction. Throws when one is no
 * release.
 */
export async function loadReleases(pool: pg.Pool, archived: readonly ArchivedRelease[]): Promise<void> {
  const parsed = archived.map(({ seq, text }) => ({ seq, text, ...readRelease(text) }));
  await transact(pool, async (tx) => {
    const releases = await withoutStored(tx, parsed);
    const compiled = await compiledReleases(tx, [...new Set(releases.map(({ release }) => release.ocid))]);
    const loaded = releases.map(({ seq, text, release, tenderId }) => {
      const state = stateAfter(compiled.get(release.ocid), release);
      compiled.set(release.ocid, state.compiled);
      return { seq, text, release, state, tenderId };
    });
    await tx.query(INSERT, [
      loaded.map(({ seq }) => seq),
      loaded.map(({ release }) => release.ocid),
      loaded.map(({ release }) => release.id),
      loaded.map(({ release }) => release.date),
      loaded.map(({ release }) => release.tag.join(',')),
      loaded.map(({ state }) => state.hash),
      loaded.map(({ text }) => text),
    ]);
    await saveRecords(tx, loaded, new Map(loaded.map(({ release, seq }) => [release.ocid, String(seq)])));
  });
}

/** Releases go on after the last of the archive, with the revisions after it. */
export async function endReleases(
  pool: pg.Pool,
  { seq, position }: { readonly seq: bigint; readonly position: bigint },
) {
  if (seq > 0n) await pool.query(NEXT_SEQ, [seq]);
  await pool.query(POSITION, [position]);
}

interface ParsedRelease extends ArchivedRelease {
  readonly release: Release;
  readonly tenderId: string;
}

/** What the columns are made of. */
const Stored = z.looseObject({
  ocid: z.string(),
  id: z.string(),
  date: z.string(),
  tag: z.array(z.string()),
  tender: z.looseObject({ id: z.string().regex(/^[0-9a-f]{32}$/) }),
});

function readRelease(text: string): Pick<ParsedRelease, 'release' | 'tenderId'> {
  const release = Stored.parse(JSON.parse(text));
  // Safe cast: `saveReleases` wrote it, and its checksum was compared.
  return { release: release as unknown as Release, tenderId: release.tender.id };
}

/** Exports that were asked for may have releases of the files of days too. */
async function withoutStored(tx: pg.PoolClient, parsed: readonly ParsedRelease[]): Promise<readonly ParsedRelease[]> {
  const { rows } = await tx.query<{ release: string }>(STORED, [
    parsed.map(({ release }) => release.ocid),
    parsed.map(({ release }) => release.id),
  ]);
  const stored = new Set(rows.map(({ release }) => release));
  return parsed.filter(({ release: { ocid, id } }) => !stored.has(`${ocid} ${id}`));
}

async function compiledReleases(tx: pg.PoolClient, ocids: readonly string[]): Promise<Map<string, JsonObject>> {
  const { rows } = await tx.query<{ ocid: string; compiled: string }>(COMPILED, [ocids]);
  // Safe cast: written by `saveRecords` only.
  return new Map(rows.map(({ ocid, compiled }) => [ocid, JSON.parse(compiled) as JsonObject]));
}

/**
 * What is kept of a process. Its last snapshot is not in the archive; what its releases compile to has all members that were published, so
 * the next release removes what is gone.
 */
function stateAfter(before: JsonObject | undefined, release: Release): PublishedState {
  const compiled = mergeRelease(before, release);
  const { id: _id, date: _date, tag: _tag, ...snapshot } = compiled;
  return { ocid: release.ocid, date: release.date, hash: contentHash(snapshot), snapshot, compiled };
}
