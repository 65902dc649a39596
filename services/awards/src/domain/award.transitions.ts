import type { AwardStatus, StoredAward } from '@procurement/contracts/resources/award';

/** What a decision about an award brings with it (bids-awards-auction.md 3.4). */
export type AwardEffect = 'edit' | 'activate' | 'disqualify' | 'cancel' | 'cancelWithLater';

export interface AwardTransition {
  readonly from: AwardStatus;
  readonly to: AwardStatus;
  readonly effect: AwardEffect;
  readonly when?: keyof typeof GUARDS;
}

/** The state machine of 3.4; whatever is not in it is refused, an unchanged status included. */
export const AWARD_TRANSITIONS: readonly AwardTransition[] = [
  { from: 'pending', to: 'pending', effect: 'edit' },
  { from: 'pending', to: 'active', effect: 'activate' },
  { from: 'pending', to: 'unsuccessful', effect: 'disqualify' },
  { from: 'active', to: 'cancelled', effect: 'cancel' },
  { from: 'unsuccessful', to: 'cancelled', effect: 'cancelWithLater', when: 'isContested' },
];

/** Statuses of a complaint that let a disqualification be taken back. */
const CONTESTS: ReadonlySet<string> = new Set(['claim', 'answered', 'pending', 'resolved']);

/** The predicates that the table names. */
const GUARDS = {
  isContested: ({ complaints = [] }: StoredAward) => complaints.some(({ status }) => CONTESTS.has(status)),
} as const;

/** The row by which an award goes there; undefined when there is none or its guard does not hold. */
export function awardTransition(award: StoredAward, to: AwardStatus): AwardTransition | undefined {
  return AWARD_TRANSITIONS.find(
    (row) => row.from === award.status && row.to === to && (row.when === undefined || GUARDS[row.when](award)),
  );
}
