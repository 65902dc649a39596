import { accreditationProblem, admitWrite, OWNER_UNSAID } from '@procurement/domain/admission';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import type { StoredAward } from '@procurement/contracts/resources/award';
import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { Decision } from '@procurement/domain/decision';
import { mayComplain } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, FileComplaint } from './awarding.ts';
import { nextComplaintNumber } from '@procurement/domain/complaints';
import { acceptsEarlyForm } from '@procurement/domain/early-organization';
import { isWithinBegun } from '@procurement/domain/period';
import { lotIsOpen } from '@procurement/domain/lots';
import { awardingRefusal } from './awarding-status.ts';

/** POST of a claim (or its draft) about an award, by a bidder of the tender (bids-awards-auction.md 3.7). */
export function fileComplaint(awarding: Awarding, { awardId, body, meta }: FileComplaint): Decision<AwardingEvent> {
  const { actor, now } = meta;
  const award = awarding.awards.find((one) => one.id === awardId);
  if (award === undefined) return { refused: problem('object.not-found', { kind: 'award' }) };
  const permitted = mayComplain(actor, meta.bidders);
  const admission = admitWrite(body, actor, permitted, {
    accreditation: accreditationProblem(actor, awarding.tender.mode, 'complaint'),
    owned: OWNER_UNSAID,
  });
  if ('refused' in admission) return admission;
  const { body: schema, bodyBySegment } = awardComplaintsApi.createAwardComplaint;
  const reading = parseWith(acceptsEarlyForm(actor.segment) ? bodyBySegment['0'] : schema, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const refusal = statusRefusal(awarding, award, meta);
  if (refusal !== undefined) return { refused: refusal };
  const date = formatServerDate(now);
  const { author, title, description } = reading.value;
  const status = reading.value.status === 'claim' ? 'claim' : 'draft';
  const complaint = omitEmpty<StoredComplaint>({
    id: meta.id,
    complaintID: complaintNumber(awarding, meta),
    type: 'claim',
    status,
    author,
    title,
    description,
    relatedLot: award.lotID,
    date,
    ...(status === 'claim' ? { dateSubmitted: date } : {}),
  });
  const awards = awarding.awards.map((one) =>
    one.id === awardId ? { ...one, complaints: [...(one.complaints ?? []), complaint] } : one,
  );
  const owner = { owner: actor.broker ?? '', tokenHash: meta.tokenHash, transferHash: meta.transferHash };
  const complaintOwners = { ...awarding.complaintOwners, [complaint.id]: owner };
  return { accepted: [{ type: 'AwardingChanged', parts: { awards, complaintOwners } }] };
}

function statusRefusal({ tender }: Awarding, award: StoredAward, { now }: FileComplaint['meta']): Problem | undefined {
  const notAwarding = awardingRefusal('complaint.add-status', tender.status);
  if (notAwarding !== undefined) return notAwarding;
  if (!lotIsOpen(tender, award.lotID)) return problem('award-complaint.add-lot');
  const period = award.complaintPeriod ?? {};
  if (isWithinBegun(period, now)) return undefined;
  const { startDate: allowedFrom, endDate: allowedUntil } = period;
  return allowing(problem('award-complaint.add-period'), { allowedFrom, allowedUntil });
}

function complaintNumber({ tender, awards }: Awarding, { settings }: FileComplaint['meta']): string {
  const awardComplaints = awards.flatMap((award) => award.complaints ?? []);
  const complaintCount = (tender.complaints ?? []).length + awardComplaints.length;
  return nextComplaintNumber(tender.tenderID, settings.serverId, complaintCount);
}
