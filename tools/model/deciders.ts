import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import { addMicros } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ACTORS, BIDDER_HASH } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId } from '@procurement/testing/ids';
import { emptyAwarding } from '../../services/awards/src/domain/awarding.evolve.ts';
import type { AwardingState } from '../../services/awards/src/domain/awarding.ts';
import { awardFacts } from '../../services/awards/src/domain/awarding.view.ts';
import * as awards from '../../services/awards/test-support/run-command.ts';
import { decideBid } from '../../services/bids/src/domain/bid.decide.ts';
import type { BiddingPhase } from '../../services/bids/src/domain/bid.ts';
import { bidBody, bidMeta } from '../../services/bids/test-support/bidding-facts.ts';
import { tenderFacts } from '../../services/tenders/src/domain/tender.facts.ts';
import type { ExternalInput, TenderSettings, TenderState } from '../../services/tenders/src/domain/tender.ts';
import * as tenders from '../../services/tenders/test-support/run-command.ts';
import { numberPart } from './world.ts';

// The commands of the model, decided by the code that the services run. Only the bodies are fixed.

export const BEFORE_END = tenders.TENDERING_BEGINS;
export const AFTER_END = addMicros(tenders.TENDERING_ENDS, 1);
/** Every stand-still is over at this time. */
const LATER = addMicros(tenders.TENDERING_ENDS, 60 * 24 * 3_600_000_000);

/** A claim about the tender during the awarding is possible with open guards only (rulings R3). */
export const SETTINGS: TenderSettings = { ...tenders.SETTINGS, legacyGuardsOpen: true };
const OLDER_SEGMENT = { ...ACTORS.complainant, segment: '2.3' } as const;

/** Keeps each result: most runs ask for the same again, and equal results are compared once. */
function remembering<A extends readonly (object | string | boolean)[], T>(
  decide: (...args: A) => T,
): (...args: A) => T {
  const results = new Map<string, { readonly result: T }>();
  return (...args) => {
    const key = args.map((arg) => (typeof arg === 'object' ? numberPart(arg) : arg)).join(' ');
    const known = results.get(key) ?? { result: decide(...args) };
    results.set(key, known);
    return known.result;
  };
}

export const factsOf = remembering((tender: TenderState): TenderFacts => tenderFacts(tender, LATER, SETTINGS));

export const publicAwards = remembering((awarding: AwardingState): AwardFacts => awardFacts(awarding));

export const tickTender = remembering((tender: TenderState) => tenders.tick(tender, AFTER_END, SETTINGS));

export const applyToTender = remembering((tender: TenderState, input: ExternalInput) =>
  tenders.applyInput(tender, input, LATER, SETTINGS),
);

export const cancelTender = remembering((tender: TenderState) =>
  tenders.add(tender, 'AddCancellation', { reason: 'x', status: 'active' }, { id: 'ca', now: LATER }),
);

export const fileClaim = remembering((tender: TenderState) =>
  tenders.add(
    tender,
    'FileComplaint',
    { author: AUTHOR, title: 'Вимога', status: 'claim' },
    { actor: OLDER_SEGMENT, now: LATER, settings: SETTINGS },
  ),
);

/** Whether bids accepts a bid of this id. */
export const acceptsBid = remembering((tender: TenderFacts, phase: BiddingPhase, id: string, isAfterEnd: boolean) => {
  const now = isAfterEnd ? AFTER_END : BEFORE_END;
  const meta = { ...bidMeta(), now, id, ownerTokenHash: BIDDER_HASH, transferHash: 'e'.repeat(64) };
  const decision = decideBid({ tender, phase }, { type: 'RegisterBid', body: { kind: 'data', data: bidBody() }, meta });
  return 'accepted' in decision;
});

export function noAwards(tender: TenderState): AwardingState {
  return emptyAwarding(tender.id);
}

export const openAwards = remembering((state: AwardingState, tender: TenderFacts, bids: readonly string[]) => {
  const opened = bids.map((id) => ({ ...awards.bid('b1', 390), id }));
  return pickState(awards.openBids({ ...state, tender }, opened, { now: AFTER_END }));
});

/** The awarding after a decision of the buyer; undefined when it is refused. */
export const activateAward = remembering((state: AwardingState, tender: TenderFacts) =>
  acceptedBy(awards.patchAward({ ...state, tender }, 0, { status: 'active' }, { now: AFTER_END })),
);

export const signContract = remembering((state: AwardingState, tender: TenderFacts) =>
  acceptedBy(awards.patchContract({ ...state, tender }, 0, { status: 'active' }, { now: LATER })),
);

function acceptedBy(result: awards.CommandResult): AwardingState | undefined {
  return result.refused === undefined ? pickState(result) : undefined;
}

/** Leaves out the facts of the tender, which are not stored with the awards. */
function pickState({ state: { tender: _facts, ...state } }: awards.CommandResult): AwardingState {
  return state;
}

export const BID_IDS = [padId('b1'), padId('b2')] as const;

export { LATER as DECIDED_AT };
