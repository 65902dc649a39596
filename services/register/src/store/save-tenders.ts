import type pg from 'pg';
import type { PlannedTender } from '../domain/revision-plan.ts';
import { saveDerived } from './save-derived.ts';
import { storableJson } from './storable-json.ts';

const BODIES_SQL = `INSERT INTO tender_body (id, body) SELECT * FROM unnest($1::uuid[], $2::text[])
  ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
/** Columns that come from the text: they stay as they are when it was not read. */
const TEXT_COLUMNS = [
  ['number', 'number', 'text'],
  ['status', 'status', 'text'],
  ['method', 'method', 'text'],
  ['buyer', 'buyer', 'text'],
  ['currency', 'currency', 'text'],
  ['amount', 'amount', 'numeric'],
  ['cpv', 'cpv', 'integer[]'],
  ['regions', 'regions', 'text[]'],
  ['buyer_region', 'buyerRegion', 'text'],
  ['enquiry_end', 'enquiryEnd', 'bigint'],
  ['tender_start', 'tenderStart', 'bigint'],
  ['tender_end', 'tenderEnd', 'bigint'],
  ['bids', 'bids', 'integer'],
  ['contracted', 'contracted', 'numeric'],
  ['title', 'title', 'text'],
  ['title_en', 'titleEn', 'text'],
] as const;
const NAMES = TEXT_COLUMNS.map(([name]) => name);
const TENDERS_SQL = `INSERT INTO tender (id, position, rev, created, listed, is_test, complete, ${NAMES.join(', ')})
  SELECT id, position, rev, created, listed, "isTest", complete,
    ${TEXT_COLUMNS.map(([name, member]) => (name === 'status' || name === 'method' ? `coalesce("${member}", '')` : `"${member}"`)).join(', ')}
  FROM json_to_recordset($1) AS row(id uuid, position bigint, rev bigint, created bigint, listed boolean, "isTest" boolean,
    complete boolean, ${TEXT_COLUMNS.map(([, member, type]) => `"${member}" ${type}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET position = excluded.position, rev = excluded.rev, listed = excluded.listed,
    is_test = excluded.is_test, complete = excluded.complete`;
const READ_SET = NAMES.map((name) => `${name} = excluded.${name}`).join(', ');

/** Stores the newest revision of tenders, in the caller's transaction. A tender occurs once. */
export async function saveTenders(tx: pg.PoolClient, tenders: readonly PlannedTender[]): Promise<void> {
  if (tenders.length === 0) return;
  const [read, others] = [tenders.filter(hasColumns), tenders.filter((tender) => !hasColumns(tender))];
  const statement = `${TENDERS_SQL}, ${READ_SET}`;
  await tx.query({ name: 'tenders-save', text: statement, values: [storableJson(read.map(tenderRow))] });
  if (others.length > 0)
    await tx.query({ name: 'tenders-save-unread', text: TENDERS_SQL, values: [storableJson(others.map(tenderRow))] });
  const withBody = tenders.filter(({ body }) => body !== undefined);
  await tx.query({
    name: 'bodies-save',
    text: BODIES_SQL,
    values: [withBody.map(({ id }) => id), withBody.map(({ body }) => body)],
  });
  await saveDerived(tx, tenders);
}

function hasColumns({ columns }: PlannedTender): boolean {
  return columns !== undefined;
}

function tenderRow({ id, position, rev, created, listed, isTest, complete, columns }: PlannedTender): object {
  return { ...columns, id, position, rev, created, listed, isTest, complete };
}
