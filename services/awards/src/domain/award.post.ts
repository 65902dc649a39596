import { admitWrite } from '@procurement/domain/admission';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { awardsApi } from '@procurement/contracts/api/awards.api';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Decision } from '@procurement/domain/decision';
import { newAward } from './award.new.ts';
import { postEarlyAward } from './award.post-early.ts';
import { tenderRoleOf } from '@procurement/domain/roles';
import { legacyGuardsAreOpen } from '@procurement/domain/tender-status';
import type { Awarding, AwardingEvent, CreationMeta } from './awarding.ts';
import { lotIsOpen } from '@procurement/domain/lots';

/** The status of the tender in which awards are added on segment 2.5 (bids-awards-auction.md 3.8). */
export const AWARD_ADDED_IN = 'active.qualification';

/**
 * POST of an award (bids-awards-auction.md 3.8). Segment 2.5: administrators of the service only; the award is pending and
 * nothing else changes. Older segments: the tender owner posts an award with its decision (`postEarlyAward`).
 */
export function postAward(awarding: Awarding, body: BodyResult, meta: CreationMeta): Decision<AwardingEvent> {
  const { actor, settings, now } = meta;
  const { tender } = awarding;
  const isEarly = actor.segment !== '2.5';
  const permitted = isEarly ? tenderRoleOf(tender, actor) === 'tender_owner' : actor.group === 'admins';
  const admission = admitWrite(body, actor, permitted);
  if ('refused' in admission) return admission;
  if (isEarly) {
    const early = parseWith(awardsApi.createAward.bodyBySegment['0'], admission.data);
    if (!early.ok) return { refused: invalid(early.errors) };
    const unguarded = legacyGuardsAreOpen(actor, settings, tender.status);
    const refused = lotRefusal(tender, early.value.lotID) ?? statusRefusal(tender, early.value.lotID, unguarded);
    return refused === undefined ? postEarlyAward(awarding, early.value, meta) : { refused };
  }
  const reading = parseWith(awardsApi.createAward.body, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const refused = lotRefusal(tender, reading.value.lotID) ?? statusRefusal(tender, reading.value.lotID, false);
  if (refused !== undefined) return { refused };
  const award = newAward(reading.value, meta.id, formatServerDate(now));
  return { accepted: [{ type: 'AwardingChanged', parts: { awards: [...awarding.awards, award] } }] };
}

function lotRefusal({ lots = [] }: TenderFacts, lot: string | undefined): Problem | undefined {
  const fault = (text: string): Problem => invalid([{ location: 'body', name: 'lotID', description: [text] }]);
  if (lot === undefined) return lots.length === 0 ? undefined : fault('This field is required.');
  return lots.some((one) => one.id === lot) ? undefined : fault('lotID should be one of lots');
}

function statusRefusal(tender: TenderFacts, lot: string | undefined, unguarded: boolean): Problem | undefined {
  const { status } = tender;
  if (!unguarded && status !== AWARD_ADDED_IN) {
    return allowing(problem('award.add-status', { status }), { allowedStatuses: [AWARD_ADDED_IN] });
  }
  return lotIsOpen(tender, lot) ? undefined : problem('award.add-lot');
}
