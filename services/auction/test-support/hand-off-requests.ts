import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { AUCTION_STARTS, BID_X, REPORTED_AT } from './hand-off-facts.ts';
import type { RunningHandOff, TenderFixture } from './running-hand-off.ts';

export const AUCTION_URL = 'https://auction.example.org/tenders/7e1b';
export const AWARD = { id: '3'.repeat(32), status: 'pending', bid_id: BID_X };
export const RESULTS = { bids: [withAmount(390), withAmount(400)] };

export function withAmount(amount: number) {
  return { value: { amount } };
}

export function auctionPath({ facts }: TenderFixture, lot?: string): string {
  return `/tenders/${facts.id}/auction${lot === undefined ? '' : `/${lot}`}`;
}

/** The tender after the other services applied the results: in qualification, with auctionPeriod.endDate and an award. */
export function viewAfterAward() {
  return {
    status: 'active.qualification',
    auctionPeriod: { startDate: AUCTION_STARTS, endDate: REPORTED_AT },
    awards: [AWARD],
  };
}

/** The response of this service to `ask.auction.results`. */
export async function recordedResults({ bus }: RunningHandOff, { facts }: TenderFixture, lot?: string) {
  return sendRequest(bus, rpcSubjects.auctionResults, { id: facts.id, lot });
}
