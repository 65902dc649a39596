import { parseDateTime } from '@procurement/contracts/instant';
import { isObject, type EarlyGeneration, type JsonObject, type RequestContext } from './codec.ts';
import { same } from './same.ts';
import { DEFAULTS_ON_0_1, withDefaults } from './tender-defaults.ts';
import { withDelivery } from './v0.1.delivery.ts';
import { typeOf } from './v0.1.tables.ts';
import { changedObject, type Change } from './v0.1.write.ts';

/**
 * The canonical tender after a request on segment 0.1, spelled canonically (generations.md 5.2 to 5.6). The one place where
 * members of a tender move that the request does not name: dates of items, what must equal a shown member, defaults.
 */
export function changedTender(change: Change, sent: JsonObject, context: RequestContext): JsonObject {
  const { early = 'middle', now } = context;
  const stored = context.stored ?? {};
  const { deliveryDate, awardPeriod, ...rest } = sent;
  // Once the service has begun the award stage, its period is no plan any more.
  const isPlanned = !isObject(stored['awardPeriod']) || stored['awardPeriod']['startDate'] === undefined;
  const wish = isPlanned && awardPeriod !== undefined ? { ...rest, awardPeriod } : rest;
  const next = changedObject('Tender', change, context.stored, wish, 'top');
  const delivered = Object.hasOwn(next, 'items')
    ? { ...next, items: withDelivery(next['items'], deliveryDate ?? undefined) }
    : next;
  const followed = change === 'create' ? delivered : withFollowers(early, stored, delivered, sent);
  return withDefaults(DEFAULTS_ON_0_1, stored, followed, now);
}

/** The document of a PUT: without what the service sets itself. */
export function withoutServed(tender: JsonObject): JsonObject {
  const served = new Set(typeOf('Tender').members.flatMap((member) => (member.served === true ? [member.name] : [])));
  return Object.fromEntries(Object.entries(tender).filter(([name]) => !served.has(name)));
}

/**
 * What the earliest generation does not show and must equal what it shows moves along (generations.md 5.4). The amount of the
 * step never does: too high a step is refused, under the name of the value.
 */
function withFollowers(early: EarlyGeneration, stored: JsonObject, next: JsonObject, sent: JsonObject): JsonObject {
  if (early !== 'earliest') return next;
  return withStart(stored, withStep(stored, next, sent), sent);
}

function withStep(stored: JsonObject, next: JsonObject, sent: JsonObject): JsonObject {
  const [before, value, step] = [stored['value'], next['value'], next['minimalStep']];
  if (!isObject(before) || !isObject(value) || !isObject(step) || Object.hasOwn(sent, 'minimalStep')) return next;
  const followed = new Map(Object.entries(step));
  for (const name of ['currency', 'valueAddedTaxIncluded']) {
    if (same(before[name], value[name])) continue;
    if (value[name] === undefined) followed.delete(name);
    else followed.set(name, value[name]);
  }
  return { ...next, minimalStep: Object.fromEntries(followed) };
}

function withStart(stored: JsonObject, next: JsonObject, sent: JsonObject): JsonObject {
  const [enquiry, tender] = [stored['enquiryPeriod'], stored['tenderPeriod']];
  const [nextEnquiry, nextTender, sentTender] = [next['enquiryPeriod'], next['tenderPeriod'], sent['tenderPeriod']];
  if (!isObject(enquiry) || !isObject(tender) || !isObject(nextEnquiry) || !isObject(nextTender)) return next;
  if (isObject(sentTender) && Object.hasOwn(sentTender, 'startDate')) return next;
  const end = nextEnquiry['endDate'];
  const isFollower = tender['startDate'] !== undefined && tender['startDate'] === enquiry['endDate'];
  // What is no date is refused where it was sent, and not a second time where it would follow.
  if (!isFollower || end === enquiry['endDate'] || typeof end !== 'string' || parseDateTime(end) === undefined) {
    return next;
  }
  return { ...next, tenderPeriod: { ...nextTender, startDate: end } };
}
