import type { Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { commandAt } from '@procurement/domain/command';
import type { Decision } from '@procurement/domain/decision';
import { tenderTime } from '@procurement/domain/tender-time';
import { changeBid } from './bid.change.ts';
import { changeBidOwner } from './bid.owner.ts';
import { registerBid } from './bid.register.ts';
import type { BidCommand, BidEvent, BiddingState, BidRequest } from './bid.ts';
import { withdrawBid } from './bid.withdraw.ts';

/** Decides one command about the bids of one tender. Pure: the result follows from state and command alone. */
export function decideBid(state: BiddingState, command: BidCommand): Decision<BidEvent> {
  switch (command.type) {
    case 'RegisterBid':
      return registerBid(state, command);
    case 'ChangeBid':
      return changeBid(state, command);
    case 'WithdrawBid':
      return withdrawBid(state, command);
    case 'ChangeBidOwner':
      return changeBidOwner(state, command);
    default:
      return command satisfies never;
  }
}

/** Decides a request at an instant of real time, which is converted to the time of the tender. */
export function decideBidAt(
  state: BiddingState & { readonly tender: TenderFacts },
  request: BidRequest,
  realNow: Instant,
): Decision<BidEvent> {
  return decideBid(state, commandAt<BidCommand>(request, tenderTime(realNow, state.tender)));
}
