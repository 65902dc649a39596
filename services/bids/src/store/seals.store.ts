import { randomBytes } from 'node:crypto';
import type { BidsSealFact, SealedBid } from '@procurement/contracts/events/bid.events';
import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { textArray } from '@procurement/kit/database/text-array';
import { bidDigest, parseSeal, sealHash, writeSeal } from '@procurement/proof/seals';
import type pg from 'pg';
import { z } from 'zod';
import type { BidTexts } from './bid-texts.ts';
import { groupByTender, TEXT_COLUMNS, TextRow } from './bid.row.ts';

/** A tender whose bidding is closed now. Both times are in the tender's time. */
export interface Closing {
  readonly tenderId: string;
  /** End of the tendering period. */
  readonly end: Instant;
  readonly at: Instant;
}

/** The bids that take part, and their seal, as events tell them. */
export interface ClosedSet {
  readonly bids: readonly SealedBid[];
  readonly seal?: BidsSealFact | undefined;
}

/** A bid as it was closed, in the answer of `bids_seal`. Salt and text are null when they were removed by law. */
export interface DisclosedBid {
  readonly id: string;
  readonly version: number;
  readonly salt: string | null;
  readonly text: string | null;
}

const SELECT_CLOSING = `SELECT ${TEXT_COLUMNS}, lots, withdrawn_version AS "withdrawnVersion" FROM bid
  WHERE tender_id = ANY($1::text[]) AND (status = 'active' OR withdrawn_version IS NOT NULL) ORDER BY position`;
const STORE_SEALS = `WITH made AS (INSERT INTO seal (tender_id, text, opened) SELECT * FROM unnest($1::text[], $2::text[], $3::text[]))
  UPDATE bid SET closed = coalesce(taken.closed, sealed), closed_version = bid.version
  FROM unnest($4::text[], $5::bytea[]) AS taken (id, closed) WHERE bid.id = taken.id`;
const SELECT_SETS = `SELECT given.id AS "tenderId", seal.text AS seal, bid.id, lots FROM unnest($1::text[]) AS given (id)
  LEFT JOIN seal ON seal.tender_id = given.id LEFT JOIN bid ON bid.tender_id = given.id AND status = 'active' ORDER BY position`;
const SELECT_ANSWER = 'SELECT opened FROM seal WHERE tender_id = $1';
const STORE_OPENED = `WITH cleared AS (UPDATE bid SET document = shown.document, sealed = NULL, closed = NULL
    FROM unnest($1::text[], $2::text[]) AS shown (id, document) WHERE bid.id = shown.id)
  UPDATE seal SET opened = '{"data":{"seal":' || to_json(text) || ',"bids":' || disclosed.bids || '}}'
  FROM unnest($3::text[], $4::text[]) AS disclosed (id, bids) WHERE tender_id = disclosed.id RETURNING tender_id AS "tenderId", text`;

const ClosingRow = TextRow.extend({
  lots: z.array(z.string()),
  withdrawnVersion: z.coerce.bigint().nullable(),
});
const SetRow = z.object({
  tenderId: z.string(),
  seal: z.string().nullable(),
  id: z.string().nullable(),
  lots: z.array(z.string()).nullable(),
});
const SealRow = z.object({ tenderId: z.string(), text: z.string() });

const SALT_BYTES = 32;

type Queryable = Pick<pg.Pool, 'query'>;

/**
 * Fixes the bids of tenders that are closed now: their seal, and each bid as it is. Returns their sets; none while bids are not encrypted.
 * Throws UnreadableBidError: a bid whose digest is not in the seal could be changed unseen.
 */
export async function sealBids(
  tx: pg.PoolClient,
  texts: BidTexts,
  closings: readonly Closing[],
): Promise<ReadonlyMap<string, ClosedSet>> {
  if (!texts.isSealing || closings.length === 0) return new Map();
  const ids = closings.map(({ tenderId }) => tenderId);
  const found = await tx.query({ name: 'seal-bids', text: SELECT_CLOSING, values: [ids] });
  const rows = groupByTender(z.array(ClosingRow).parse(found.rows), (row) => row);
  const made = closings.map((closing) => closeBids(texts, closing, rows.get(closing.tenderId) ?? []));
  const bids = made.flatMap((one) => one.bids);
  // A tender without bids is never opened.
  const opened = made.map((one) =>
    one.bids.length > 0 ? null : JSON.stringify({ data: { seal: one.seal, bids: [] } }),
  );
  const ofBids = [bids.map(({ id }) => id), bids.map(({ closed }) => closed)];
  const values = [ids, made.map(({ seal }) => seal), opened, ...ofBids];
  await tx.query({ name: 'seal-store', text: STORE_SEALS, values });
  return new Map(
    made.map((one) => [
      one.tenderId,
      { bids: one.bids.map(({ id, lots }) => ({ id, lots })), seal: sealFact(one.seal) },
    ]),
  );
}

