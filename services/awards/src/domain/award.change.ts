import { admitWrite } from '@procurement/domain/admission';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { awardsApi } from '@procurement/contracts/api/awards.api';
import {
  AWARD_STATUSES,
  type AwardPatch,
  type AwardStatus,
  type StoredAward,
} from '@procurement/contracts/resources/award';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import { editsInAnyStatus, type Edits } from '@procurement/domain/ignored-members';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import { applyEffect } from './award.effects.ts';
import { awardTransition, type AwardTransition, AWARD_TRANSITIONS } from './award.transitions.ts';
import { tenderRoleOf } from '@procurement/domain/roles';
import type { Awarding, AwardingEvent, AwardMeta } from './awarding.ts';
import { keepStoredDate } from './keep-stored-date.ts';
import { lotIsOpen } from '@procurement/domain/lots';
import { awardingRefusal } from './awarding-status.ts';

/** Members that the tender owner may set while the award is pending (bids-awards-auction.md 3.1). */
const TEXT_MEMBERS = [
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
] as const satisfies readonly (keyof AwardPatch)[];

/** What the caller may change of an award, for `ignoredMembers`. A status that cannot be set is refused. */
export function editsOfAward({ tender }: Pick<Awarding, 'tender'>, { status }: StoredAward, actor: Actor): Edits {
  if (tenderRoleOf(tender, actor) === 'Administrator') return editsInAnyStatus(['complaintPeriod']);
  const membersIn = (one: string): readonly string[] => (one === 'pending' ? ['status', ...TEXT_MEMBERS] : ['status']);
  return { status, statuses: AWARD_STATUSES, membersIn };
}

/**
 * PATCH of an award (bids-awards-auction.md 3.2, 3.4). The tender owner decides on the award; the Administrator corrects its
 * complaintPeriod. Order of refusals: 404, 401 or 403, 422, then the status of tender, lot and award.
 */
export function changeAward(
  awarding: Awarding,
  id: string,
  body: BodyResult,
  meta: AwardMeta,
): Decision<AwardingEvent> {
  const stored = awarding.awards.find((award) => award.id === id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'award' }) };
  const role = tenderRoleOf(awarding.tender, meta.actor);
  const admission = admitWrite(body, meta.actor, role !== 'stranger', { owned: { owner: awarding.tender.owner } });
  if ('refused' in admission) return admission;
  if (role === 'tender_owner' && repeatsStatus(stored, admission.data)) return { accepted: [] };
  const { complaints: _complaints, ...own } = stored;
  const reading = parseWith(awardsApi.patchAward.body, mergePatch(own, admission.data), stored);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const requested = reading.value;
  const transition = role === 'Administrator' ? CORRECTION : awardTransition(stored, requested.status ?? stored.status);
  const refusal = statusRefusal(awarding, stored, transition, requested.status);
  if (refusal !== undefined || transition === undefined) return { refused: refusal ?? problem('award.update-status') };
  const next = role === 'Administrator' ? withCorrectedPeriod(stored, requested) : withEditedTexts(stored, requested);
  if (transition.effect === 'edit' && deepEqual(next, stored)) return { accepted: [] };
  return { accepted: [{ type: 'AwardingChanged', parts: applyEffect(awarding, next, transition.effect, meta) }] };
}

/** The Administrator changes no status, so the status of the award does not matter. */
const CORRECTION = { effect: 'edit' } as const satisfies Pick<AwardTransition, 'effect'>;

function statusRefusal(
  { tender }: Awarding,
  award: StoredAward,
  transition: Pick<AwardTransition, 'effect'> | undefined,
  to: AwardStatus = award.status,
): Problem | undefined {
  const notAwarding = awardingRefusal('award.update-tender-status', tender.status);
  if (notAwarding !== undefined) return notAwarding;
  if (!lotIsOpen(tender, award.lotID)) return problem('award.update-lot');
  if (transition !== undefined) return undefined;
  // A complaint, and not another status, allows what has a condition.
  const allowedStatuses = AWARD_TRANSITIONS.filter(({ when }) => when === undefined)
    .filter((row) => (to === award.status ? row.effect === 'edit' : row.to === to))
    .map(({ from }) => from);
  return allowing(problem('award.update-status', { status: award.status }), { allowedStatuses });
}

function withCorrectedPeriod(stored: StoredAward, { complaintPeriod = {} }: AwardPatch): StoredAward {
  const storedPeriod = stored.complaintPeriod ?? {};
  const startDate = keepStoredDate(storedPeriod.startDate, complaintPeriod.startDate);
  const endDate = keepStoredDate(storedPeriod.endDate, complaintPeriod.endDate);
  return omitEmpty<StoredAward>({ ...stored, complaintPeriod: { startDate, endDate } });
}

function withEditedTexts(stored: StoredAward, requested: AwardPatch): StoredAward {
  if (stored.status !== 'pending') return stored;
  return omitEmpty<StoredAward>({
    ...stored,
    ...Object.fromEntries(TEXT_MEMBERS.map((member) => [member, requested[member]])),
  });
}
