import { formatServerDate, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { AwardStatus, StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import { standStillEnd } from './stand-still.ts';
import type { AwardEffect } from './award.transitions.ts';
import { withNextAwards } from './award.next.ts';
import type { Awarding, AwardingParts, DecisionContext } from './awarding.ts';
import { withContractFor } from './contract.create.ts';

type Parts = Pick<AwardingParts, 'awards' | 'contracts'>;

/**
 * All awards and contracts of the tender after a decision on one award, including the next awards
 * (bids-awards-auction.md 3.4). `award` is the stored award with edited members, still in its old status.
 */
export function applyEffect(
  awarding: Awarding,
  award: StoredAward,
  effect: AwardEffect,
  context: DecisionContext,
): Parts {
  const { contracts } = awarding;
  const awards = awarding.awards.map((one) => (one.id === award.id ? award : one));
  switch (effect) {
    case 'edit':
      return { awards, contracts };
    case 'activate': {
      const active = withDecision(award, 'active', awarding, context);
      const nextContracts = withContractFor(awarding, active, context);
      return { awards: withNextAwards(awarding, replaceById(awards, [active]), context), contracts: nextContracts };
    }
    case 'disqualify': {
      const unsuccessful = withDecision(award, 'unsuccessful', awarding, context);
      return { awards: withNextAwards(awarding, replaceById(awards, [unsuccessful]), context), contracts };
    }
    case 'cancel': {
      const period = award.complaintPeriod?.endDate;
      const end = period === undefined ? context.now : earlier(parseInstant(period), context.now);
      return withCancelled(awarding, awards, [cancelledAward(award, end, context.now)], context);
    }
    case 'cancelWithLater': {
      const later = awards.slice(awards.findIndex((one) => one.id === award.id));
      const touched = later.filter((one) => one.lotID === award.lotID && one.status !== 'cancelled');
      const cancelledAwards = touched.map((one) => cancelledAward(one, context.now, context.now));
      return withCancelled(awarding, awards, cancelledAwards, context);
    }
    default:
      return effect satisfies never;
  }
}

/** A cancelled award. Its complaints are cancelled too, except those in a status of `KEPT_STATUSES`. */
export function cancelledAward(award: StoredAward, end: Instant, now: Instant): StoredAward {
  const complaintPeriod = { ...award.complaintPeriod, endDate: formatServerDate(end) };
  const complaints = award.complaints?.map((complaint) => cancelledComplaint(complaint, now));
  return {
    ...award,
    status: 'cancelled',
    date: formatServerDate(now),
    complaintPeriod,
    ...(complaints === undefined ? {} : { complaints }),
  };
}

/**
 * Decision: a complaint that its owner withdrew (`cancelled`) keeps its own reason and date. bids-awards-auction.md 3.4 names
 * only the other three (bids-awards-auction.md 3.7).
 */
const KEPT_STATUSES: ReadonlySet<string> = new Set(['invalid', 'resolved', 'declined', 'cancelled']);

function cancelledComplaint(complaint: StoredComplaint, now: Instant): StoredComplaint {
  if (KEPT_STATUSES.has(complaint.status)) return complaint;
  const date = formatServerDate(now);
  return { ...complaint, status: 'cancelled', cancellationReason: 'cancelled', date, dateCanceled: date };
}

function withDecision(
  award: StoredAward,
  status: AwardStatus,
  { tender }: Awarding,
  context: DecisionContext,
): StoredAward {
  const endDate = formatServerDate(standStillEnd(context.now, tender, context.settings));
  const complaintPeriod = { ...award.complaintPeriod, endDate };
  return { ...award, status, date: formatServerDate(context.now), complaintPeriod };
}

/** Cancels the contracts of the cancelled awards too. */
function withCancelled(
  awarding: Awarding,
  awards: readonly StoredAward[],
  cancelledAwards: readonly StoredAward[],
  context: DecisionContext,
): Parts {
  const ids = new Set(cancelledAwards.map((award) => award.id));
  const date = formatServerDate(context.now);
  const contracts = awarding.contracts.map((contract) =>
    ids.has(contract.awardID) && contract.status !== 'cancelled'
      ? { ...contract, status: 'cancelled' as const, date }
      : contract,
  );
  return { awards: withNextAwards(awarding, replaceById(awards, cancelledAwards), context), contracts };
}

function replaceById(awards: readonly StoredAward[], changed: readonly StoredAward[]): readonly StoredAward[] {
  const byId = new Map(changed.map((award) => [award.id, award]));
  return awards.map((award) => byId.get(award.id) ?? award);
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
