import { parseDateTime } from '@procurement/contracts/instant';
import { isObject, type JsonObject } from './codec.ts';

/**
 * The items after a request set the common delivery date. Items that end with the tender, or later than the new date, move
 * with it; an item without a date stays without, unless none has one. Starts are not shown and never touched: where one
 * comes to lie behind its end, the service refuses.
 */
export function withDelivery(items: unknown, wish: unknown): unknown {
  if (!Array.isArray(items) || !isObject(wish) || !Object.hasOwn(wish, 'endDate')) return items;
  const { endDate } = wish;
  if (endDate === null) return items.map(withoutEnd);
  const old = latestEnd(items.map(endOf));
  if (old !== undefined && isSameInstant(old, endDate)) return items;
  return items.map((item: unknown) => {
    const end = endOf(item);
    const moves = old === undefined || (end !== undefined && (isSameInstant(end, old) || isAfter(end, endDate)));
    return moves ? withEnd(item, endDate) : item;
  });
}

function endOf(item: unknown): unknown {
  const period = isObject(item) ? item['deliveryDate'] : undefined;
  return isObject(period) ? period['endDate'] : undefined;
}

function withEnd(item: unknown, endDate: unknown): unknown {
  if (!isObject(item)) return item;
  const period = isObject(item['deliveryDate']) ? item['deliveryDate'] : {};
  return { ...item, deliveryDate: { ...period, endDate } };
}

function withoutEnd(item: unknown): unknown {
  if (!isObject(item) || !isObject(item['deliveryDate'])) return item;
  const { endDate: _gone, ...period } = item['deliveryDate'];
  const { deliveryDate: _old, ...rest } = item;
  return Object.keys(period).length > 0 ? ({ ...rest, deliveryDate: period } satisfies JsonObject) : rest;
}

/** The latest of these dates, as it is written; undefined without any. */
export function latestEnd(ends: readonly unknown[]): unknown {
  let found: unknown;
  for (const end of ends) if (end !== undefined && (found === undefined || isAfter(end, found))) found = end;
  return found;
}

function instantOf(date: unknown): number | undefined {
  return typeof date === 'string' ? parseDateTime(date)?.instant : undefined;
}

function isAfter(a: unknown, b: unknown): boolean {
  const [first, second] = [instantOf(a), instantOf(b)];
  return first !== undefined && second !== undefined && first > second;
}

function isSameInstant(a: unknown, b: unknown): boolean {
  const first = instantOf(a);
  return a === b || (first !== undefined && first === instantOf(b));
}
