import type pg from 'pg';

/** A publication, with a short text instead of a tender. */
export interface PublishedRow {
  readonly id: string;
  readonly rev: number;
  readonly position: bigint;
  readonly listed?: boolean;
  readonly isTest?: boolean;
}

/** The text that `publishRows` stores, without its envelope. */
export function tenderText({ id, rev }: Pick<PublishedRow, 'id' | 'rev'>): string {
  return `{"id":"${id}","rev":${rev},"title":"Папір \\"А4\\""}`;
}

const REVISIONS = `INSERT INTO revision (position, id, rev, previous_of_tender, listed, is_test, causes, cpv, regions, bytes)
  SELECT position, id, rev, (SELECT max(position) FROM revision AS before WHERE before.id = row.id), listed, is_test, 2, '{}', '{}', length(text)
  FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::boolean[], $5::boolean[], $6::text[]) AS row (position, id, rev, listed, is_test, text)`;
const TEXTS = `INSERT INTO revision_text (position, text) SELECT * FROM unnest($1::bigint[], $2::text[])`;
const TENDERS = `INSERT INTO tender (id, position, rev, created, listed, is_test, complete, status, method, cpv, regions)
  SELECT id, position, rev, position, listed, is_test, TRUE, '', '', '{}', '{}'
  FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::boolean[], $5::boolean[]) AS row (position, id, rev, listed, is_test)
  ON CONFLICT (id) DO UPDATE SET position = excluded.position, rev = excluded.rev, listed = excluded.listed, is_test = excluded.is_test`;
const BODIES = `INSERT INTO tender_body (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])
  ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
const FOLLOW = `INSERT INTO follow (id, position, epoch, horizon, followed_from) VALUES (1, $1, 1, 0, 0)
  ON CONFLICT (id) DO UPDATE SET position = $1`;

/** Stores publications in the order of their positions as the follower does, in one transaction; a tender occurs once. */
export async function publishRows(pool: pg.Pool, rows: readonly PublishedRow[]): Promise<void> {
  const keys = [rows.map(({ position }) => position), rows.map(({ id }) => id), rows.map(({ rev }) => rev)];
  const flags = [rows.map(({ listed = true }) => listed), rows.map(({ isTest = false }) => isTest)];
  const shown = rows.filter(({ listed = true }) => listed);
  const texts = shown.map((row) => `{"data":${tenderText(row)}}`);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(REVISIONS, [...keys, ...flags, rows.map((row) => `{"data":${tenderText(row)}}`)]);
    await client.query(TEXTS, [shown.map(({ position }) => position), texts]);
    await client.query(TENDERS, [...keys, ...flags]);
    await client.query(BODIES, [shown.map(({ id }) => id), texts]);
    await client.query(FOLLOW, [rows.at(-1)?.position]);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
