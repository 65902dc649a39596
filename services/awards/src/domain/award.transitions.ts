import type { AwardStatus, StoredAward } from '@procurement/contracts/resources/award';

/** Side effects of a decision on an award (bids-awards-auction.md 3.4). */
export type AwardEffect = 'edit' | 'activate' | 'disqualify' | 'cancel' | 'cancelWithLater';

export interface AwardTransition {
  readonly from: AwardStatus;
  readonly to: AwardStatus;
  readonly effect: AwardEffect;
  readonly when?: keyof typeof GUARDS;
}

/** The state machine of bids-awards-auction.md 3.4. A pair that is not listed is refused, an unchanged status too. */
export const AWARD_TRANSITIONS: readonly AwardTransition[] = [
  { from: 'pending', to: 'pending', effect: 'edit' },
  { from: 'pending', to: 'active', effect: 'activate' },
  { from: 'pending', to: 'unsuccessful', effect: 'disqualify' },
  { from: 'active', to: 'cancelled', effect: 'cancel' },
  { from: 'unsuccessful', to: 'cancelled', effect: 'cancelWithLater', when: 'isContested' },
];

/** An unsuccessful award can be cancelled only with a complaint in one of these statuses. */
const CONTESTING_STATUSES: ReadonlySet<string> = new Set(['claim', 'answered', 'pending', 'resolved']);

/** The predicates that the table names. */
const GUARDS = {
  isContested: ({ complaints = [] }: StoredAward) => complaints.some(({ status }) => CONTESTING_STATUSES.has(status)),
} as const;

/** The row for this change of status; undefined when there is none or its guard does not hold. */
export function awardTransition(award: StoredAward, to: AwardStatus): AwardTransition | undefined {
  return AWARD_TRANSITIONS.find(
    (row) => row.from === award.status && row.to === to && (row.when === undefined || GUARDS[row.when](award)),
  );
}
