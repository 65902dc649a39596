import { z } from 'zod';
import { list, model } from '../reading/composites.ts';
import { choice, dateTime, float, hexId, text, url } from '../reading/scalars.ts';
import { EarlyOrganization, Organization } from './organization.ts';
import { Value } from './value.ts';

export const LotValue = model('LotValue', {
  value: Value,
  relatedLot: hexId(),
  date: dateTime().optional(),
  participationUrl: url().optional(),
}).meta({ id: 'LotValue' });
export type LotValue = z.infer<typeof LotValue>;

export const Parameter = model('Parameter', { code: text(), value: float() }).meta({ id: 'Parameter' });

function bidInput<P extends z.ZodType>(tenderer: P) {
  return model('Bid', {
    id: text().optional(),
    date: dateTime().optional(),
    status: choice(['active', 'draft']).optional(),
    tenderers: list(tenderer, { min: 1, max: 1 }),
    value: Value.optional(),
    lotValues: list(LotValue).optional(),
    parameters: list(Parameter).optional(),
    participationUrl: url().optional(),
  });
}

/** What may be sent for a bid; `id`, `date` and `participationUrl` are read and passed over (bids-awards-auction.md 1.1). */
export const BidInput = bidInput(Organization).meta({ id: 'BidInput' });
export type BidInput = z.infer<typeof EarlyBidInput>;

/** The same by an older segment, whose bidders have less to say of themselves (rulings R13). */
export const EarlyBidInput = bidInput(EarlyOrganization).meta({ id: 'EarlyBidInput' });

/** A bid as its owner sees it, and everybody once bids are open. */
export interface StoredBid extends Omit<BidInput, 'id' | 'date' | 'status'> {
  readonly id: string;
  readonly date: string;
  readonly status: 'active' | 'draft';
}

export const Bid = z
  .looseObject({ ...BidInput.shape, id: hexId(), date: dateTime(), status: choice(['active', 'draft']) })
  .meta({ id: 'Bid' });
