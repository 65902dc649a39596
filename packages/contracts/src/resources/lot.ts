import type { z } from 'zod';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { validationError } from '../reading/error-messages.ts';
import { oneOf, dateTime, forbidden, hexId, integer, url } from '../reading/scalars.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';
import { AuctionPeriod } from './period.ts';
import { Guarantee, Value } from './value.ts';

export const LOT_STATUSES = ['active', 'cancelled', 'unsuccessful', 'complete'] as const;

const lotMembers = {
  id: hexId().optional(),
  ...multilingualRequired('title', 'title', { charactersMin: 1 }),
  ...multilingual('description', 'description'),
  value: Value,
  minimalStep: Value,
  guarantee: Guarantee.optional(),
  status: oneOf(LOT_STATUSES).optional(),
  date: dateTime().optional(),
  auctionPeriod: AuctionPeriod.optional(),
  auctionUrl: url().optional(),
  numberOfBids: integer().optional(),
};

/** A part of a tender with its own bids and award, in a body (tenders.md 6.3). */
export const LotInput = model('Lot', lotMembers)
  .refine(({ value, minimalStep }) => !(minimalStep?.amount > value?.amount), {
    path: ['minimalStep'],
    error: validationError('value should be less than value of lot'),
    ...evenAfterErrors,
  })
  .meta({ id: 'LotInput' });

/** A lot of a tender without auction in a body (rulings R44). */
export const LotWithoutAuctionInput = model('Lot', { ...lotMembers, minimalStep: forbidden() }).meta({
  id: 'LotWithoutAuctionInput',
});

/** A lot in answers. Without an auction it has no step. */
export const Lot = model('Lot', { ...lotMembers, minimalStep: Value.optional() }).meta({ id: 'Lot' });
export type Lot = z.infer<typeof Lot>;
