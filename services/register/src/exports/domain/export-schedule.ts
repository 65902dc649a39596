import {
  EXPORT_KINDS,
  OCDS_EXPORT_KINDS,
  type ExportKind,
  type OcdsExportKind,
} from '@procurement/contracts/resources/export';
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
  /** The same as `reached`, but for releases; undefined where none are made. */
  readonly projected: bigint | undefined;
}

/** The days of exports that exist or are being made, the newest of each kind. */
export type LastDays = Readonly<Partial<Record<ExportKind, LocalDate>>>;

/** Limit of plans after a long pause. The rest is planned when these are made. */
const PLANS_MAX = 31;
const SUNDAY = 0;

export const EXPORT_NAME = new RegExp(`^(?:${EXPORT_KINDS.join('|')})-\\d{4}-\\d{2}-\\d{2}(?:-\\d{16})?$`);

interface KindRule {
  /** `complete`: the state of everything at the beginning of a Sunday. `daily`: what came in a day. */
  readonly content: 'complete' | 'daily';
  /** How many or for how long exports are kept; without either for ever (register.md 8.2). */
  readonly newest?: number;
  readonly micros?: number;
  /** A register is rebuilt from the files of all days: together they have everything (register.md 2.6). */
  readonly isArchive?: true;
}

export const EXPORT_RULES: Readonly<Record<ExportKind, KindRule>> = {
  tenders: { content: 'complete', newest: 3 },
  revisions: { content: 'daily', isArchive: true },
  changes: { content: 'daily', micros: 400 * DAY },
  releases: { content: 'daily', isArchive: true },
  records: { content: 'complete', newest: 3 },
};

/** Whether the lines are releases or records of OCDS. */
export function isOcdsKind(kind: ExportKind): kind is OcdsExportKind {
  return OCDS_EXPORT_KINDS.some((one) => one === kind);
}

/** Exports of days that have ended, and of the newest Sunday: which day has ended is decided by positions, not by a clock. */
export function dueExports(range: ExportableRange, lastDays: LastDays): readonly ExportPlan[] {
  return EXPORT_KINDS.flatMap((kind) => {
    const own = narrowRange(kind, range);
    if (own === undefined) return [];
    const due = EXPORT_RULES[kind].content === 'complete' ? dueSunday : dueDays;
    return due(kind, own, lastDays[kind]);
  });
}

/** Undefined for releases and records where none are made. */
function narrowRange(kind: ExportKind, range: ExportableRange): ExportableRange | undefined {
  if (!isOcdsKind(kind)) return range;
  return range.projected === undefined ? undefined : { ...range, reached: range.projected };
}

function dueDays(kind: ExportKind, range: ExportableRange, last: LocalDate | undefined): readonly ExportPlan[] {
  const plans: ExportPlan[] = [];
  const first = dayOf(later(range.followedFrom, range.first));
  // Releases are all here, also those of days whose publications are not.
  const isHole = !isOcdsKind(kind) && last !== undefined && last < first;
  let day = last === undefined || isHole ? first : daysLater(last, 1);
  for (; plans.length < PLANS_MAX && startOfDay(daysLater(day, 1)) <= range.reached; day = daysLater(day, 1)) {
    const plan = planOfDay(kind, day, range);
    const isAfterHole = day === first && (last === undefined || isHole);
    plans.push(isAfterHole && EXPORT_RULES[kind].isArchive === true ? { ...plan, from: endOfDay(last) } : plan);
  }
  return plans;
}

/** The first file of the archive has everything before it too, such as what tenders were listed with. */
function endOfDay(last: LocalDate | undefined): bigint | undefined {
  return last === undefined ? undefined : startOfDay(daysLater(last, 1));
}

function dueSunday(kind: ExportKind, range: ExportableRange, last: LocalDate | undefined): readonly ExportPlan[] {
  let day = dayOf(range.reached);
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== SUNDAY) day = daysLater(day, -1);
  const plan = planOfDay(kind, day, range);
  const isComplete = plan.to >= later(range.followedFrom, range.first);
  return isComplete && (last === undefined || day > last) ? [plan] : [];
}

function planOfDay(kind: ExportKind, day: LocalDate, { followedFrom }: ExportableRange): ExportPlan {
  const name = `${kind}-${day}`;
  if (EXPORT_RULES[kind].content === 'complete') return { name, kind, from: undefined, to: startOfDay(day) };
  const from = isOcdsKind(kind) ? startOfDay(day) : later(startOfDay(day), followedFrom);
  return { name, kind, from, to: startOfDay(daysLater(day, 1)) };
}

/** What an operator asks for: a day, or without one everything until now. A text says why it cannot be made. */
export function askedExport(
  kind: ExportKind,
  day: LocalDate | undefined,
  range: ExportableRange,
): ExportPlan | { readonly refused: string } {
  const own = narrowRange(kind, range);
  if (own === undefined) return { refused: 'no releases are made here' };
  const plan = day === undefined ? planUntilNow(kind, own) : planOfDay(kind, day, own);
  if (plan.to > own.reached) return { refused: 'the day has not ended, or is not here yet' };
  const isMissing = !isOcdsKind(kind) && plan.to < own.followedFrom;
  return isMissing ? { refused: 'publications of that day are not here' } : plan;
}

function planUntilNow(kind: ExportKind, range: ExportableRange): ExportPlan {
  const plan = planOfDay(kind, dayOf(range.reached), range);
  // Releases from the first one: they are permanent, and few days of an installation without a schedule have a file.
  const from = isOcdsKind(kind) ? undefined : plan.from;
  return { ...plan, name: `${plan.name}-${String(range.reached).padStart(16, '0')}`, from, to: range.reached };
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function startOfDay(day: LocalDate): bigint {
  return BigInt(instantAt(day, 0));
}

/** Safe cast: a position is a whole number of microseconds, exact until 2255. */
function dayOf(position: bigint): LocalDate {
  return wallTime(Number(position) as Instant).date;
}
