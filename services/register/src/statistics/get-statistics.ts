import { clientOf } from '@procurement/kit/http/client';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { problem } from '@procurement/contracts/problems/problems';
import type { StatisticsDeps } from './deps.ts';
import { percentile } from './domain/statistic-cells.ts';
import {
  isOverlapping,
  STATISTICS_PARAMETERS,
  statisticsQuestion,
  type StatisticsQuestion,
} from './domain/statistics-parameters.ts';
import type { CellPlace, CellRow, OtherCurrency, StatisticsResult } from './statistics.store.ts';
import { pageLink } from '../requests/page-link.ts';
import { parseQuery, readQuery, sendJsonAt } from '../requests/read-query.ts';
import { openCursor, signCursor } from '../requests/cursor.ts';

const PATH = '/api/2.5/statistics';
const PLACE = /^(-?\d+(?:\.\d+)?|-Infinity) (.*)$/s;

/** `GET /statistics`: sums over public tenders (register.md 6.6). */
export function getStatistics(deps: StatisticsDeps): Handler {
  return async (request, reply) => {
    const parameters = readQuery(request, STATISTICS_PARAMETERS);
    const read = statisticsQuestion(parameters, deps.clock.now());
    if ('refused' in read) throw new ProblemError(read.refused);
    const { question } = read;
    const search = cellsKey(question);
    const place = parsePlace(deps, parameters.cursor, search);
    await deps.freshness.reached(parameters.at_least);
    const result = await deps.searches.run(clientOf(request), async () => deps.statistics.read(question, place));
    const next = nextCursor(deps, result, search);
    const answer = {
      data: result.cells.map((row) => buildCell(row, result.others)),
      from: question.from,
      to: question.to,
      ...(isOverlapping(question) ? { overlapping: true } : {}),
      ...(next === undefined
        ? {}
        : { next_page: pageLink(deps, PATH, next, withRange(parseQuery(request), question)) }),
    };
    return sendJsonAt(reply, result.position, JSON.stringify(answer));
  };
}

/** So that the link is of the same range tomorrow. */
function withRange(query: URLSearchParams, { from, to }: StatisticsQuestion): URLSearchParams {
  query.set('from', from);
  query.set('to', to);
  return query;
}

/** What a cursor is of: a default range is written out. */
function cellsKey({ limit: _limit, ...question }: StatisticsQuestion): string {
  return JSON.stringify(question);
}

/** Throws 404 for a cursor that is not ours, or is of another question. */
function parsePlace({ config }: StatisticsDeps, cursor: string | undefined, search: string): CellPlace | undefined {
  if (cursor === undefined) return undefined;
  const [, at, key] = PLACE.exec(openCursor(cursor, search, config.REGISTER_KEYS) ?? '') ?? [];
  if (at === undefined || key === undefined) throw new ProblemError(problem('params.expired', { name: 'cursor' }));
  return { at, key };
}

function nextCursor(
  { config }: StatisticsDeps,
  { cells, isMore }: StatisticsResult,
  search: string,
): string | undefined {
  const last = isMore ? cells.at(-1) : undefined;
  return last && signCursor(`${last.at} ${last.key}`, search, config.REGISTER_KEYS);
}

function buildCell(row: CellRow, others: readonly OtherCurrency[]): object {
  const { key, label, buckets, at: _at, single, dated, days, present, ...sums } = row;
  const { opened, bids, expected, contracted } = sums;
  const other = others
    .filter((one) => one.key === key)
    .map(({ currency, tenders, amount }) => [currency, { tenders, amount }]);
  const savings = difference(expected, contracted);
  return {
    key,
    ...(label === null || label === '' ? {} : { label }),
    ...sums,
    contractedNow: present,
    savings,
    overrun: difference(present, contracted),
    ...(other.length === 0 ? {} : { otherCurrencies: Object.fromEntries(other) }),
    ...(opened === 0 ? {} : { competition: ratio(bids, opened), singleBid: ratio(single, opened) }),
    ...(expected === 0 ? {} : { savingsRate: ratio(savings, expected) }),
    ...(dated === 0
      ? {}
      : {
          daysToContract: {
            mean: ratio(days, dated),
            p50: percentile(buckets, 0.5),
            p90: percentile(buckets, 0.9),
            count: dated,
          },
        }),
  };
}

/** Decimals of a difference in binary would show: 0.3 - 0.1. */
function difference(one: number, other: number): number {
  return Math.round((one - other) * 1e6) / 1e6;
}

function ratio(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}
