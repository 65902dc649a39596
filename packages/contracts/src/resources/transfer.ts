import type { z } from 'zod';
import { model } from '../reading/composites.ts';
import { dateTime, text } from '../reading/scalars.ts';

/** Body of POST: nothing is chosen by the client (http.md 3.6). */
export const TransferInput = model('Transfer', {}).meta({ id: 'TransferInput' });

/** A prepared change of owner: new tokens for one object, which the broker that made it may take over. */
export const Transfer = model('Transfer', {
  id: text('identifier'),
  /** Time of the creation, or of the use. */
  date: dateTime(),
  /** Path of the object that it was used for, without the segment. */
  usedFor: text('description').optional(),
}).meta({ id: 'Transfer' });
export type Transfer = z.infer<typeof Transfer>;

/** Body of `POST .../ownership`. */
export const OwnershipInput = model('Ownership', {
  /** Id of the transfer. */
  id: text('identifier'),
  /** `access.transfer` from the creation of the object, or from the transfer by which it changed its owner last. */
  transfer: text('identifier'),
}).meta({ id: 'OwnershipInput' });
export type OwnershipInput = z.infer<typeof OwnershipInput>;

/** The object and its new owner. */
export const Ownership = model('Ownership', {
  id: text('identifier'),
  owner: text('identifier'),
}).meta({ id: 'Ownership' });
