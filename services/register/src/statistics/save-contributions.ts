import { textArray } from '@procurement/kit/database/text-array';
import type pg from 'pg';
import { AMOUNTS, cellChanges, COUNTS, DAY_BUCKETS, SUMS } from './domain/statistic-cells.ts';
import { buildContribution, type ContributionSource, type Contribution } from './domain/contribution.ts';
import { foldText } from '../revisions/domain/words.ts';
import { storableJson } from '../revisions/storable-json.ts';

/** What contributions are made from. */
export interface CountedTender {
  readonly id: string;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly created: number;
  /** Undefined when the text was not read. */
  readonly derived: { readonly contribution: ContributionSource } | undefined;
}

/** A contribution before and after a change; undefined: the tender adds nothing. */
interface ContributionChange {
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const KEYS = ['cube', 'period', 'is_test', 'method', 'cpv', 'region', 'buyer', 'currency'] as const;
const CONTRIBUTIONS_SQL = `SELECT replace(id::text, '-', '') AS id, contribution FROM tender_contribution WHERE id = ANY($1::uuid[])`;
const REMOVE_SQL = 'DELETE FROM tender_contribution WHERE id = ANY($1::uuid[])';
const BUCKET_NUMBERS = DAY_BUCKETS.map((_first, n) => n + 1);
// Amounts are summed here and not in the process: numeric is exact, so that taking a tender back leaves nothing.
const CELLS_SQL = `INSERT INTO statistic (${KEYS.join(', ')}, ${COUNTS.join(', ')}, ${AMOUNTS.join(', ')}, buckets)
  SELECT cube, period, "isTest", method, cpv, region, buyer, currency, ${COUNTS.join(', ')},
    ${AMOUNTS.map((amount) => `(SELECT coalesce(sum(one), 0) FROM unnest(${amount}) AS one)`).join(', ')}, buckets
  FROM json_to_recordset($1) AS row(cube text, period text, "isTest" boolean, method text, cpv text, region text, buyer text,
    currency text, ${COUNTS.map((count) => `${count} integer`).join(', ')}, ${AMOUNTS.map((amount) => `${amount} numeric[]`).join(', ')},
    buckets integer[])
  ON CONFLICT (${KEYS.join(', ')}) DO UPDATE SET ${SUMS.map((sum) => `${sum} = statistic.${sum} + excluded.${sum}`).join(', ')},
    buckets = ARRAY[${BUCKET_NUMBERS.map((n) => `statistic.buckets[${n}] + excluded.buckets[${n}]`).join(', ')}]`;
// The newest name stays when only a tender goes.
const PARTIES_SQL = `INSERT INTO party (scheme, code, name, folded, tenders, tests)
  SELECT scheme, code, coalesce(name, ''), coalesce(folded, ''), tenders, tests
  FROM json_to_recordset($2) AS row(scheme text, code text, name text, folded text, tenders integer, tests integer)
  ON CONFLICT (scheme, code) DO UPDATE SET tenders = party.tenders + excluded.tenders, tests = party.tests + excluded.tests,
    name = CASE WHEN excluded.folded = '' THEN party.name ELSE excluded.name END,
    folded = CASE WHEN excluded.folded = '' THEN party.folded ELSE excluded.folded END`;
const CHANGES_SQL = `WITH cells AS (${CELLS_SQL}), parties AS (${PARTIES_SQL})
  INSERT INTO tender_contribution (id, contribution) SELECT * FROM unnest($3::uuid[], $4::text[])
  ON CONFLICT (id) DO UPDATE SET contribution = excluded.contribution`;
const NO_PARTY_SQL = `DELETE FROM party USING unnest($1::text[], $2::text[]) AS gone (scheme, code)
  WHERE party.scheme = gone.scheme AND party.code = gone.code AND party.tenders <= 0 AND party.tests <= 0`;

/**
 * Stores what tenders add to statistics and to the list of buyers, in the caller's transaction, which has locked `follow`. Cells
 * change by the difference to the stored contributions. A listed tender without a parsed text keeps its contribution; one that is not
 * listed loses it.
 */
export async function saveContributions(
  tx: pg.PoolClient,
  tenders: readonly CountedTender[],
  stored: ReadonlyMap<string, { readonly contribution: string | undefined }>,
): Promise<void> {
  const known = tenders.filter(({ listed, derived }) => !listed || derived !== undefined);
  await saveChanges(
    tx,
    known.map(({ id, listed, derived, created, isTest }) => ({
      id,
      before: stored.get(id)?.contribution,
      after:
        listed && derived !== undefined
          ? contributionText(buildContribution(derived.contribution, { created, isTest }))
          : undefined,
    })),
  );
}

/** Takes tenders out of statistics and out of the list of buyers. */
export async function removeContributions(tx: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ id: string; contribution: string }>({
    name: 'contributions-before',
    text: CONTRIBUTIONS_SQL,
    values: [ids],
  });
  await saveChanges(
    tx,
    rows.map(({ id, contribution }) => ({ id, before: contribution, after: undefined })),
  );
}

