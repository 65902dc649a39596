import { deepEqual } from '@procurement/domain/equality';
import { parseDateTime } from '@procurement/contracts/reading/instant';
import { isObject, type Generation01, type JsonObject, type DecodeContext } from '../codec.ts';
import { DEFAULTS_ON_0_1, withDefaults } from '../tender-defaults.ts';
import { applyDeliveryDate } from './delivery-date.ts';
import { typeMappingOf } from './member-table.ts';
import { applyChange, type Operation } from './apply-change.ts';

/**
 * The canonical tender after a request on segment 0.1, spelled canonically (generations.md 5.2 to 5.6). The one place where
 * members of a tender move that the request does not name: dates of items, what must equal a shown member, defaults.
 */
export function applyTenderChange(operation: Operation, sent: JsonObject, context: DecodeContext): JsonObject {
  const { generation01 = 'middle', now } = context;
  const stored = context.stored ?? {};
  const { deliveryDate, awardPeriod, ...rest } = sent;
  // Once the service has begun the award stage, its period is no plan any more.
  const isPlanned = !isObject(stored['awardPeriod']) || stored['awardPeriod']['startDate'] === undefined;
  const changes = isPlanned && awardPeriod !== undefined ? { ...rest, awardPeriod } : rest;
  const next = applyChange('Tender', operation, context.stored, changes, 'top');
  const withDelivery = Object.hasOwn(next, 'items')
    ? { ...next, items: applyDeliveryDate(next['items'], deliveryDate ?? undefined) }
    : next;
  const withFollowRules =
    operation === 'create' ? withDelivery : applyFollowRules(generation01, stored, withDelivery, sent);
  return withDefaults(DEFAULTS_ON_0_1, stored, withFollowRules, now);
}

/** The document of a PUT: without what the service sets itself. */
export function withoutReadOnly(tender: JsonObject): JsonObject {
  const readOnlyNames = new Set(
    typeMappingOf('Tender').members.flatMap((member) => (member.readOnly === true ? [member.name] : [])),
  );
  return Object.fromEntries(Object.entries(tender).filter(([name]) => !readOnlyNames.has(name)));
}

/**
 * What the earliest generation does not show and must equal what it shows moves along (generations.md 5.4). The amount of the
 * step never does: too high a step is refused, under the name of the value.
 */
function applyFollowRules(
  generation01: Generation01,
  stored: JsonObject,
  next: JsonObject,
  sent: JsonObject,
): JsonObject {
  if (generation01 !== 'earliest') return next;
  return followStartDate(stored, followMinimalStep(stored, next, sent), sent);
}

function followMinimalStep(stored: JsonObject, next: JsonObject, sent: JsonObject): JsonObject {
  const [before, value, step] = [stored['value'], next['value'], next['minimalStep']];
  if (!isObject(before) || !isObject(value) || !isObject(step) || Object.hasOwn(sent, 'minimalStep')) return next;
  const nextStep = new Map(Object.entries(step));
  for (const name of ['currency', 'valueAddedTaxIncluded']) {
    if (deepEqual(before[name], value[name])) continue;
    if (value[name] === undefined) nextStep.delete(name);
    else nextStep.set(name, value[name]);
  }
  return { ...next, minimalStep: Object.fromEntries(nextStep) };
}

function followStartDate(stored: JsonObject, next: JsonObject, sent: JsonObject): JsonObject {
  const [enquiry, tender] = [stored['enquiryPeriod'], stored['tenderPeriod']];
  const [nextEnquiry, nextTender, sentTender] = [next['enquiryPeriod'], next['tenderPeriod'], sent['tenderPeriod']];
  if (!isObject(enquiry) || !isObject(tender) || !isObject(nextEnquiry) || !isObject(nextTender)) return next;
  if (isObject(sentTender) && Object.hasOwn(sentTender, 'startDate')) return next;
  const end = nextEnquiry['endDate'];
  const followsEnquiryEnd = tender['startDate'] !== undefined && tender['startDate'] === enquiry['endDate'];
  // What is no date is refused where it was sent, and not a second time where it would follow.
  if (!followsEnquiryEnd || end === enquiry['endDate'] || typeof end !== 'string' || parseDateTime(end) === undefined) {
    return next;
  }
  return { ...next, tenderPeriod: { ...nextTender, startDate: end } };
}
