import type { Decision } from '@procurement/domain/decision';
import { changeBid } from './bid.change.ts';
import { registerBid } from './bid.register.ts';
import type { BidCommand, BidEvent, BiddingState } from './bid.ts';
import { withdrawBid } from './bid.withdraw.ts';

/** Decides one command about the bids of one tender. Pure: state, command and the time in it are all it knows. */
export function decideBid(state: BiddingState, command: BidCommand): Decision<BidEvent> {
  switch (command.type) {
    case 'RegisterBid':
      return registerBid(state, command);
    case 'ChangeBid':
      return changeBid(state, command);
    case 'WithdrawBid':
      return withdrawBid(state, command);
    default:
      return command satisfies never;
  }
}
