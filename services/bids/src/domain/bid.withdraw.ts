import { OWNER_UNSAID, permissionProblem } from '@procurement/domain/admission';
import { problem } from '@procurement/contracts/problems/problems';
import type { Decision } from '@procurement/domain/decision';
import { biddingRefusal } from './bid.guards.ts';
import { bidRoleOf } from './bid.roles.ts';
import type { BidEvent, BiddingState, WithdrawBid } from './bid.ts';

/** DELETE of a bid (bids-awards-auction.md 1.2): by its owner or the Administrator, while bids may be written. */
export function withdrawBid({ tender, phase, bid }: BiddingState, { meta }: WithdrawBid): Decision<BidEvent> {
  if (tender === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  if (bid === undefined) return { refused: problem('object.not-found', { kind: 'bid' }) };
  const forbidden = permissionProblem(meta.actor, bidRoleOf(meta.actor, meta.owns) !== 'stranger', OWNER_UNSAID);
  if (forbidden !== undefined) return { refused: forbidden };
  const closed = biddingRefusal('delete', { tender, phase }, meta);
  return closed === undefined ? { accepted: [{ type: 'BidWithdrawn' }] } : { refused: closed };
}
