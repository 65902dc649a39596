/** A command that changes nothing. `limit` is the largest amount that the turn accepts. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly description: string;
  readonly limit?: number;
}

interface Row {
  readonly status: number;
  readonly description: string;
}

/** Status and text of every refusal of a decision (auction-room.md 9.4; texts of bids-awards-auction.md 2.11). */
export const REFUSALS = {
  'auction.not-found': { status: 404, description: 'Not Found' },
  'session.required': { status: 401, description: 'Use the valid participation link to enter the auction' },
  'offer.unknown-bidder': { status: 422, description: 'Invalid bidder_id {bid}' },
  'offer.id-used': { status: 409, description: 'Offer id used before' },
  'offer.no-turn': { status: 422, description: 'Stage not for bidding' },
  'offer.recorded-too-late': { status: 422, description: 'Stage not for bidding' },
  'offer.not-your-turn': { status: 422, description: 'Not valid bidder' },
  'offer.amount-required': { status: 422, description: 'Bid amount is required' },
  'offer.too-low': { status: 422, description: 'Too low value' },
  'offer.too-high': { status: 422, description: 'Too high value' },
  'auction.report-begun': { status: 409, description: 'The report of the results has begun' },
  'auction.phase': { status: 409, description: 'Not possible in the present phase of the auction' },
} as const satisfies Record<string, Row>;

export type RefusalCode = keyof typeof REFUSALS;

export function refusal(code: RefusalCode, details: { readonly bid?: string; readonly limit?: number } = {}): Refusal {
  const { status, description } = REFUSALS[code];
  return {
    code,
    status,
    description: description.replace('{bid}', details.bid ?? ''),
    ...(details.limit === undefined ? {} : { limit: details.limit }),
  };
}
