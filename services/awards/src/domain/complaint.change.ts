import { admitWrite } from '@procurement/domain/admission';
import {
  CLOSED_STATUSES,
  applyTransition,
  transitionOf,
  editableMembersFor,
  type ComplaintTransition,
} from '@procurement/domain/complaints';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import type { StoredAward } from '@procurement/contracts/resources/award';
import { ComplaintInput, EarlyComplaintInput, type StoredComplaint } from '@procurement/contracts/resources/complaint';
import { Organization } from '@procurement/contracts/resources/organization';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import { complaintRoleOf } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, AwardMeta, ChangeComplaint } from './awarding.ts';
import { inComplaintPeriod } from './complaint.period.ts';
import { isAwardingStatus, lotIsOpen } from './lots.ts';

/** A move of a complaint about an award, or a change within its status (3.7); refusals in the order of that section. */
export function changeComplaint(awarding: Awarding, command: ChangeComplaint): Decision<AwardingEvent> {
  const { body, meta } = command;
  const award = awarding.awards.find((one) => one.id === command.awardId);
  if (award === undefined) return { refused: problem('object.not-found', { kind: 'award' }) };
  const stored = award.complaints?.find((complaint) => complaint.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'complaint' }) };
  const role = complaintRoleOf(awarding, stored.id, meta.actor);
  const admission = admitWrite(body, meta.actor, role !== 'stranger');
  if ('refused' in admission) return admission;
  const reading = readMerged(stored, admission.data, meta);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  // The model has made sure of all that a complaint needs.
  const merged = reading.value as StoredComplaint;
  if (role === 'stranger' || role === 'Administrator') return { refused: problem('request.role-forbidden') };
  const editableMembers = editableMembersFor(role, stored.status, merged.status);
  if (editableMembers === undefined) return { refused: problem('request.role-forbidden') };
  const next = omitEmpty({
    ...stored,
    ...Object.fromEntries(editableMembers.map((member) => [member, merged[member]])),
  });
  const guardInput = { next, inPeriod: inComplaintPeriod(award, meta.now) };
  const transition = transitionOf(role, stored.status, guardInput, meta.settings.complaintsMode);
  const refusal = statusRefusal(awarding, award, stored, transition);
  if (refusal !== undefined || transition === undefined) return { refused: refusal ?? problem('complaint.update') };
  if (deepEqual(next, stored)) return { accepted: [] };
  const awards = withComplaint(
    awarding.awards,
    award.id,
    applyTransition(stored, next, transition, formatServerDate(meta.now)),
  );
  return { accepted: [{ type: 'AwardingChanged', parts: { awards } }] };
}

/** What an older segment let through is not asked for again, as long as it is merely sent back (rulings R13). */
function readMerged(
  stored: StoredComplaint,
  data: Readonly<Record<string, unknown>>,
  { actor }: AwardMeta,
): ParseResult<unknown> {
  // A stored author is an object; what else it is, the reading tells.
  const isEarly = actor.segment !== '2.5' || !parseWith(Organization, stored.author as Record<string, unknown>).ok;
  return parseWith(isEarly ? EarlyComplaintInput : ComplaintInput, mergePatch({ ...stored }, data));
}

function statusRefusal(
  { tender }: Awarding,
  award: StoredAward,
  stored: StoredComplaint,
  transition: ComplaintTransition | undefined,
): Problem | undefined {
  const { status } = tender;
  if (!isAwardingStatus(status)) return problem('complaint.update-tender-status', { status });
  if (!lotIsOpen(tender, award.lotID)) return problem('award-complaint.update-lot');
  if (CLOSED_STATUSES.has(stored.status)) return problem('complaint.update-status', { status: stored.status });
  return transition === undefined ? problem('complaint.update') : undefined;
}

function withComplaint(
  awards: readonly StoredAward[],
  awardId: string,
  complaint: StoredComplaint,
): readonly StoredAward[] {
  return awards.map((award) =>
    award.id === awardId
      ? { ...award, complaints: award.complaints?.map((one) => (one.id === complaint.id ? complaint : one)) }
      : award,
  );
}
