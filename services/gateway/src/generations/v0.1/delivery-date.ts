import { parseDateTime } from '@procurement/contracts/reading/instant';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/**
 * Applies the delivery date of a tender to its items (generations.md 4, delivery, writing). An item that ends at the
 * shown date, or after the new one, gets the new one; an item without a date gets it only when no item has one. Start
 * dates are hidden and never change: the service refuses a start after its end.
 */
export function applyDeliveryDate(items: unknown, deliveryDate: unknown): unknown {
  if (!Array.isArray(items) || !isJsonObject(deliveryDate) || !Object.hasOwn(deliveryDate, 'endDate')) return items;
  const { endDate } = deliveryDate;
  if (endDate === null) return items.map(withoutEndDate);
  const previousEnd = latestEndDate(items.map(readEndDate));
  if (previousEnd !== undefined && isSameInstant(previousEnd, endDate)) return items;
  return items.map((item: unknown) => {
    const end = readEndDate(item);
    const moves =
      previousEnd === undefined || (end !== undefined && (isSameInstant(end, previousEnd) || isAfter(end, endDate)));
    return moves ? withEndDate(item, endDate) : item;
  });
}

function readEndDate(item: unknown): unknown {
  const period = isJsonObject(item) ? item['deliveryDate'] : undefined;
  return isJsonObject(period) ? period['endDate'] : undefined;
}

function withEndDate(item: unknown, endDate: unknown): unknown {
  if (!isJsonObject(item)) return item;
  const period = isJsonObject(item['deliveryDate']) ? item['deliveryDate'] : {};
  return { ...item, deliveryDate: { ...period, endDate } };
}

function withoutEndDate(item: unknown): unknown {
  if (!isJsonObject(item) || !isJsonObject(item['deliveryDate'])) return item;
  const { endDate: _removed, ...period } = item['deliveryDate'];
  const { deliveryDate: _old, ...rest } = item;
  return Object.keys(period).length > 0 ? ({ ...rest, deliveryDate: period } satisfies JsonObject) : rest;
}

/** The latest of these dates in its own spelling; undefined when there is none. */
export function latestEndDate(endDates: readonly unknown[]): unknown {
  let latest: unknown;
  for (const end of endDates) if (end !== undefined && (latest === undefined || isAfter(end, latest))) latest = end;
  return latest;
}

function parseInstant(date: unknown): number | undefined {
  return typeof date === 'string' ? parseDateTime(date)?.instant : undefined;
}

function isAfter(a: unknown, b: unknown): boolean {
  const [first, second] = [parseInstant(a), parseInstant(b)];
  return first !== undefined && second !== undefined && first > second;
}

function isSameInstant(a: unknown, b: unknown): boolean {
  const first = parseInstant(a);
  return a === b || (first !== undefined && first === parseInstant(b));
}
