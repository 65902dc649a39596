import { formatLocalDate, parseDateTime, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/**
 * Default of a member that the canonical model requires and clients of older segments do not send (generations.md 5.6).
 * It is filled when the request brings `source` and the member is absent: in a creation, and on 0.1 also in a later
 * change.
 */
export interface DefaultRule {
  readonly source: string;
  fill(next: JsonObject, now: Instant): JsonObject;
}

const STEP_MIN = 0.01;

const title: DefaultRule = {
  source: 'items',
  fill: (next) => {
    const items = next['items'];
    const first: unknown = Array.isArray(items) ? items[0] : undefined;
    const description = isJsonObject(first) ? first['description'] : undefined;
    return isAbsent(next['title']) && !isAbsent(description) ? { ...next, title: description } : next;
  },
};

const kind: DefaultRule = {
  source: 'procuringEntity',
  fill: (next) => {
    const entity = next['procuringEntity'];
    if (!isJsonObject(entity) || !isAbsent(entity['kind'])) return next;
    return { ...next, procuringEntity: { ...entity, kind: 'general' } };
  },
};

/** 1 % of the value: an auction needs a step, and the usual range is 0.5 to 3 % (decision of generations.md 5.6). */
export const minimalStep: DefaultRule = {
  source: 'value',
  fill: (next) => {
    const value = next['value'];
    if (!isAbsent(next['minimalStep']) || !isJsonObject(value)) return next;
    const totalAmount = parseAmount(value['amount']);
    if (totalAmount === undefined) return next;
    // 1 % rounded to 0.01 equals the amount rounded to a whole number, divided by 100.
    const amount = Math.min(totalAmount, Math.max(STEP_MIN, Math.round(totalAmount) / 100));
    return { ...next, minimalStep: { ...value, amount } };
  },
};

const enquiryEnd: DefaultRule = {
  source: 'tenderPeriod',
  fill: (next, now) => {
    const [enquiry, tender] = [next['enquiryPeriod'] ?? {}, next['tenderPeriod']];
    if (!isJsonObject(enquiry) || !isAbsent(enquiry['endDate']) || !isJsonObject(tender)) return next;
    const endDate = isAbsent(tender['startDate']) ? midpoint(now, tender['endDate']) : tender['startDate'];
    return endDate === undefined ? next : { ...next, enquiryPeriod: { ...enquiry, endDate } };
  },
};

export const DEFAULTS_ON_0: readonly DefaultRule[] = [title, kind, minimalStep];
export const DEFAULTS_ON_0_1: readonly DefaultRule[] = [title, kind, minimalStep, enquiryEnd];

/** Fills the defaults of a tender; `stored` is empty for a creation. */
export function withDefaults(
  rules: readonly DefaultRule[],
  stored: JsonObject,
  next: JsonObject,
  now: Instant,
): JsonObject {
  let filled = next;
  for (const rule of rules) {
    if (isAbsent(stored[rule.source]) && !isAbsent(next[rule.source])) filled = rule.fill(filled, now);
  }
  return filled;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/**
 * Converts an amount as the service does. `undefined` for anything else: it gets no default step, and the service
 * refuses it.
 */
function parseAmount(amount: unknown): number | undefined {
  const parsed = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

function midpoint(now: Instant, end: unknown): string | undefined {
  const date = typeof end === 'string' ? parseDateTime(end) : undefined;
  if (date === undefined) return undefined;
  // Cut to whole seconds (generations.md 5.6).
  return formatLocalDate((Math.floor((now + date.instant) / 2 / SECOND) * SECOND) as Instant);
}
