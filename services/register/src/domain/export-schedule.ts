import { EXPORT_KINDS, type ExportKind } from '@procurement/contracts/resources/export';
import {
  DAY,
  daysLater,
  instantAt,
  wallTime,
  type Instant,
  type LocalDate,
} from '@procurement/contracts/reading/instant';

/** An export that is to be made. Positions are microseconds since 1970 UTC. */
export interface ExportPlan {
  readonly name: string;
  readonly kind: ExportKind;
  /** Exclusive; undefined: from the beginning. */
  readonly from: bigint | undefined;
  /** Inclusive. */
  readonly to: bigint;
}

/** What can be exported. */
export interface ExportableRange {
  /** Nothing at or below it can come any more (register.md 8.3). */
  readonly reached: bigint;
  /** Every publication after it is here; of earlier ones only the newest of each tender. */
  readonly followedFrom: bigint;
  /** The first stored publication. */
  readonly first: bigint;
}

/** The days of exports that exist or are being made, the newest of each kind. */
export type LastDays = Readonly<Partial<Record<ExportKind, LocalDate>>>;

/** After a long pause the rest is planned when these are made. */
const PLANS_MAX = 31;
const SUNDAY = 0;

export const EXPORT_NAME = /^(tenders|revisions|changes)-(\d{4}-\d{2}-\d{2})(?:-\d{16})?$/;

/** Exports of days that have ended, and of the newest Sunday: which day has ended is decided by positions, not by a clock. */
export function dueExports(range: ExportableRange, lastDays: LastDays): readonly ExportPlan[] {
  return EXPORT_KINDS.flatMap((kind) => {
    if (kind === 'tenders') return dueSunday(range, lastDays.tenders);
    return dueDays(kind, range, lastDays[kind]);
  });
}

function dueDays(kind: ExportKind, range: ExportableRange, last: LocalDate | undefined): readonly ExportPlan[] {
  const plans: ExportPlan[] = [];
  const first = dayOf(later(range.followedFrom, range.first));
  let day = last === undefined || last < first ? first : daysLater(last, 1);
  for (; plans.length < PLANS_MAX && startOf(daysLater(day, 1)) <= range.reached; day = daysLater(day, 1)) {
    plans.push(planOfDay(kind, day, range));
  }
  return plans;
}

function dueSunday(range: ExportableRange, last: LocalDate | undefined): readonly ExportPlan[] {
  let day = dayOf(range.reached);
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== SUNDAY) day = daysLater(day, -1);
  const plan = planOfDay('tenders', day, range);
  const isComplete = plan.to >= later(range.followedFrom, range.first);
  return isComplete && (last === undefined || day > last) ? [plan] : [];
}

/** `tenders` is the state at the beginning of the day, the other kinds have its revisions. */
function planOfDay(kind: ExportKind, day: LocalDate, { followedFrom }: ExportableRange): ExportPlan {
  const name = `${kind}-${day}`;
  if (kind === 'tenders') return { name, kind, from: undefined, to: startOf(day) };
  return { name, kind, from: later(startOf(day), followedFrom), to: startOf(daysLater(day, 1)) };
}

/** What an operator asks for: a day, or without one everything until now. A text says why it cannot be made. */
export function askedExport(
  kind: ExportKind,
  day: LocalDate | undefined,
  range: ExportableRange,
): ExportPlan | { readonly refused: string } {
  const plan = day === undefined ? planUntilNow(kind, range) : planOfDay(kind, day, range);
  if (plan.to > range.reached) return { refused: 'the day has not ended, or is not here yet' };
  return plan.to < range.followedFrom ? { refused: 'publications of that day are not here' } : plan;
}

function planUntilNow(kind: ExportKind, range: ExportableRange): ExportPlan {
  const plan = planOfDay(kind, dayOf(range.reached), range);
  return { ...plan, name: `${plan.name}-${String(range.reached).padStart(16, '0')}`, to: range.reached };
}

interface Retention {
  readonly newest?: number;
  readonly micros?: number;
}

/** Of exports of one kind: the newest so many, or those of so much time; without either all (register.md 8.2). */
export const EXPORT_RETENTION: Readonly<Record<ExportKind, Retention>> = {
  tenders: { newest: 3 },
  changes: { micros: 400 * DAY },
  revisions: {},
};

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function startOf(day: LocalDate): bigint {
  return BigInt(instantAt(day, 0));
}

/** Safe cast: a position is a whole number of microseconds, exact until 2255. */
function dayOf(position: bigint): LocalDate {
  return wallTime(Number(position) as Instant).date;
}
