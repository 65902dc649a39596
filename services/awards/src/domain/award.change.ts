import { admit } from '@procurement/contracts/admission';
import type { BodyReading } from '@procurement/contracts/body-reading';
import { mergePatch } from '@procurement/contracts/merge';
import { invalid, problem, type Problem } from '@procurement/contracts/problems';
import { pruned } from '@procurement/contracts/pruned';
import { readBy } from '@procurement/contracts/reading/read-by';
import { AwardChange, type StoredAward } from '@procurement/contracts/resources/award';
import { same } from '@procurement/contracts/same';
import type { Decision } from '@procurement/kit/decision';
import { applyEffect } from './award.effects.ts';
import { awardTransition, type AwardTransition } from './award.transitions.ts';
import { awardRoleOf } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, AwardMeta } from './awarding.ts';
import { keptDate } from './kept-date.ts';
import { isAwarding, lotIsOpen } from './lots.ts';

/** What the owner of the tender may say of an award while it is pending (bids-awards-auction.md 3.1). */
const WORDS = [
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
] as const satisfies readonly (keyof AwardChange)[];

/**
 * PATCH of an award (bids-awards-auction.md 3.2, 3.4): the owner of the tender decides about it, the Administrator corrects its
 * complaintPeriod. Refusals: 404, 401 or 403, 422, then the status of tender, lot and award.
 */
export function changeAward(
  awarding: Awarding,
  id: string,
  body: BodyReading,
  meta: AwardMeta,
): Decision<AwardingEvent> {
  const stored = awarding.awards.find((award) => award.id === id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'award' }) };
  const role = awardRoleOf(awarding.tender, meta.actor);
  const admission = admit(body, meta.actor, role !== 'stranger');
  if ('refused' in admission) return admission;
  const { complaints: _elsewhere, ...own } = stored;
  const reading = readBy(AwardChange, mergePatch(own, admission.data));
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const wished = reading.value;
  const row = role === 'Administrator' ? CORRECTION : awardTransition(stored, wished.status ?? stored.status);
  const refusal = guards(awarding, stored, row);
  if (refusal !== undefined || row === undefined) return { refused: refusal ?? problem('award.update-status') };
  const next = role === 'Administrator' ? corrected(stored, wished) : edited(stored, wished);
  if (row.effect === 'edit' && same(next, stored)) return { accepted: [] };
  return { accepted: [{ type: 'AwardingChanged', parts: applyEffect(awarding, next, row.effect, meta) }] };
}

/** No status stands against the Administrator, who changes none. */
const CORRECTION = { effect: 'edit' } as const satisfies Pick<AwardTransition, 'effect'>;

function guards(
  { tender }: Awarding,
  award: StoredAward,
  row: Pick<AwardTransition, 'effect'> | undefined,
): Problem | undefined {
  const { status } = tender;
  if (!isAwarding(status)) return problem('award.update-tender-status', { status });
  if (!lotIsOpen(tender, award.lotID)) return problem('award.update-lot');
  return row === undefined ? problem('award.update-status', { status: award.status }) : undefined;
}

function corrected(stored: StoredAward, { complaintPeriod = {} }: AwardChange): StoredAward {
  const was = stored.complaintPeriod ?? {};
  const startDate = keptDate(was.startDate, complaintPeriod.startDate);
  const endDate = keptDate(was.endDate, complaintPeriod.endDate);
  return pruned<StoredAward>({ ...stored, complaintPeriod: { startDate, endDate } });
}

function edited(stored: StoredAward, wished: AwardChange): StoredAward {
  if (stored.status !== 'pending') return stored;
  return pruned<StoredAward>({ ...stored, ...Object.fromEntries(WORDS.map((word) => [word, wished[word]])) });
}
