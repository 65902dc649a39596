import { deepEqual } from '@procurement/domain/equality';
import { parseDateTime } from '@procurement/contracts/reading/instant';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Generation01, DecodeContext } from '../codec.ts';
import { DEFAULTS_ON_0_1, withDefaults } from '../tender-defaults.ts';
import { applyDeliveryDate } from './delivery-date.ts';
import { typeMappingOf } from './member-table.ts';
import { applyChange, type Operation } from './apply-change.ts';

/**
 * The canonical tender after a request on segment 0.1; `sent` has canonical names (generations.md 5.2 to 5.6). Only
 * here do members change that the request does not name: delivery dates of items, members that follow a shown one,
 * defaults.
 */
export function applyTenderChange(operation: Operation, sent: JsonObject, context: DecodeContext): JsonObject {
  const { generation01 = 'middle', now } = context;
  const stored = context.stored ?? {};
  const { deliveryDate, awardPeriod, ...rest } = sent;
  // When the service has set the start, the award period is no longer a plan, and the request cannot change it.
  const isPlanned = !isJsonObject(stored['awardPeriod']) || stored['awardPeriod']['startDate'] === undefined;
  const changes = isPlanned && awardPeriod !== undefined ? { ...rest, awardPeriod } : rest;
  const next = applyChange('Tender', operation, context.stored, changes, 'top');
  const withDelivery = Object.hasOwn(next, 'items')
    ? { ...next, items: applyDeliveryDate(next['items'], deliveryDate ?? undefined) }
    : next;
  const withFollowRules =
    operation === 'create' ? withDelivery : applyFollowRules(generation01, stored, withDelivery, sent);
  return withDefaults(DEFAULTS_ON_0_1, stored, withFollowRules, now);
}

/** The body of a PUT: the tender without the members that the service sets. */
export function withoutReadOnly(tender: JsonObject): JsonObject {
  const readOnlyNames = new Set(
    typeMappingOf('Tender').members.flatMap((member) => (member.readOnly === true ? [member.name] : [])),
  );
  return Object.fromEntries(Object.entries(tender).filter(([name]) => !readOnlyNames.has(name)));
}

/**
 * Changes hidden members of the earliest generation that must equal a shown one (generations.md 5.4).
 * `minimalStep.amount` does not follow: the service refuses a step above the value, and the error names the value.
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
  if (!isJsonObject(before) || !isJsonObject(value) || !isJsonObject(step) || Object.hasOwn(sent, 'minimalStep'))
    return next;
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
  if (!isJsonObject(enquiry) || !isJsonObject(tender) || !isJsonObject(nextEnquiry) || !isJsonObject(nextTender))
    return next;
  if (isJsonObject(sentTender) && Object.hasOwn(sentTender, 'startDate')) return next;
  const end = nextEnquiry['endDate'];
  const followsEnquiryEnd = tender['startDate'] !== undefined && tender['startDate'] === enquiry['endDate'];
  // An invalid date does not follow: the service refuses it once, where it was sent.
  if (!followsEnquiryEnd || end === enquiry['endDate'] || typeof end !== 'string' || parseDateTime(end) === undefined) {
    return next;
  }
  return { ...next, tenderPeriod: { ...nextTender, startDate: end } };
}
