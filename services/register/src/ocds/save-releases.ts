import { textArray } from '@procurement/kit/database/text-array';
import type { PublishedState, Publication } from '@procurement/ocds/release';
import type pg from 'pg';

/** A release, and the tender and the revision that it is of. */
export interface TenderRelease extends Publication {
  readonly tenderId: string;
  readonly position: number;
  /** Position of the revision; in a rebuild, the position that was projected then, so that places grow with `seq`. */
  readonly place: number;
}

/** A revision that makes no release because of its content. */
export interface FailedRevision {
  readonly tenderId: string;
  readonly position: number;
  readonly error: string;
}

const STATES_SQL = `SELECT replace(tender_id::text, '-', '') AS "tenderId", ocid, date, hash, snapshot, compiled
  FROM ocds_record WHERE tender_id = ANY($1::uuid[])`;
const TAKEN_SQL = `SELECT ocid, replace(tender_id::text, '-', '') AS "tenderId" FROM ocds_record WHERE ocid = ANY($1::text[])`;
// Ordered: the order of `seq` is that of the revisions.
const RELEASES_SQL = `INSERT INTO ocds_release (ocid, id, date, tag, hash, body, position)
  SELECT ocid, id, date, string_to_array(tag, ','), hash, body, position
  FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bigint[]) WITH ORDINALITY
    AS row(ocid, id, date, tag, hash, body, position, n) ORDER BY n
  RETURNING seq, ocid`;
const RECORDS_SQL = `INSERT INTO ocds_record (ocid, tender_id, last_seq, date, hash, snapshot, compiled)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[], $7::text[])
  ON CONFLICT (ocid) DO UPDATE SET last_seq = excluded.last_seq, date = excluded.date, hash = excluded.hash,
    snapshot = excluded.snapshot, compiled = excluded.compiled`;
const FAILED_SQL = `INSERT INTO kit.dead_letter (durable, subject, envelope, error, attempts)
  SELECT 'releases', subject, '', error, 1 FROM unnest($1::text[], $2::text[]) AS row(subject, error)`;

interface StateRow {
  readonly tenderId: string;
  readonly ocid: string;
  readonly date: Date;
  readonly hash: string;
  readonly snapshot: string;
  readonly compiled: string;
}

/** What is stored of tenders, by their id. */
export async function loadStates(
  tx: pg.PoolClient,
  tenderIds: readonly string[],
): Promise<Map<string, PublishedState>> {
  const { rows } = await tx.query<StateRow>({
    name: 'ocds-states',
    text: STATES_SQL,
    values: [[...new Set(tenderIds)]],
  });
  return new Map(
    rows.map(({ tenderId, ocid, date, hash, snapshot, compiled }) => [
      tenderId,
      // Written by `saveReleases` only.
      { ocid, date: date.toISOString(), hash, snapshot: JSON.parse(snapshot), compiled: JSON.parse(compiled) },
    ]),
  );
}

/** Stores releases and the newest state of their tenders, in the caller's transaction. Returns those that it cannot store. */
export async function saveReleases(
  tx: pg.PoolClient,
  releases: readonly TenderRelease[],
): Promise<readonly FailedRevision[]> {
  const owners = await readOwners(tx, releases);
  const isOwner = ({ tenderId, state }: TenderRelease): boolean => owners.get(state.ocid) === tenderId;
  const stored = releases.filter(isOwner);
  if (stored.length > 0) {
    const seqs = await insertReleases(tx, stored);
    await saveRecords(tx, stored, seqs);
  }
  return releases
    .filter((release) => !isOwner(release))
    .map(({ tenderId, position, state }) => ({ tenderId, position, error: `${state.ocid} belongs to another tender` }));
}

/** The tender of each ocid: the first that had it. Numbers of tenders are unique, unless an operator doubled one. */
async function readOwners(tx: pg.PoolClient, releases: readonly TenderRelease[]): Promise<ReadonlyMap<string, string>> {
  const ocids = [...new Set(releases.map(({ state }) => state.ocid))];
  const { rows } = await tx.query<{ ocid: string; tenderId: string }>({
    name: 'ocds-owners',
    text: TAKEN_SQL,
    values: [ocids],
  });
  const owners = new Map(rows.map(({ ocid, tenderId }) => [ocid, tenderId]));
  for (const { tenderId, state } of releases) if (!owners.has(state.ocid)) owners.set(state.ocid, tenderId);
  return owners;
}

async function insertReleases(tx: pg.PoolClient, releases: readonly TenderRelease[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ seq: string; ocid: string }>({
    name: 'ocds-releases-add',
    text: RELEASES_SQL,
    values: [
      releases.map(({ release }) => release.ocid),
      releases.map(({ release }) => release.id),
      releases.map(({ release }) => release.date),
      releases.map(({ release }) => release.tag.join(',')),
      releases.map(({ state }) => state.hash),
      textArray(releases.map(({ release }) => JSON.stringify(release))),
      releases.map(({ place }) => place),
    ],
  });
  // The last one of an ocid remains.
  return new Map(rows.map(({ seq, ocid }) => [ocid, seq]));
}

/** Stores the newest state of each process; `seqs`: the place of its last release. */
export async function saveRecords(
  tx: pg.PoolClient,
  releases: readonly Pick<TenderRelease, 'state' | 'tenderId'>[],
  seqs: ReadonlyMap<string, string>,
): Promise<void> {
  const newest = [...new Map(releases.map((release) => [release.state.ocid, release])).values()];
  await tx.query({
    name: 'ocds-records-save',
    text: RECORDS_SQL,
    values: [
      newest.map(({ state }) => state.ocid),
      newest.map(({ tenderId }) => tenderId),
      newest.map(({ state }) => seqs.get(state.ocid)),
      newest.map(({ state }) => state.date),
      newest.map(({ state }) => state.hash),
      textArray(newest.map(({ state }) => JSON.stringify(state.snapshot))),
      textArray(newest.map(({ state }) => JSON.stringify(state.compiled))),
    ],
  });
}

/** Keeps what makes no release for operators; it holds nothing else back. */
export async function keepFailures(tx: pg.PoolClient, failed: readonly FailedRevision[]): Promise<void> {
  if (failed.length === 0) return;
  const subjects = failed.map(({ tenderId, position }) => `${tenderId} ${position}`);
  await tx.query(FAILED_SQL, [subjects, failed.map(({ error }) => error.slice(0, 4_000))]);
}
