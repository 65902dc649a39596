import type { z } from 'zod';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { validationError } from '../reading/error-messages.ts';
import { oneOf, dateTime, hexId, integer, url } from '../reading/scalars.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';
import { AuctionPeriod } from './period.ts';
import { Guarantee, Value } from './value.ts';

export const LOT_STATUSES = ['active', 'cancelled', 'unsuccessful', 'complete'] as const;

/** A part of a tender with its own bids and award (tenders.md 6.3). */
export const Lot = model('Lot', {
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
})
  .refine(({ value, minimalStep }) => !(minimalStep?.amount > value?.amount), {
    path: ['minimalStep'],
    error: validationError('value should be less than value of lot'),
    ...evenAfterErrors,
  })
  .meta({ id: 'Lot' });
export type Lot = z.infer<typeof Lot>;