type ClosingRow = z.infer<typeof ClosingRow>;

/** Makes the seal of a tender, and the encrypted text of each bid that takes part. */
function closeBids(texts: BidTexts, { tenderId, end, at }: Closing, rows: readonly ClosingRow[]) {
  const bids = rows.flatMap(({ withdrawnVersion, ...row }) => {
    if (withdrawnVersion !== null) return [];
    const { closed, salt, text } = texts.close(row);
    const digest = bidDigest(salt, text);
    // The database copies what is encrypted already: sending it back took a third of the time of a closing.
    return [
      { id: row.id, lots: row.lots, version: BigInt(row.version), closed: row.sealed === null ? closed : null, digest },
    ];
  });
  const withdrawn = rows.flatMap(({ id, withdrawnVersion: version }) => (version === null ? [] : [{ id, version }]));
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const seal = writeSeal({ tender: tenderId, end: BigInt(end), at: BigInt(at), salt, bids, withdrawn });
  return { tenderId, seal, bids };
}

/** What events tell of a seal. Undefined when its row is not what this service wrote. */
function sealFact(text: string): BidsSealFact | undefined {
  const at = parseSeal(text)?.at;
  // Safe cast: the time is an instant, which a double holds exactly.
  if (at === undefined) return undefined;
  return { at: formatServerDate(Number(at) as Instant), hash: sealHash(text).replace('sha256:', '') };
}

/** Reads the sets of tenders that were closed, by tender. */
export async function readClosedSets(
  db: Queryable,
  tenderIds: readonly string[],
): Promise<ReadonlyMap<string, ClosedSet>> {
  if (tenderIds.length === 0) return new Map();
  const { rows } = await db.query({ name: 'seal-sets', text: SELECT_SETS, values: [tenderIds] });
  const sets = groupByTender(z.array(SetRow).parse(rows), (row) => row);
  return new Map([...sets].map(([tenderId, set]) => [tenderId, readClosedSet(set)]));
}

function readClosedSet(rows: readonly z.infer<typeof SetRow>[]): ClosedSet {
  const text = rows[0]?.seal ?? null;
  return {
    bids: rows.flatMap(({ id, lots }) => (id === null ? [] : [{ id, lots: lots ?? [] }])),
    ...(text === null ? {} : { seal: sealFact(text) }),
  };
}

/** A bid that is opened: its text as everybody may see it, and as it was closed. */
export interface OpenedText {
  readonly id: string;
  readonly tenderId: string;
  readonly text: string;
  readonly disclosed: DisclosedBid | undefined;
}

/** Stores bids of opened tenders in clear, and the answers of `bids_seal`. Returns the seals of the tenders. */
export async function storeOpened(
  tx: pg.PoolClient,
  tenderIds: readonly string[],
  bids: readonly OpenedText[],
): Promise<ReadonlyMap<string, BidsSealFact | undefined>> {
  if (tenderIds.length === 0) return new Map();
  const disclosed = groupByTender(bids, (bid) => bid.disclosed);
  const answers = tenderIds.map((id) => JSON.stringify((disclosed.get(id) ?? []).filter((bid) => bid !== undefined)));
  const values = [bids.map(({ id }) => id), textArray(bids.map(({ text }) => text)), tenderIds, textArray(answers)];
  const { rows } = await tx.query({ name: 'seal-disclose', text: STORE_OPENED, values });
  return new Map(
    z
      .array(SealRow)
      .parse(rows)
      .map(({ tenderId, text }) => [tenderId, sealFact(text)]),
  );
}

/** Reads the answer of `bids_seal`. Null: the bids are not opened, or have no seal. */
export async function readDisclosedSeal(db: Queryable, tenderId: string): Promise<string | null> {
  const { rows } = await db.query<{ opened: string | null }>({
    name: 'seal-answer',
    text: SELECT_ANSWER,
    values: [tenderId],
  });
  return rows[0]?.opened ?? null;
}
