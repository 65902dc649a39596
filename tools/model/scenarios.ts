import { newTender } from '../../services/tenders/test-support/run-command.ts';
import * as tenders from '../../services/tenders/test-support/run-command.ts';
import type { AwardingState } from '../../services/awards/src/domain/awarding.ts';
import type { TenderState } from '../../services/tenders/src/domain/tender.ts';
import {
  activateAward,
  applyToTender,
  BEFORE_END,
  BID_IDS,
  factsOf,
  noAwards,
  openAwards,
  publicAwards,
  tickTender,
} from './deciders.ts';
import { awardChanged } from './flows.ts';
import type { Request, World } from './world.ts';

const [bidId] = BID_IDS;
const NOT_FROZEN = { number: 0, isHeld: false, version: 0 } as const;
const NOT_BEGUN = { number: 0, open: false } as const;

/** A system at rest, in which these requests will come. */
function atRest(tender: TenderState, awarding: AwardingState, ...kinds: readonly Request['kind'][]): World {
  const facts = factsOf(tender);
  const isOpen = tender.bidding.phase === 'open';
  const requests = kinds.map((kind, index) => {
    const count = kinds.slice(0, index + 1).filter((one) => one === kind).length;
    return [`${kind} ${count}`, { kind, step: 'new' }] as const;
  });
  return {
    tender,
    awarding,
    bidding: isOpen ? { phase: 'open', ids: [] } : { phase: 'opened', ids: [bidId], answered: [bidId] },
    copy: facts,
    deciders: { cancellation: [isOpen ? 'bids' : 'awards'], signing: ['tenders'] },
    held: { bids: NOT_FROZEN, awards: NOT_FROZEN, tenders: NOT_FROZEN },
    begun: { cancellation: NOT_BEGUN, signing: NOT_BEGUN },
    requests: Object.fromEntries(requests),
    // The last event of the past may come again.
    events: awarding.version === 0 ? [] : [awardChanged(awarding)],
    calls: [],
    ended: { tenders: !isOpen, bids: !isOpen },
    mayEnd: isOpen,
    isErasing: false,
  };
}

const tendering = tenders.tick(newTender(), BEFORE_END).state;

/** The tender and its awards after the bidding ended with one bid. */
function qualification(): readonly [TenderState, AwardingState] {
  const closing = tickTender(tendering).state;
  const opening = applyToTender(closing, { type: 'SealBids', bids: [{ id: bidId, lots: [] }] }).state;
  const awarding = openAwards(noAwards(opening), factsOf(opening), [bidId]);
  const opened = applyToTender(opening, { type: 'OpenBids', bids: [{ id: bidId }] }).state;
  return [applyToTender(opened, { type: 'ReplaceAwards', facts: publicAwards(awarding) }).state, awarding];
}

/** The same after the award was decided: its contract is not signed yet. */
function awarded(): readonly [TenderState, AwardingState] {
  const [tender, awarding] = qualification();
  const active = activateAward(awarding, factsOf(tender));
  if (active === undefined) throw new Error('the award was refused');
  return [applyToTender(tender, { type: 'ReplaceAwards', facts: publicAwards(active) }).state, active];
}

const none = noAwards(tendering);

/** Where the races are: as many requests as the number of states allows. */
export const SCENARIOS = {
  closing: atRest(tendering, none, 'bid', 'bid'),
  'closing and cancellation': {
    ...atRest(tendering, none, 'cancel'),
    copy: undefined,
    bidding: { phase: 'open', ids: [bidId] },
  },
  'bid and cancellation': { ...atRest(tendering, none, 'bid', 'cancel'), mayEnd: false },
  'award and cancellation': atRest(...qualification(), 'award', 'cancel'),
  'award and two cancellations': atRest(...qualification(), 'award', 'cancel', 'cancel'),
  'signing and cancellation': atRest(...awarded(), 'sign', 'cancel'),
  'signing and claim': atRest(...awarded(), 'sign', 'claim'),
} as const satisfies Readonly<Record<string, World>>;
