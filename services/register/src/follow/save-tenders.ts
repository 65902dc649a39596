import { textArray } from '@procurement/kit/database/text-array';
import type pg from 'pg';
import type { PlannedTender } from './domain/revision-plan.ts';
import { saveDerived, type StoredDerived } from './save-derived.ts';
import type { TermsMark } from '../search/save-terms.ts';
import { storableJson } from '../revisions/storable-json.ts';

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
const UPDATED_SET = `position = excluded.position, rev = excluded.rev, listed = excluded.listed, is_test = excluded.is_test,
  complete = excluded.complete,
  summary = coalesce(excluded.summary, tender.summary),
  text_hash = CASE WHEN excluded.listed THEN coalesce(excluded.text_hash, tender.text_hash) END`;
const READ_SET = NAMES.map((name) => `${name} = excluded.${name}`).join(', ');

// A text that is stored as a revision is copied there: it is neither sent nor compressed again. `LIMIT 1`: decision 0005.
const tendersSql = (set: string): string => `WITH bodies AS (INSERT INTO tender_body (id, body)
    SELECT * FROM unnest($1::uuid[], $2::text[])
    UNION ALL SELECT own.id, text FROM unnest($4::uuid[], $5::bigint[]) AS own (id, position)
      CROSS JOIN LATERAL (SELECT text FROM revision_text WHERE revision_text.position = own.position LIMIT 1) AS stored
    ON CONFLICT (id) DO UPDATE SET body = excluded.body)
  INSERT INTO tender (id, position, rev, created, listed, is_test, complete, text_hash, summary,
    ${NAMES.join(', ')})
  SELECT id, position, rev, created, listed, "isTest", complete, decode(hash, 'hex'), summary,
    ${TEXT_COLUMNS.map(([name, member]) => (name === 'status' || name === 'method' ? `coalesce("${member}", '')` : `"${member}"`)).join(', ')}
  FROM json_to_recordset($3) AS row(id uuid, position bigint, rev bigint, created bigint, listed boolean, "isTest" boolean,
    complete boolean, hash text, summary text, ${TEXT_COLUMNS.map(([, member, type]) => `"${member}" ${type}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${set}`;
const READ_SQL = tendersSql(`${UPDATED_SET}, ${READ_SET}`);
const UNREAD_SQL = tendersSql(UPDATED_SET);

/** Stores the newest revision of tenders and what is derived from it, in the caller's transaction. A tender occurs once. */
export async function saveTenders(
  tx: pg.PoolClient,
  tenders: readonly PlannedTender[],
  stored: StoredDerived,
): Promise<void> {
  const marks = new Map((await saveDerived(tx, tenders, stored)).map((mark) => [mark.id, mark]));
  const [read, others] = [tenders.filter(hasColumns), tenders.filter((tender) => !hasColumns(tender))];
  await saveRows(tx, { name: 'tenders-save', text: READ_SQL }, read, marks);
  await saveRows(tx, { name: 'tenders-save-unread', text: UNREAD_SQL }, others, marks);
}

async function saveRows(
  tx: pg.PoolClient,
  statement: { readonly name: string; readonly text: string },
  tenders: readonly PlannedTender[],
  marks: ReadonlyMap<string, TermsMark>,
): Promise<void> {
  if (tenders.length === 0) return;
  const withBody = tenders.flatMap(({ id, body, bodyAt }) =>
    body === undefined || bodyAt !== undefined ? [] : [{ id, body }],
  );
  const stored = tenders.filter(({ bodyAt }) => bodyAt !== undefined);
  const rows = storableJson(tenders.map((tender) => tenderRow(tender, marks.get(tender.id))));
  const sent = [withBody.map(({ id }) => id), textArray(withBody.map(({ body }) => body))];
  const values = [...sent, rows, stored.map(({ id }) => id), stored.map(({ bodyAt }) => bodyAt)];
  await tx.query({ ...statement, values });
}

function hasColumns({ columns }: PlannedTender): boolean {
  return columns !== undefined;
}

function tenderRow(tender: PlannedTender, mark: TermsMark | undefined): object {
  const { id, position, rev, created, listed, isTest, complete, columns } = tender;
  const { hash, summary } = mark ?? {};
  return { ...columns, id, position, rev, created, listed, isTest, complete, hash, summary };
}
