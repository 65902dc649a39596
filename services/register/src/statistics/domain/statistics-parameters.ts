import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { daysLater, wallTime, type Instant, type LocalDate } from '@procurement/contracts/reading/instant';
import { STATISTICS_BY, STATISTICS_MEASURES } from '@procurement/contracts/resources/statistics';
import { FILTER_PARAMETERS } from '../../requests/domain/filters.ts';
import {
  anyText,
  invalidParameter,
  listOf,
  naming,
  oneOf,
  position,
  wholeNumber,
  type ParametersOf,
  type Reader,
} from '../../requests/domain/parameters.ts';
import type { CellKey } from './statistic-cells.ts';
import { CPV_DIGITS_STORED } from './contribution.ts';

export type StatisticsBy = (typeof STATISTICS_BY)[number];
export type Measure = (typeof STATISTICS_MEASURES)[number];

const CURSOR_CHARACTERS_MAX = 512;
const LIMIT_MAX = 100;
const DAYS_DEFAULT = 31;
const DAYS_MAX = 366;
const MONTHS_DEFAULT = 12;
const DAYS_ALLOWED = `a date up to ${DAYS_MAX} days before to, or the same day`;

const date: Reader<LocalDate> = naming(['a date, such as 2026-03-02'], (text) =>
  /^(?:19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
    ? text
    : undefined,
);

const order: Reader<{ readonly measure: Measure; readonly isDescending: boolean }> = naming(
  STATISTICS_MEASURES.flatMap((measure) => [measure, `-${measure}`]),
  (text) => {
    const measure = STATISTICS_MEASURES.find((one) => one === text.replace(/^-/, ''));
    return measure === undefined ? undefined : { measure, isDescending: text.startsWith('-') };
  },
);

/** The parameters of `GET /statistics` (register.md 6.6). */
export const STATISTICS_PARAMETERS = {
  by: oneOf(STATISTICS_BY),
  cpvDigits: wholeNumber(2, CPV_DIGITS_STORED),
  from: date,
  to: date,
  mode: FILTER_PARAMETERS.mode,
  method: FILTER_PARAMETERS.method,
  region: FILTER_PARAMETERS.region,
  cpv: listOf(naming(['2 to 4 digits of a CPV code'], (text) => (/^\d{2,4}$/.test(text) ? text : undefined))),
  buyer: listOf(anyText(200)),
  sort: order,
  limit: wholeNumber(1, LIMIT_MAX),
  cursor: anyText(CURSOR_CHARACTERS_MAX),
  at_least: position,
} as const;

export type StatisticsParameters = ParametersOf<typeof STATISTICS_PARAMETERS>;

/** What cells are asked for. */
export interface StatisticsQuestion {
  readonly cube: CellKey['cube'];
  /** The column whose values the cells are of. */
  readonly key: 'period' | 'method' | 'cpv' | 'region' | 'buyer';
  /** Both included. */
  readonly fromPeriod: string;
  readonly toPeriod: string;
  /** The same as days. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly mode: 'test' | '_all_' | undefined;
  readonly methods: readonly string[] | undefined;
  readonly regions: readonly string[] | undefined;
  /** Prefixes. */
  readonly cpv: readonly string[] | undefined;
  readonly buyers: readonly string[] | undefined;
  readonly cpvDigits: number;
  /** Undefined: all cells, by key. */
  readonly order: { readonly measure: Measure; readonly isDescending: boolean } | undefined;
  readonly limit: number;
}

type FilterName = 'method' | 'region' | 'cpv' | 'buyer' | 'cpvDigits' | 'sort' | 'limit' | 'cursor';

const CUBE_FILTERS: readonly FilterName[] = ['method', 'region', 'cpv'];
const PAGED: readonly FilterName[] = ['sort', 'limit', 'cursor'];
/** What goes with each kind of cells. Codes of more than two digits are a kind of their own. */
const ALLOWED: Readonly<Record<StatisticsBy | 'longCpv', readonly FilterName[]>> = {
  day: ['method'],
  month: CUBE_FILTERS,
  method: CUBE_FILTERS,
  region: CUBE_FILTERS,
  cpv: [...CUBE_FILTERS, ...PAGED, 'cpvDigits'],
  longCpv: ['cpv', ...PAGED, 'cpvDigits'],
  buyer: ['buyer', ...PAGED],
};
const NAMES: readonly FilterName[] = ['method', 'region', 'cpv', 'buyer', 'cpvDigits', ...PAGED];

/** What the parameters ask for at an instant, or why they are refused. */
export function statisticsQuestion(
  parameters: StatisticsParameters,
  now: Instant,
): { readonly question: StatisticsQuestion } | { readonly refused: Problem } {
  const { by, cpvDigits = 2, cpv, method, region, buyer, mode, sort, limit = LIMIT_MAX } = parameters;
  if (by === undefined) return { refused: invalidParameter('by', STATISTICS_PARAMETERS.by) };
  const isLong = by === 'cpv' && cpvDigits > 2;
  const excluded = NAMES.find((name) => name in parameters && !ALLOWED[isLong ? 'longCpv' : by].includes(name));
  if (excluded !== undefined) return { refused: problem('params.conflict', { name: excluded, first: 'by' }) };
  if (cpv?.some((prefix) => prefix.length > cpvDigits) === true)
    return { refused: invalidParameter('cpv', { allowed: [`up to ${cpvDigits} digits, as cpvDigits says`] }) };
  const days = resolveDays(by, parameters, wallTime(now).date);
  if (days === undefined) return { refused: invalidParameter('from', { allowed: [DAYS_ALLOWED] }) };
  const isPaged = by === 'buyer' || by === 'cpv';
  const periodOf = (day: LocalDate): string => (by === 'day' ? day : day.slice(0, 7));
  return {
    question: {
      cube: selectCube(by, isLong),
      key: by === 'day' || by === 'month' ? 'period' : by,
      ...days,
      fromPeriod: periodOf(days.from),
      toPeriod: periodOf(days.to),
      mode,
      methods: method,
      regions: region,
      cpv,
      buyers: buyer,
      cpvDigits,
      order: isPaged ? (sort ?? { measure: 'tenders', isDescending: true }) : undefined,
      limit,
    },
  };
}

/** Whether a tender may be in several of the cells, or be counted twice in one. */
export function isOverlapping({ key, regions = [], cpv = [] }: StatisticsQuestion): boolean {
  return key === 'region' || key === 'cpv' || regions.length > 1 || cpv.length > 1;
}

function selectCube(by: StatisticsBy, isLong: boolean): CellKey['cube'] {
  if (by === 'day' || by === 'buyer') return by;
  return isLong ? 'cpv' : 'month';
}

/** Undefined for a range that is empty, or too long for cells of days. */
function resolveDays(
  by: StatisticsBy,
  { from, to: asked }: StatisticsParameters,
  today: LocalDate,
): { readonly from: LocalDate; readonly to: LocalDate } | undefined {
  const to = asked ?? today;
  if (by === 'day') {
    const first = from ?? daysLater(to, 1 - DAYS_DEFAULT);
    return first > to || daysLater(first, DAYS_MAX) <= to ? undefined : { from: first, to };
  }
  const months = {
    from: from === undefined ? monthsBefore(to, MONTHS_DEFAULT - 1) : monthStart(from),
    to: monthEnd(to),
  };
  return months.from > months.to ? undefined : months;
}

function monthStart(day: LocalDate): LocalDate {
  return `${day.slice(0, 7)}-01`;
}

function monthEnd(day: LocalDate): LocalDate {
  // A month has at most 31 days.
  return daysLater(monthStart(daysLater(monthStart(day), 31)), -1);
}

function monthsBefore(day: LocalDate, months: number): LocalDate {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return new Date(Date.UTC(year, month - 1 - months, 1)).toJSON().slice(0, 10);
}
