import { admitComplaintChange } from '@procurement/domain/complaint-admission';
import type { Actor } from '@procurement/contracts/api/actor';
import {
  closedRefusal,
  applyTransition,
  findTransition,
  complaintEdits,
  editableMembersFor,
  type ComplaintTransition,
} from '@procurement/domain/complaints';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import type { StoredAward } from '@procurement/contracts/resources/award';
import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import type { ComplaintStatus, StoredComplaint } from '@procurement/contracts/resources/complaint';
import { acceptsEarlyForm } from '@procurement/domain/early-organization';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import type { Edits } from '@procurement/domain/ignored-members';
import { complaintRoleOf } from '@procurement/domain/roles';
import type { Awarding, AwardingEvent, AwardMeta, ChangeComplaint } from './awarding.ts';
import { isWithinBegun } from '@procurement/domain/period';
import { lotIsOpen } from '@procurement/domain/lots';
import { awardingRefusal } from './awarding-status.ts';

/** PATCH of a complaint about an award. Refusals in the order of bids-awards-auction.md 3.7. */
export function changeComplaint(awarding: Awarding, command: ChangeComplaint): Decision<AwardingEvent> {
  const { body, meta } = command;
  const award = awarding.awards.find((one) => one.id === command.awardId);
  if (award === undefined) return { refused: problem('object.not-found', { kind: 'award' }) };
  const stored = award.complaints?.find((complaint) => complaint.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'complaint' }) };
  const role = complaintRoleOf(awarding.tender, awarding.complaintOwners[stored.id], meta.actor);
  const admission = admitComplaintChange(stored, { body, actor: meta.actor, role });
  if (!('data' in admission)) return admission;
  const reading = readMerged(stored, admission.data, meta);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  // `stored` has every required member, and the schema has checked the merge of both.
  const merged = reading.value as StoredComplaint;
  const editableMembers = editableBy(role, stored.status, merged.status);
  if (editableMembers === undefined || role === 'stranger' || role === 'Administrator')
    return { refused: problem('request.role-forbidden') };
  const next = omitEmpty({
    ...stored,
    ...Object.fromEntries(editableMembers.map((member) => [member, merged[member]])),
  });
  const guardInput = { next, inPeriod: isWithinBegun(award.complaintPeriod ?? {}, meta.now) };
  const transition = findTransition(role, stored.status, guardInput, meta.settings.complaintsMode);
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

function editableBy(role: ReturnType<typeof complaintRoleOf>, from: ComplaintStatus, to: ComplaintStatus) {
  return role === 'stranger' || role === 'Administrator' ? undefined : editableMembersFor(role, from, to);
}

/** What a change to the status `requested` may set of a complaint, for `ignoredMembers`. */
export function editsOfComplaint(
  { tender, complaintOwners }: Pick<Awarding, 'tender' | 'complaintOwners'>,
  { id, status }: StoredComplaint,
  requested: ComplaintStatus,
  actor: Actor,
): Edits {
  const role = complaintRoleOf(tender, complaintOwners[id], actor);
  return complaintEdits(status, (from) => editableBy(role, from, requested));
}

/** Members that an older segment was allowed to omit are not required later, while the author is unchanged (rulings R13). */
function readMerged(
  stored: StoredComplaint,
  data: Readonly<Record<string, unknown>>,
  { actor }: AwardMeta,
): ParseResult<unknown> {
  const { body: schema, bodyBySegment } = awardComplaintsApi.patchAwardComplaint;
  const input = acceptsEarlyForm(actor.segment, stored.author) ? bodyBySegment['0'] : schema;
  return parseWith(input, mergePatch({ ...stored }, data), stored);
}

function statusRefusal(
  { tender }: Awarding,
  award: StoredAward,
  stored: StoredComplaint,
  transition: ComplaintTransition | undefined,
): Problem | undefined {
  const notAwarding = awardingRefusal('complaint.update-tender-status', tender.status);
  if (notAwarding !== undefined) return notAwarding;
  if (!lotIsOpen(tender, award.lotID)) return problem('award-complaint.update-lot');
  const closed = closedRefusal(stored);
  if (closed !== undefined) return closed;
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
