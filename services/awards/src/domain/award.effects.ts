import { formatServerDate, instantOf, type Instant } from '@procurement/contracts/instant';
import type { AwardStatus, StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import { standStillEnd } from './acceleration.ts';
import type { AwardEffect } from './award.transitions.ts';
import { withNextAwards } from './award.next.ts';
import type { Awarding, AwardingParts, Moment } from './awarding.ts';
import { withContractFor } from './contract.create.ts';

type Parts = Pick<AwardingParts, 'awards' | 'contracts'>;

/**
 * What a decision about one award makes of all awards and contracts of the tender, the next award step included
 * (bids-awards-auction.md 3.4). `award` is as it stands, with what was edited.
 */
export function applyEffect(awarding: Awarding, award: StoredAward, effect: AwardEffect, moment: Moment): Parts {
  const { contracts } = awarding;
  const awards = awarding.awards.map((one) => (one.id === award.id ? award : one));
  switch (effect) {
    case 'edit':
      return { awards, contracts };
    case 'activate': {
      const active = decided(award, 'active', awarding, moment);
      const made = withContractFor(awarding, active, moment);
      return { awards: withNextAwards(awarding, replaced(awards, [active]), moment), contracts: made };
    }
    case 'disqualify': {
      const unsuccessful = decided(award, 'unsuccessful', awarding, moment);
      return { awards: withNextAwards(awarding, replaced(awards, [unsuccessful]), moment), contracts };
    }
    case 'cancel': {
      const period = award.complaintPeriod?.endDate;
      const end = period === undefined ? moment.now : earlier(instantOf(period), moment.now);
      return cancelling(awarding, awards, [cancelled(award, end, moment.now)], moment);
    }
    case 'cancelWithLater': {
      const later = awards.slice(awards.findIndex((one) => one.id === award.id));
      const touched = later.filter((one) => one.lotID === award.lotID && one.status !== 'cancelled');
      const gone = touched.map((one) => cancelled(one, moment.now, moment.now));
      return cancelling(awarding, awards, gone, moment);
    }
    default:
      return effect satisfies never;
  }
}

/** An award that is taken back, with its complaints; one that is over keeps what was decided about it. */
export function cancelled(award: StoredAward, end: Instant, now: Instant): StoredAward {
  const complaintPeriod = { ...award.complaintPeriod, endDate: formatServerDate(end) };
  const complaints = award.complaints?.map((complaint) => withdrawn(complaint, now));
  return {
    ...award,
    status: 'cancelled',
    date: formatServerDate(now),
    complaintPeriod,
    ...(complaints === undefined ? {} : { complaints }),
  };
}

/**
 * Decision: a complaint that its owner has withdrawn keeps its own reason and date; the specification names only the three
 * outcomes of a review as untouched.
 */
const UNTOUCHED: ReadonlySet<string> = new Set(['invalid', 'resolved', 'declined', 'cancelled']);

function withdrawn(complaint: StoredComplaint, now: Instant): StoredComplaint {
  if (UNTOUCHED.has(complaint.status)) return complaint;
  const date = formatServerDate(now);
  return { ...complaint, status: 'cancelled', cancellationReason: 'cancelled', date, dateCanceled: date };
}

function decided(award: StoredAward, status: AwardStatus, { tender }: Awarding, moment: Moment): StoredAward {
  const endDate = formatServerDate(standStillEnd(moment.now, tender, moment.settings));
  const complaintPeriod = { ...award.complaintPeriod, endDate };
  return { ...award, status, date: formatServerDate(moment.now), complaintPeriod };
}

/** With the awards go their contracts. */
function cancelling(
  awarding: Awarding,
  awards: readonly StoredAward[],
  gone: readonly StoredAward[],
  moment: Moment,
): Parts {
  const ids = new Set(gone.map((award) => award.id));
  const date = formatServerDate(moment.now);
  const contracts = awarding.contracts.map((contract) =>
    ids.has(contract.awardID) && contract.status !== 'cancelled'
      ? { ...contract, status: 'cancelled' as const, date }
      : contract,
  );
  return { awards: withNextAwards(awarding, replaced(awards, gone), moment), contracts };
}

function replaced(awards: readonly StoredAward[], changed: readonly StoredAward[]): readonly StoredAward[] {
  const byId = new Map(changed.map((award) => [award.id, award]));
  return awards.map((award) => byId.get(award.id) ?? award);
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
