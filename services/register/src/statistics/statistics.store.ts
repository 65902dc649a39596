import type pg from 'pg';
import { AMOUNTS, DAY_BUCKETS, SUMS, type Sum } from './domain/statistic-cells.ts';
import type { Measure, StatisticsQuestion } from './domain/statistics-parameters.ts';
import { boundedRead, type Run, type Statement } from '../requests/bounded-read.ts';
import { completePosition } from '../revisions/complete-position.ts';
import { Values } from '../requests/values.ts';

/** The sums of one cell. Amounts are of tenders in `CURRENCY`. */
export type CellRow = Readonly<Record<Sum, number>> & {
  readonly key: string;
  readonly label: string | null;
  readonly buckets: readonly number[];
  /** The value of the order, as text. */
  readonly at: string;
};

export interface OtherCurrency {
  readonly key: string;
  readonly currency: string;
  readonly tenders: number;
  readonly amount: number;
}

export interface StatisticsResult {
  /** Position up to which every publication is counted. */
  readonly position: bigint;
  readonly cells: readonly CellRow[];
  readonly others: readonly OtherCurrency[];
  readonly isMore: boolean;
}

/** The cell after which a page begins. */
export interface CellPlace {
  readonly at: string;
  readonly key: string;
}

export interface StatisticsStore {
  /** Throws 422 when it would take too long, and 503 while a back-fill runs. */
  read(question: StatisticsQuestion, place: CellPlace | undefined): Promise<StatisticsResult>;
}

/** Amounts in it are added up; those in others are kept apart. */
const CURRENCY = 'UAH';
const MONEY: readonly string[] = AMOUNTS.filter((amount) => amount !== 'bids');

/** What cells are ordered by; cells without a value are the least. */
const ORDERS: Readonly<Record<Measure, string>> = {
  tenders: 'tenders',
  amount: 'amount',
  opened: 'opened',
  bids: 'bids',
  competition: 'bids / nullif(opened, 0)',
  singleBid: 'single / nullif(opened, 0)',
  complete: 'complete',
  unsuccessful: 'unsuccessful',
  cancelled: 'cancelled',
  active: 'active',
  contracted: 'contracted',
  expected: 'expected',
  savings: 'expected - contracted',
  savingsRate: '(expected - contracted) / nullif(expected, 0)',
  signed: 'signed',
  amended: 'amended',
  terminated: 'terminated',
  contractedNow: 'present',
  paid: 'paid',
  overrun: 'present - contracted',
  daysToContract: 'days / nullif(dated, 0)',
};

export function statisticsStore(pool: pg.Pool): StatisticsStore {
  return { read: async (question, place) => boundedRead(pool, '', async (run) => readWithin(run, question, place)) };
}

async function readWithin(
  run: Run,
  question: StatisticsQuestion,
  place: CellPlace | undefined,
): Promise<StatisticsResult> {
  const position = await completePosition(run);
  const rows = await run<CellRow>(cellsStatement(question, place));
  const cells = question.order === undefined ? rows : rows.slice(0, question.limit);
  const others = await run<OtherCurrency>(
    othersStatement(
      question,
      cells.map(({ key }) => key),
    ),
  );
  return { position, cells, others, isMore: cells.length < rows.length };
}

function cellsStatement(question: StatisticsQuestion, place: CellPlace | undefined): Statement {
  const values = new Values();
  const sums = SUMS.map((sum) => {
    const isOwn = MONEY.includes(sum) ? ` FILTER (WHERE currency = '${CURRENCY}')` : '';
    return `coalesce(sum(${sum})${isOwn}, 0)::numeric AS ${sum}`;
  });
  const buckets = DAY_BUCKETS.map((_first, n) => `sum(buckets[${n + 1}])::int`);
  const grouped = `SELECT ${question.key} AS key, ${sums.join(', ')}, ARRAY[${buckets.join(', ')}] AS buckets
    FROM statistic WHERE ${conditions(question, values).join(' AND ')} GROUP BY 1 HAVING sum(tenders) > 0`;
  const { order, limit, key } = question;
  const at = order === undefined ? '0::numeric' : `coalesce(round(${ORDERS[order.measure]}, 6), '-Infinity')`;
  const direction = order?.isDescending === true ? 'DESC' : 'ASC';
  const after = place === undefined ? '' : `WHERE ${placeCondition(direction, place, values)}`;
  const label =
    key === 'buyer' ? `(SELECT name FROM party WHERE scheme || '-' || code = page.key LIMIT 1)` : 'NULL::text';
  return {
    text: `SELECT key, ${SUMS.map((sum) => `${sum}::float8`).join(', ')}, buckets, at::text AS at, ${label} AS label
      FROM (SELECT *, ${at} AS at FROM (${grouped}) AS cells) AS page ${after}
      ORDER BY page.at ${direction}, key ${order === undefined ? '' : `LIMIT ${limit + 1}`}`,
    values: values.all,
  };
}

function placeCondition(direction: string, { at, key }: CellPlace, values: Values): string {
  const value = values.add(at, 'numeric');
  return `page.at ${direction === 'DESC' ? '<' : '>'} ${value} OR (page.at = ${value} AND key > ${values.add(key, 'text')})`;
}

/** Sums in other currencies, of the cells of a page. */
function othersStatement(question: StatisticsQuestion, keys: readonly string[]): Statement {
  const values = new Values();
  const where = [
    ...conditions(question, values),
    `currency NOT IN ('${CURRENCY}', '')`,
    `${question.key} = ANY(${values.add(keys, 'text[]')})`,
  ];
  return {
    text: `SELECT ${question.key} AS key, currency, sum(tenders)::float8 AS tenders, sum(amount)::float8 AS amount FROM statistic
      WHERE ${where.join(' AND ')} GROUP BY 1, 2 HAVING sum(tenders) > 0 ORDER BY 1, 2`,
    values: values.all,
  };
}

function conditions(question: StatisticsQuestion, values: Values): readonly string[] {
  const { cube, key, fromPeriod, toPeriod, mode, methods, buyers, cpvDigits } = question;
  return [
    `cube = ${values.add(cube, 'text')}`,
    `period BETWEEN ${values.add(fromPeriod, 'text')} AND ${values.add(toPeriod, 'text')}`,
    ...(mode === '_all_' ? [] : [`is_test = ${mode === 'test'}`]),
    ...(methods === undefined ? [] : [`method = ANY(${values.add(methods, 'text[]')})`]),
    ...(buyers === undefined ? [] : [`buyer = ANY(${values.add(buyers, 'text[]')})`]),
    ...splitCondition('region', question.regions, key === 'region', values),
    ...(cube === 'cpv' ? [`length(cpv) = ${cpvDigits}`] : []),
    ...(cube === 'cpv' && question.cpv !== undefined
      ? [
          `cpv LIKE ANY(${values.add(
            question.cpv.map((prefix) => `${prefix}%`),
            'text[]',
          )})`,
        ]
      : []),
    ...(cube === 'month' ? splitCondition('cpv', question.cpv, key === 'cpv', values) : []),
  ];
}

/** Cells of all values, unless they are split by the column or filtered by it. */
function splitCondition(
  column: 'region' | 'cpv',
  asked: readonly string[] | undefined,
  isSplit: boolean,
  values: Values,
): readonly string[] {
  if (asked !== undefined) return [`${column} = ANY(${values.add(asked, 'text[]')})`];
  return [`${column} ${isSplit ? '<>' : '='} ''`];
}
