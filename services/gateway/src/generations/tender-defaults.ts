import { formatLocalDate, parseDateTime, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import { isObject, type JsonObject } from './codec.ts';

/**
 * What old clients do not send and the settled model asks for (generations.md 5.6). A default is filled when its source
 * arrives while the target is absent: in a creation, and on 0.1 also in the change that completes a tender.
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
    const description = isObject(first) ? first['description'] : undefined;
    return isAbsent(next['title']) && !isAbsent(description) ? { ...next, title: description } : next;
  },
};

const kind: DefaultRule = {
  source: 'procuringEntity',
  fill: (next) => {
    const entity = next['procuringEntity'];
    if (!isObject(entity) || !isAbsent(entity['kind'])) return next;
    return { ...next, procuringEntity: { ...entity, kind: 'general' } };
  },
};

/** Decision of generations.md 5.6: an auction needs a step, and one percent is the middle of what is usual. */
const minimalStep: DefaultRule = {
  source: 'value',
  fill: (next) => {
    const value = next['value'];
    if (!isAbsent(next['minimalStep']) || !isObject(value)) return next;
    const totalAmount = amountOf(value['amount']);
    if (totalAmount === undefined) return next;
    // An amount is a hundred times its percent, so rounding it to whole numbers rounds the percent to cents.
    const amount = Math.min(totalAmount, Math.max(STEP_MIN, Math.round(totalAmount) / 100));
    return { ...next, minimalStep: { ...value, amount } };
  },
};

const enquiryEnd: DefaultRule = {
  source: 'tenderPeriod',
  fill: (next, now) => {
    const [enquiry, tender] = [next['enquiryPeriod'] ?? {}, next['tenderPeriod']];
    if (!isObject(enquiry) || !isAbsent(enquiry['endDate']) || !isObject(tender)) return next;
    const endDate = isAbsent(tender['startDate']) ? midpoint(now, tender['endDate']) : tender['startDate'];
    return endDate === undefined ? next : { ...next, enquiryPeriod: { ...enquiry, endDate } };
  },
};

export const DEFAULTS_ON_0: readonly DefaultRule[] = [title, kind, minimalStep];
export const DEFAULTS_ON_0_1: readonly DefaultRule[] = [title, kind, minimalStep, enquiryEnd];

/** The document with its defaults; `stored` is empty for a creation. */
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

/** A number as the service would read it; what is none gets no percent, and the service says why. */
function amountOf(amount: unknown): number | undefined {
  const parsed = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

function midpoint(now: Instant, end: unknown): string | undefined {
  const date = typeof end === 'string' ? parseDateTime(end) : undefined;
  if (date === undefined) return undefined;
  // Half of a sum of instants lies between them, cut to whole seconds.
  return formatLocalDate((Math.floor((now + date.instant) / 2 / SECOND) * SECOND) as Instant);
}