/** Writes a contribution as it is stored, so that equal contributions have equal texts. */
function contributionText(contribution: Contribution): string {
  return storableJson([contribution]).slice(1, -1);
}

interface SignedContribution {
  readonly contribution: Contribution;
  readonly sign: 1 | -1;
}

async function saveChanges(tx: pg.PoolClient, all: readonly ContributionChange[]): Promise<void> {
  const changes = all.filter(({ before, after }) => before !== after);
  if (changes.length === 0) return;
  const signed = changes.flatMap(({ before, after }) => [
    ...signContribution(before, -1),
    ...signContribution(after, 1),
  ]);
  const parties = partyChanges(signed);
  const kept = changes.flatMap(({ id, after }) => (after === undefined ? [] : [{ id, after }]));
  const texts = [JSON.stringify(cellChanges(signed)), JSON.stringify(parties)];
  const values = [...texts, kept.map(({ id }) => id), textArray(kept.map(({ after }) => after))];
  await tx.query({ name: 'contributions-save', text: CHANGES_SQL, values });
  await removeParties(tx, parties);
  const gone = changes.filter(({ after }) => after === undefined).map(({ id }) => id);
  if (gone.length > 0) await tx.query({ name: 'contributions-remove', text: REMOVE_SQL, values: [gone] });
}

function signContribution(text: string | undefined, sign: 1 | -1): readonly SignedContribution[] {
  // Safe cast: only `contributionText` writes contributions.
  return text === undefined ? [] : [{ contribution: JSON.parse(text) as Contribution, sign }];
}

interface PartyChange {
  readonly scheme: string;
  readonly code: string;
  readonly name?: string;
  readonly folded?: string;
  readonly tenders: number;
  readonly tests: number;
}

function partyChanges(contributions: readonly SignedContribution[]): readonly PartyChange[] {
  const parties = new Map<string, PartyChange>();
  for (const { contribution, sign } of contributions) {
    if (contribution.buyer === undefined) continue;
    const { scheme, code, name } = contribution.buyer;
    const key = JSON.stringify([scheme, code]);
    const { tenders, tests, ...rest } = parties.get(key) ?? { scheme, code, tenders: 0, tests: 0 };
    const named = sign > 0 ? { name, folded: foldText(`${name} ${code}`) } : {};
    const counts = contribution.isTest ? { tenders, tests: tests + sign } : { tenders: tenders + sign, tests };
    parties.set(key, { ...rest, ...named, ...counts });
  }
  return [...parties.values()];
}

/** Removes parties without a tender. */
async function removeParties(tx: pg.PoolClient, parties: readonly PartyChange[]): Promise<void> {
  const fewer = parties.filter(({ tenders, tests }) => tenders < 0 || tests < 0);
  if (fewer.length === 0) return;
  const values = [fewer.map(({ scheme }) => scheme), fewer.map(({ code }) => code)];
  await tx.query({ name: 'parties-none', text: NO_PARTY_SQL, values });
}
