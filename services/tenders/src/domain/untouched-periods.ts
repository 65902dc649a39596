import { isJsonObject } from '@procurement/contracts/reading/json-object';
import type { StoredTender, TenderInput } from '@procurement/contracts/resources/tender';

type Data = Readonly<Record<string, unknown>>;
type Period = TenderInput['auctionPeriod'];

/** Periods of the tender that its owner does not set (tenders.md 1.7). Each lot has an `auctionPeriod` too. */
const NAMES = ['auctionPeriod', 'awardPeriod'] as const;
const MEMBERS: ReadonlySet<string> = new Set(['startDate', 'endDate', 'shouldStartAfter']);

/** A changed tender without the periods that equal the stored ones, and a way to add them after validation. */
interface WithoutUntouchedPeriods {
  readonly data: Data;
  restore(read: TenderInput): TenderInput;
}

/**
 * Takes out the periods that the change does not touch, so that they are not validated: the service itself has stored auctions that
 * end before their planned start, and such a tender could not be changed any more (rulings R33).
 */
export function withoutUntouchedPeriods(changed: Data, stored: StoredTender): WithoutUntouchedPeriods {
  const untouched = NAMES.filter((name) => isUntouched(changed[name], stored[name]));
  const lots = Array.isArray(changed['lots']) ? changed['lots'] : [];
  const untouchedLots = new Set(
    lots.flatMap((lot: unknown, at) =>
      isJsonObject(lot) && isUntouched(lot['auctionPeriod'], stored.lots?.[at]?.auctionPeriod) ? [at] : [],
    ),
  );
  if (untouched.length === 0 && untouchedLots.size === 0) return { data: changed, restore: (read) => read };
  const remaining = Object.entries(changed).filter(([name]) => !untouched.some((one) => one === name));
  const data = {
    ...Object.fromEntries(remaining),
    ...(untouchedLots.size === 0
      ? {}
      : { lots: lots.map((lot: unknown, at) => (untouchedLots.has(at) ? withoutAuctionPeriod(lot) : lot)) }),
  };
  return {
    data,
    restore: (read) => ({
      ...read,
      ...Object.fromEntries(untouched.map((name) => [name, stored[name]])),
      ...(untouchedLots.size === 0
        ? {}
        : {
            lots: read.lots?.map((lot, at) =>
              untouchedLots.has(at) ? { ...lot, auctionPeriod: stored.lots?.[at]?.auctionPeriod } : lot,
            ),
          }),
    }),
  };
}

function isUntouched(sent: unknown, stored: Period): boolean {
  return (
    stored !== undefined &&
    isJsonObject(sent) &&
    Object.keys(sent).every((name) => MEMBERS.has(name)) &&
    sent['startDate'] === stored.startDate &&
    sent['endDate'] === stored.endDate
  );
}

function withoutAuctionPeriod(lot: unknown): unknown {
  return isJsonObject(lot) ? Object.fromEntries(Object.entries(lot).filter(([name]) => name !== 'auctionPeriod')) : lot;
}
