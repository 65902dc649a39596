import type { Outcome, Contribution } from './contribution.ts';

/** What statistics are stored by. An empty text stands for all values; the cubes differ in which of them they split. */
export interface CellKey {
  readonly cube: 'day' | 'month' | 'buyer' | 'cpv';
  /** A day, or a month: `2026-03`. */
  readonly period: string;
  readonly isTest: boolean;
  readonly method: string;
  readonly cpv: string;
  readonly region: string;
  /** `<scheme>-<id>`. */
  readonly buyer: string;
  readonly currency: string;
}

/** Sums over the tenders of a cell, in the order of the columns. */
export const SUMS = [
  'tenders',
  'amount',
  'opened',
  'bids',
  'single',
  'active',
  'complete',
  'unsuccessful',
  'cancelled',
  'expected',
  'contracted',
  'signed',
  'amended',
  'terminated',
  'present',
  'paid',
  'dated',
  'days',
] as const;

export type Sum = (typeof SUMS)[number];

/** Sums of what may have any value; the others count tenders, or days. */
export const AMOUNTS = [
  'amount',
  'bids',
  'expected',
  'contracted',
  'present',
  'paid',
] as const satisfies readonly Sum[];
type Amount = (typeof AMOUNTS)[number];
type Count = Exclude<Sum, Amount>;
const NO_COUNTS: Readonly<Record<Count, number>> = {
  tenders: 0,
  opened: 0,
  single: 0,
  active: 0,
  complete: 0,
  unsuccessful: 0,
  cancelled: 0,
  signed: 0,
  amended: 0,
  terminated: 0,
  dated: 0,
  days: 0,
};
// Safe cast: `NO_COUNTS` has no other members.
export const COUNTS = Object.keys(NO_COUNTS) as readonly Count[];

/** What one tender adds to a cell. */
export type Cell = CellKey &
  Readonly<Record<Sum, number>> & {
    /** Number of the bucket of days to the contract that counts it, from 1; 0 for none. */
    readonly bucket: number;
  };

/** What is added to a cell; what is taken from it is negative. Amounts are lists, because PostgreSQL sums them exactly. `buckets` counts tenders. */
export type CellChange = CellKey & Record<Count, number> & Record<Amount | 'buckets', number[]>;

/** First days of the buckets from which percentiles are taken; the last one has no end. */
export const DAY_BUCKETS = [
  0, 1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 150, 180, 210, 240, 300, 365, 450, 540, 630, 730,
] as const;

const CPV_LENGTHS = [3, 4] as const;

/** The cells of a tender, each once. Tenders with several codes or regions are in a cell of each of them. */
export function cellsOf(contribution: Contribution): readonly Cell[] {
  const { day, isTest, method, cpv, regions, buyer, currency } = contribution;
  const none = { isTest, method: '', cpv: '', region: '', buyer: '', currency };
  const month = { ...none, period: day.slice(0, 7) };
  const divisions = ['', ...prefixes(cpv, 2)];
  const keys: readonly CellKey[] = [
    { ...none, cube: 'day', period: day, method },
    ...divisions.flatMap((division) =>
      ['', ...regions].map((region) => ({ ...month, cube: 'month' as const, method, cpv: division, region })),
    ),
    ...(buyer === undefined ? [''] : [`${buyer.scheme}-${buyer.code}`]).map((key) => ({
      ...month,
      cube: 'buyer' as const,
      buyer: key,
    })),
    ...CPV_LENGTHS.flatMap((length) => prefixes(cpv, length)).map((code) => ({
      ...month,
      cube: 'cpv' as const,
      cpv: code,
    })),
  ];
  const sums = { ...buildSums(contribution), bucket: bucketOf(contribution.daysToContract) };
  return keys.map((key) => ({ ...key, ...sums }));
}

/** What contributions that come (sign 1) or go (sign -1) change, each cell once. */
export function cellChanges(
  contributions: readonly { readonly contribution: Contribution; readonly sign: 1 | -1 }[],
): readonly CellChange[] {
  const changes = new Map<string, CellChange>();
  for (const { contribution, sign } of contributions)
    for (const cell of cellsOf(contribution)) {
      const change = findOrAddChange(changes, cell);
      for (const count of COUNTS) change[count] += sign * cell[count];
      for (const amount of AMOUNTS) if (cell[amount] !== 0) change[amount].push(sign * cell[amount]);
      const bucket = change.buckets[cell.bucket - 1];
      if (bucket !== undefined) change.buckets[cell.bucket - 1] = bucket + sign;
    }
  return [...changes.values()];
}

function findOrAddChange(changes: Map<string, CellChange>, cell: CellKey): CellChange {
  const { cube, period, isTest, method, cpv, region, buyer, currency } = cell;
  // Stored texts have no NUL.
  const text = `${cube}\0${period}\0${isTest}\0${method}\0${cpv}\0${region}\0${buyer}\0${currency}`;
  const known = changes.get(text);
  if (known !== undefined) return known;
  const change: CellChange = {
    cube,
    period,
    isTest,
    method,
    cpv,
    region,
    buyer,
    currency,
    ...NO_COUNTS,
    amount: [],
    bids: [],
    expected: [],
    contracted: [],
    present: [],
    paid: [],
    buckets: DAY_BUCKETS.map(() => 0),
  };
  changes.set(text, change);
  return change;
}

function prefixes(codes: readonly string[], length: number): readonly string[] {
  return [...new Set(codes.map((code) => code.slice(0, length)))];
}

function buildSums({
  amount = 0,
  outcome,
  bids = 0,
  contracted,
  signed = 0,
  amended = 0,
  terminated = 0,
  present = 0,
  paid = 0,
  daysToContract,
}: Contribution): Readonly<Record<Sum, number>> {
  const is = (one: Outcome): number => (outcome === one ? 1 : 0);
  const isCompared = outcome === 'complete' && contracted !== undefined;
  return {
    tenders: 1,
    amount,
    bids,
    opened: bids > 0 ? 1 : 0,
    single: bids === 1 ? 1 : 0,
    active: is('active'),
    complete: is('complete'),
    unsuccessful: is('unsuccessful'),
    cancelled: is('cancelled'),
    expected: isCompared ? amount : 0,
    contracted: isCompared ? contracted : 0,
    signed,
    amended,
    terminated,
    // The overrun is the difference to `contracted`: both are sums of the same tenders.
    present: isCompared ? present : 0,
    paid,
    dated: daysToContract === undefined ? 0 : 1,
    days: daysToContract ?? 0,
  };
}

function bucketOf(days: number | undefined): number {
  return days === undefined ? 0 : DAY_BUCKETS.findLastIndex((first) => first <= days) + 1;
}

/** The first day of the bucket in which a share of the counted tenders is reached; undefined without any. */
export function percentile(buckets: readonly number[], share: number): number | undefined {
  let count = 0;
  for (const one of buckets) count += one;
  if (count <= 0) return undefined;
  let seen = 0;
  const at = buckets.findIndex((one) => (seen += one) >= share * count);
  return DAY_BUCKETS[at];
}
