import type { StatisticsCell } from '@procurement/client';
import type { Statistics } from '../../api/reads.ts';
import { monthsBetween } from '../../format/month.ts';

const NOTHING: Omit<StatisticsCell, 'key'> = {
  tenders: 0,
  amount: 0,
  opened: 0,
  bids: 0,
  complete: 0,
  unsuccessful: 0,
  cancelled: 0,
  active: 0,
  contracted: 0,
  expected: 0,
  savings: 0,
  signed: 0,
  amended: 0,
  terminated: 0,
  contractedNow: 0,
  paid: 0,
  overrun: 0,
};

/** A cell for each month of the period, also for those without a tender, which the API leaves out. */
export function everyMonth({ data, from, to }: Statistics): readonly StatisticsCell[] {
  const cells = new Map(data.map((cell) => [cell.key, cell]));
  return monthsBetween(from, to).map((key) => cells.get(key) ?? { ...NOTHING, key });
}

type Sum =
  | 'tenders'
  | 'opened'
  | 'bids'
  | 'complete'
  | 'unsuccessful'
  | 'cancelled'
  | 'active'
  | 'contracted'
  | 'expected'
  | 'signed'
  | 'amended'
  | 'terminated'
  | 'contractedNow'
  | 'paid';

/** Sums over months, each tender once. */
export interface Totals extends Readonly<Record<Sum, number>> {
  /** Opened tenders with one bid. */
  readonly singles: number;
  /** Tenders with a value in another currency. */
  readonly otherCurrencies: number;
}

export function totalsOf(months: readonly StatisticsCell[]): Totals {
  const sum = (of: (cell: StatisticsCell) => number): number => months.reduce((total, cell) => total + of(cell), 0);
  return {
    tenders: sum(({ tenders }) => tenders),
    opened: sum(({ opened }) => opened),
    bids: sum(({ bids }) => bids),
    complete: sum(({ complete }) => complete),
    unsuccessful: sum(({ unsuccessful }) => unsuccessful),
    cancelled: sum(({ cancelled }) => cancelled),
    active: sum(({ active }) => active),
    contracted: toHundredths(sum(({ contracted }) => contracted)),
    expected: toHundredths(sum(({ expected }) => expected)),
    signed: sum(({ signed }) => signed),
    amended: sum(({ amended }) => amended),
    terminated: sum(({ terminated }) => terminated),
    contractedNow: toHundredths(sum(({ contractedNow }) => contractedNow)),
    paid: toHundredths(sum(({ paid }) => paid)),
    // The API gives the share; opened tenders make it a count again.
    singles: sum(({ opened, singleBid = 0 }) => Math.round(opened * singleBid)),
    otherCurrencies: sum(({ otherCurrencies = {} }) =>
      // Safe cast: the API's description of this record, which the types of the client leave open.
      Object.values(otherCurrencies as Readonly<Record<string, { readonly tenders: number }>>).reduce(
        (total, { tenders }) => total + tenders,
        0,
      ),
    ),
  };
}

/** Sums of doubles have digits that no amount had. */
function toHundredths(sum: number): number {
  return Math.round(sum * 100) / 100;
}
